#include "results/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string_view>

#include "results/files.hpp"

namespace soya {

namespace {

// Keeps the memory of one transaction small while millions of rows are written at the end.
constexpr std::int64_t rows_per_commit = 50'000;

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

}  // namespace

class ResultsDatabase::Connection final {
 public:
  Connection() = default;
  ~Connection() { sqlite3_close(handle); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  sqlite3* handle{nullptr};
};

class ResultsDatabase::Statement final {
 public:
  Statement() = default;
  ~Statement() { sqlite3_finalize(handle); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  sqlite3_stmt* handle{nullptr};
};

class ResultsDatabase::TableSink final : public RowSink {
 public:
  TableSink(ResultsDatabase& database, const Table& table) : database_{database} {
    const std::string sql = insert_statement(table);
    const int code = sqlite3_prepare_v2(database.connection_->handle, sql.c_str(), -1, &statement_.handle, nullptr);
    if (code != SQLITE_OK) database.fail(code);
  }
  void row(std::span<const Value> values) override {
    database_.insert(statement_, values);
    if (database_.uncommitted_ >= rows_per_commit) database_.commit();
  }

 private:
  ResultsDatabase& database_;
  Statement statement_;
};

ResultsDatabase::ResultsDatabase(std::filesystem::path file)
    : file_{std::move(file)}, connection_{std::make_unique<Connection>()}, transfer_{std::make_unique<Statement>()} {
  // A journal that a killed run left behind would be rolled back into the new file.
  remove_quietly(file_);
  remove_quietly(file_.string() + "-journal");
  errno = 0;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE;
  if (const int code = sqlite3_open_v2(file_.c_str(), &connection_->handle, flags, nullptr); code != SQLITE_OK) {
    fail(code);
  }
  sqlite3_busy_timeout(connection_->handle, 200);
  execute("PRAGMA journal_mode=DELETE");
  // No fsync per commit: `finish` syncs the whole file once, before it gets its final name.
  execute("PRAGMA synchronous=OFF");
  // A spilled cache locks readers out until the next commit.
  execute("PRAGMA cache_spill=OFF");
  begin();
  for (const Table& table : result_tables()) execute(create_statement(table));
  commit();
  const std::string sql = insert_statement(transfer_table());
  const int code = sqlite3_prepare_v2(connection_->handle, sql.c_str(), -1, &transfer_->handle, nullptr);
  if (code != SQLITE_OK) fail(code);
}

ResultsDatabase::~ResultsDatabase() = default;

void ResultsDatabase::add(const RunResults& results, const std::string& variant) {
  for (const Table& table : result_tables()) {
    TableSink sink{*this, table};
    table.rows(results, variant, sink);
  }
}

void ResultsDatabase::add_transfer(const TransferRow& row, const std::string& variant) {
  waiting_.push_back(transfer_values(row, variant));
  if (std::ssize(waiting_) >= rows_per_commit) insert_waiting();
}

void ResultsDatabase::insert_waiting() {
  for (const std::vector<Value>& values : waiting_) insert(*transfer_, values);
  waiting_.clear();
}

bool ResultsDatabase::commit() {
  insert_waiting();
  if (sqlite3_get_autocommit(connection_->handle) != 0) return true;
  errno = 0;
  const int code = sqlite3_exec(connection_->handle, "COMMIT", nullptr, nullptr, nullptr);
  uncommitted_ = 0;
  if ((code & 0xFF) == SQLITE_BUSY) return false;
  if (code != SQLITE_OK) fail(code);
  return true;
}

void ResultsDatabase::finish() {
  sqlite3_busy_timeout(connection_->handle, 30'000);
  if (!commit()) throw MachineError(file_.string(), "another program keeps reading it");
  transfer_ = std::make_unique<Statement>();
  errno = 0;
  if (const int code = sqlite3_close(connection_->handle); code != SQLITE_OK) fail(code);
  connection_->handle = nullptr;
  sync_file(file_);
}

void ResultsDatabase::execute(const std::string& sql) {
  errno = 0;
  if (const int code = sqlite3_exec(connection_->handle, sql.c_str(), nullptr, nullptr, nullptr); code != SQLITE_OK) {
    fail(code);
  }
}

void ResultsDatabase::begin() {
  if (sqlite3_get_autocommit(connection_->handle) != 0) execute("BEGIN");
}

void ResultsDatabase::insert(Statement& statement, std::span<const Value> values) {
  begin();
  sqlite3_stmt* handle = statement.handle;
  int column = 0;
  for (const Value& value : values) {
    ++column;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      sqlite3_bind_int64(handle, column, *integer);
    } else if (const auto* real = std::get_if<double>(&value)) {
      sqlite3_bind_double(handle, column, *real);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      sqlite3_bind_text64(handle, column, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
    } else {
      sqlite3_bind_null(handle, column);
    }
  }
  errno = 0;
  if (const int code = sqlite3_step(handle); code != SQLITE_DONE) fail(code);
  sqlite3_reset(handle);
  ++uncommitted_;
}

void ResultsDatabase::fail(int code) const {
  const int left_behind = errno;
  // SQLite calls every failed system call "disk I/O error"; the system's own word says which.
  // Some of its paths do not pass that word on; then errno, which every call here starts from 0, still has it.
  const int kept = connection_->handle != nullptr ? sqlite3_system_errno(connection_->handle) : 0;
  const int number = kept != 0 ? kept : left_behind;
  const int primary = code & 0xFF;
  if ((primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) && number != 0) {
    throw MachineError(file_.string(), system_reason(number));
  }
  throw MachineError(file_.string(), sqlite3_errstr(code));
}

}  // namespace soya
