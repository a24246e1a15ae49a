#include "results/reader.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "results/tables.hpp"

namespace soya {

namespace {

struct Close {
  void operator()(sqlite3* handle) const { sqlite3_close(handle); }
  void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
};

std::string select_statement(const Table& table) {
  std::string columns;
  // A bare "name" that is no column would be a string to SQLite.
  for (const TableColumn& column : table.columns) {
    columns += fmt::format("{}\"{}\".\"{}\"", columns.empty() ? "" : ", ", table.name, column.name);
  }
  return fmt::format("SELECT {} FROM \"{}\" ORDER BY rowid", columns, table.name);
}

Value value_at(sqlite3_stmt* row, int column, ColumnType type) {
  if (sqlite3_column_type(row, column) == SQLITE_NULL) return {};
  switch (type) {
    case ColumnType::integer:
      return std::int64_t{sqlite3_column_int64(row, column)};
    case ColumnType::real:
      return sqlite3_column_double(row, column);
    case ColumnType::text:
      break;
  }
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
  return std::string{text, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

class Reader final {
 public:
  explicit Reader(const std::filesystem::path& file) : file_{file} {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
    database_.reset(handle);
    if (code != SQLITE_OK) fail(fmt::format("cannot be opened: {}", sqlite3_errstr(code)));
  }

  std::vector<NamedResults> read() {
    for (const Table& table : result_tables()) {
      if (table.name != "sample") read_table(table);
    }
    // Each run writes its version; rows of other tables alone are no run.
    for (const NamedResults& run : runs_) {
      if (run.results.version.empty()) fail("holds no run; run the scenario again");
    }
    if (runs_.empty()) fail("holds no run; run the scenario again");
    return std::move(runs_);
  }

 private:
  void read_table(const Table& table) {
    sqlite3_stmt* handle = nullptr;
    const std::string sql = select_statement(table);
    const int code = sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &handle, nullptr);
    const std::unique_ptr<sqlite3_stmt, Close> statement{handle};
    if (code != SQLITE_OK) {
      // "no such table: link", "no such column: gaps", "file is not a database"
      fail(fmt::format("is no results.sqlite of Soya {} ({}); run the scenario again", SOYA_VERSION,
                       sqlite3_errmsg(database_.get())));
    }
    std::vector<Value> values(table.columns.size());
    int step = sqlite3_step(handle);
    for (; step == SQLITE_ROW; step = sqlite3_step(handle)) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = value_at(handle, static_cast<int>(i), table.columns[i].type);
      }
      if (!table.restore(run_of(std::get<std::string>(values.front())), values)) {
        fail(fmt::format("table {} holds a row that no run writes; run the scenario again", table.name));
      }
    }
    if (step != SQLITE_DONE) fail(fmt::format("cannot be read: {}", sqlite3_errmsg(database_.get())));
  }

  RunResults& run_of(const std::string& variant) {
    const auto known = std::ranges::find(runs_, variant, &NamedResults::name);
    if (known != runs_.end()) return known->results;
    runs_.push_back({variant, {}});
    return runs_.back().results;
  }

  [[noreturn]] void fail(const std::string& why) const { throw ResultsError(file_.string() + ": " + why); }

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> database_;
  std::vector<NamedResults> runs_;
};

}  // namespace

std::vector<NamedResults> read_results(const std::filesystem::path& file) {
  return Reader{file}.read();
}

}  // namespace soya
