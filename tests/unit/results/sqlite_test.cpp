#include "results/sqlite.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <stdexcept>

#include "results/files.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;

namespace {

void as_runtime_error(const SqliteError& error) {
  throw std::runtime_error(std::to_string(error.code) + " " + error.reason + ", " + error.detail);
}

std::string complaint(const std::filesystem::path& file, SqliteMode mode, const std::string& sql) {
  try {
    SqliteDatabase database{file, mode, as_runtime_error};
    database.execute(sql);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("values come back as they were bound, an empty text is not NULL") {
  const test::TemporaryFolder folder;
  SqliteDatabase database{folder / "a.sqlite"};
  database.execute("CREATE TABLE t (i INTEGER, r REAL, s TEXT NOT NULL) STRICT");
  SqliteStatement insert{database, "INSERT INTO t VALUES (?,?,?)"};
  insert.run(std::int64_t{7}, 0.5, std::string_view{"札幌"});
  insert.run(std::int64_t{8}, 1.5, std::string_view{});
  SqliteStatement select{database, "SELECT i, s, r FROM t WHERE i > ? ORDER BY i"};
  select.bind_all(std::int64_t{0});
  REQUIRE(select.step());
  CHECK(select.integer(0) == 7);
  CHECK(select.text(1) == "札幌");
  CHECK(select.text(2) == "0.5");
  REQUIRE(select.step());
  CHECK(select.text(1).empty());
  CHECK_FALSE(select.step());
  CHECK(database.ask("SELECT count(*) FROM t") == "2");
  CHECK(database.ask("SELECT i FROM t WHERE i = 3").empty());
}

TEST_CASE("a failure is what its owner makes of it") {
  const test::TemporaryFolder folder;
  // SQLITE_CANTOPEN is 14, SQLITE_ERROR 1.
  CHECK(complaint(folder / "none.sqlite", SqliteMode::read, "SELECT 1") ==
        "14 No such file or directory, unable to open database file");
  CHECK(complaint(folder / "a.sqlite", SqliteMode::write, "SELECT * FROM absent") ==
        "1 SQL logic error, no such table: absent");
  CHECK_THROWS_AS(SqliteDatabase{folder / "none/a.sqlite"}, MachineError);
}

TEST_CASE("a folder is held as long as its lock lives, and asking does not hold it") {
  const test::TemporaryFolder folder;
  CHECK_FALSE(is_held(folder.path()));
  {
    const FolderLock lock{folder.path()};
    CHECK(is_held(folder.path()));
    CHECK_THROWS_WITH_AS(FolderLock(folder.path(), "taken"),
                         ("cannot write " + folder.path().string() + ": taken").c_str(), MachineError);
  }
  CHECK_FALSE(is_held(folder.path()));
  CHECK_FALSE(is_held(folder / "none"));
}
