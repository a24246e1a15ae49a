#include "results/database.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "results/files.hpp"
#include "support/sample_results.hpp"
#include "support/sqlite_reader.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;
using soya::test::SqliteReader;

TEST_CASE("every row of every table is there, base first, then variants, in the order given") {
  const test::TemporaryFolder folder;
  ResultsDatabase database{folder / "r.sqlite"};
  database.add(test::incast_results(), "");
  database.add(test::starved_results(), "starved");
  database.finish();
  SqliteReader reader{folder / "r.sqlite"};
  CHECK(reader.ask("select variant, name, sound, drops_lossless_frames from run") == "|incast|1|0;starved|incast|0|5");
  CHECK(reader.ask("select variant, count(*), count(finish_ps) from transfer group by variant") ==
        "|16|16;starved|16|15");
  CHECK(reader.ask("select switch, port, headroom_needed_bytes from queue where dropped_frames > 0") ==
        "札幌-leaf1|札幌-host3|22838");
  CHECK(reader.ask("select count(*) from host") == "32");
  // 16 rows per run in file order: 20 790 + i.
  CHECK(reader.ask("select headroom_peak_bytes from queue where variant = '' limit 3") == "20791;20792;20793");
  CHECK(reader.ask("select seed from run where seed = 7 limit 1") == "7");
  CHECK(reader.ask("pragma integrity_check") == "ok");
}

TEST_CASE("tables are strict: a column refuses what is not of its type") {
  const test::TemporaryFolder folder;
  ResultsDatabase database{folder / "r.sqlite"};
  database.finish();
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open((folder / "r.sqlite").c_str(), &handle) == SQLITE_OK);
  CHECK(sqlite3_exec(handle, "insert into sample values ('', 'soon', 's', 1.0)", nullptr, nullptr, nullptr) ==
        SQLITE_CONSTRAINT);
  CHECK(sqlite3_exec(handle, "insert into sample values ('', 5, 's', 1.0)", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

TEST_CASE("during a run a reader sees exactly the committed rows and is never locked out") {
  const test::TemporaryFolder folder;
  const RunResults run = test::incast_results();
  ResultsDatabase database{folder / "r.sqlite.partial"};
  SqliteReader reader{folder / "r.sqlite.partial"};
  CHECK(reader.ask("select count(*) from transfer") == "0");
  database.add_transfer(run.transfer_rows[0], "");
  database.add_transfer(run.transfer_rows[1], "");
  CHECK(reader.ask("select count(*) from transfer") == "0");
  REQUIRE(database.commit());
  CHECK(reader.ask("select flow, finish_ps from transfer") ==
        "incast/札幌-host1|1351000000;incast/札幌-host2|1352000000");
  // 20 000 rows are more than the page cache holds; still nothing is locked before the commit.
  for (int i = 0; i < 20'000; ++i) database.add_transfer(run.transfer_rows[2], "");
  CHECK(reader.ask("select count(*) from transfer") == "2");
  REQUIRE(database.commit());
  CHECK(reader.ask("select count(*) from transfer") == "20002");
}

TEST_CASE("a reader that holds the file delays a commit and loses nothing") {
  const test::TemporaryFolder folder;
  const RunResults run = test::incast_results();
  ResultsDatabase database{folder / "r.sqlite.partial"};
  SqliteReader reader{folder / "r.sqlite.partial"};
  reader.ask("begin");
  CHECK(reader.ask("select count(*) from transfer") == "0");
  database.add_transfer(run.transfer_rows[0], "");
  CHECK_FALSE(database.commit());
  database.add_transfer(run.transfer_rows[1], "");
  reader.ask("commit");
  CHECK(database.commit());
  CHECK(reader.ask("select count(*) from transfer") == "2");
}

TEST_CASE("what a killed run left under the name is replaced") {
  const test::TemporaryFolder folder;
  test::write_text(folder / "r.sqlite.partial", "not a database");
  test::write_text(folder / "r.sqlite.partial-journal", "not a journal");
  ResultsDatabase database{folder / "r.sqlite.partial"};
  database.finish();
  CHECK(SqliteReader{folder / "r.sqlite.partial"}.ask("select count(*) from run") == "0");
}

TEST_CASE("a place that cannot be written is refused with the system's reason") {
  const test::TemporaryFolder folder;
  test::write_text(folder / "file", "");
  try {
    ResultsDatabase database{folder / "file/r.sqlite"};
    FAIL("opened");
  } catch (const MachineError& error) {
    CHECK(error.path() == (folder / "file/r.sqlite").string());
    CHECK(error.reason() == "Not a directory");
  }
}
