#include "results/reader.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <fstream>

#include "results/database.hpp"
#include "results/tables.hpp"
#include "support/sample_results.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;

namespace {

/// Every row of every table as one list, but for samples, which are not read back.
class AllRows final : public RowSink {
 public:
  explicit AllRows(const RunResults& results) {
    for (const Table& table : result_tables()) {
      if (table.name != "sample") table.rows(results, "", *this);
    }
  }
  void row(std::span<const Value> values) override { rows.emplace_back(values.begin(), values.end()); }
  std::vector<std::vector<Value>> rows;
};

std::string refusal(const std::filesystem::path& file) {
  try {
    const auto runs = read_results(file);
    return "read " + std::to_string(runs.size());
  } catch (const ResultsError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("what is read back makes the same rows: base and variants in order") {
  const test::TemporaryFolder folder;
  RunResults base = test::ddp_results();
  base.seed = UINT64_MAX;  // beyond SQLite's integers
  base.why_not = {"first reason", "", "third"};
  base.pauses.push_back(test::long_pause());
  base.links.front().pause_frames[7] = 5;
  ResultsDatabase database{folder / "results.sqlite"};
  database.add(base, "");
  database.add(test::starved_results(), "starved");
  database.finish();

  const std::vector<NamedResults> runs = read_results(folder / "results.sqlite");
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].name.empty());
  CHECK(runs[1].name == "starved");
  CHECK(runs[0].results.seed == UINT64_MAX);
  CHECK(runs[0].results.why_not == base.why_not);
  CHECK(runs[0].results.links.front().pause_frames[7] == 5);
  CHECK(AllRows{runs[0].results}.rows == AllRows{base}.rows);
  CHECK(AllRows{runs[1].results}.rows == AllRows{test::starved_results()}.rows);
}

TEST_CASE("a file that holds no results of this version is refused, and says what to do") {
  const test::TemporaryFolder folder;
  const std::string missing = (folder / "none.sqlite").string();
  CHECK(refusal(missing) == missing + ": cannot be opened: unable to open database file");

  const std::string text = (folder / "text").string();
  std::ofstream{text} << std::string(4096, 'x');
  CHECK(refusal(text) == text + ": is no results.sqlite of Soya " SOYA_VERSION
                                " (file is not a database); run the scenario again");

  const auto file = folder / "results.sqlite";
  {
    ResultsDatabase database{file};
    database.finish();
  }
  CHECK(refusal(file) == file.string() + ": holds no run; run the scenario again");
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &handle) == SQLITE_OK);
  REQUIRE(sqlite3_exec(handle, "alter table link drop column lost_frames", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
  CHECK(refusal(file) == file.string() + ": is no results.sqlite of Soya " SOYA_VERSION
                                         " (no such column: link.lost_frames); run the scenario again");
}
