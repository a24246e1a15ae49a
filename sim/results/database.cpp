#include "results/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <string_view>

#include "results/files.hpp"

namespace soya {

namespace {

// Keeps the memory of one transaction small while millions of rows are written at the end.
constexpr std::int64_t rows_per_commit = 50'000;
/// A row that waits takes some 640 B, one in a page of the database a fifth of that.
constexpr std::int64_t rows_waiting = 2'048;

std::string create_statement(const Table& table) {
  std::string columns;
  for (const TableColumn& column : table.columns) {
    columns += fmt::format("{}\"{}\" {}{}", columns.empty() ? "" : ", ", column.name, sql_type(column.type),
                           column.nullable ? "" : " NOT NULL");
  }
  return fmt::format("CREATE TABLE \"{}\" ({}) STRICT", table.name, columns);
}

std::string insert_statement(const Table& table) {
  std::string marks = "?";
  for (std::size_t i = 1; i < table.columns.size(); ++i) marks += ",?";
  return fmt::format("INSERT INTO \"{}\" VALUES ({})", table.name, marks);
}

const Table& transfer_table() {
  const auto& tables = result_tables();
  return *std::find_if(tables.begin(), tables.end(), [](const Table& table) { return table.name == "transfer"; });
}

/// A journal that a killed run left behind would be rolled back into the new file.
std::filesystem::path without_leftovers(std::filesystem::path file) {
  remove_quietly(file);
  remove_quietly(file.string() + "-journal");
  return file;
}

}  // namespace

class ResultsDatabase::TableSink final : public RowSink {
 public:
  TableSink(ResultsDatabase& database, const Table& table)
      : database_{database}, statement_{database.database_, insert_statement(table)} {}
  void row(std::span<const Value> values) override {
    database_.insert(statement_, values);
    if (database_.uncommitted_ >= rows_per_commit) database_.commit();
  }

 private:
  ResultsDatabase& database_;
  SqliteStatement statement_;
};

ResultsDatabase::ResultsDatabase(std::filesystem::path file) : database_{without_leftovers(std::move(file))} {
  database_.wait_for_others(200);
  database_.execute("PRAGMA journal_mode=DELETE");
  // No fsync per commit: `finish` syncs the whole file once, before it gets its final name.
  database_.execute("PRAGMA synchronous=OFF");
  // A spilled cache locks readers out until the next commit.
  database_.execute("PRAGMA cache_spill=OFF");
  begin();
  for (const Table& table : result_tables()) database_.execute(create_statement(table));
  commit();
  transfer_ = std::make_unique<SqliteStatement>(database_, insert_statement(transfer_table()));
}

void ResultsDatabase::add(const RunResults& results, const std::string& variant) {
  for (const Table& table : result_tables()) {
    TableSink sink{*this, table};
    table.rows(results, variant, sink);
  }
}

void ResultsDatabase::add_transfer(const TransferRow& row, const std::string& variant) {
  waiting_.push_back(transfer_values(row, variant));
  if (std::ssize(waiting_) < rows_waiting) return;
  insert_waiting();
  // Where a reader is in the way, the next one will do.
  if (uncommitted_ >= rows_per_commit) commit();
}

void ResultsDatabase::insert_waiting() {
  for (const std::vector<Value>& values : waiting_) insert(*transfer_, values);
  waiting_.clear();
}

bool ResultsDatabase::commit() {
  insert_waiting();
  if (!database_.in_transaction()) return true;
  const int code = database_.attempt("COMMIT");
  uncommitted_ = 0;
  if ((code & 0xFF) == SQLITE_BUSY) return false;
  if (code != SQLITE_OK) database_.fail(code);
  return true;
}

void ResultsDatabase::finish() {
  database_.wait_for_others(30'000);
  if (!commit()) throw MachineError(database_.file().string(), "another program keeps reading it");
  transfer_.reset();
  database_.close();
  sync_file(database_.file());
}

void ResultsDatabase::begin() {
  if (!database_.in_transaction()) database_.execute("BEGIN");
}

void ResultsDatabase::insert(SqliteStatement& statement, std::span<const Value> values) {
  begin();
  int parameter = 0;
  for (const Value& value : values) {
    ++parameter;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      statement.bind(parameter, *integer);
    } else if (const auto* real = std::get_if<double>(&value)) {
      statement.bind(parameter, *real);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      statement.bind(parameter, std::string_view{*text});
    } else {
      statement.bind_null(parameter);
    }
  }
  statement.run();
  ++uncommitted_;
}

}  // namespace soya
