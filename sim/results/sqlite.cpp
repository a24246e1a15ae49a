#include "results/sqlite.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "results/files.hpp"

namespace soya {

namespace {

int open_flags(SqliteMode mode) {
  const int access = mode == SqliteMode::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  return access | SQLITE_OPEN_EXRESCODE;
}

}  // namespace

SqliteDatabase::SqliteDatabase(std::filesystem::path file, SqliteMode mode, SqliteFailure failure)
    : file_{std::move(file)}, failure_{failure} {
  errno = 0;
  const int code = sqlite3_open_v2(file_.c_str(), &handle_, open_flags(mode), nullptr);
  if (code == SQLITE_OK) return;
  const SqliteError why = error(code);
  sqlite3_close(std::exchange(handle_, nullptr));
  raise(why);
}

SqliteDatabase::~SqliteDatabase() {
  sqlite3_close(handle_);
}

int SqliteDatabase::attempt(const std::string& sql) {
  errno = 0;
  return sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
}

void SqliteDatabase::execute(const std::string& sql) {
  if (const int code = attempt(sql); code != SQLITE_OK) fail(code);
}

std::string SqliteDatabase::ask(const std::string& sql) {
  SqliteStatement statement{*this, sql};
  return statement.step() ? statement.text(0) : std::string{};
}

void SqliteDatabase::wait_for_others(int milliseconds) {
  sqlite3_busy_timeout(handle_, milliseconds);
}

bool SqliteDatabase::in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

void SqliteDatabase::close() {
  errno = 0;
  if (const int code = sqlite3_close(handle_); code != SQLITE_OK) fail(code);
  handle_ = nullptr;
}

void SqliteDatabase::fail(int code) const {
  raise(error(code));
}

SqliteError SqliteDatabase::error(int code) const {
  const int left_behind = errno;
  // SQLite calls every failed system call "disk I/O error"; the system's own word says which.
  // Some of its paths do not pass that word on; then errno, which every call here starts from 0, still has it.
  const int kept = handle_ != nullptr ? sqlite3_system_errno(handle_) : 0;
  const int number = kept != 0 ? kept : left_behind;
  const int primary = code & 0xFF;
  const bool of_system = (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) && number != 0;
  return {file_, primary, of_system ? system_reason(number) : sqlite3_errstr(code),
          handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code)};
}

void SqliteDatabase::raise(const SqliteError& error) const {
  if (failure_ != nullptr) failure_(error);
  throw MachineError(error.file.string(), error.reason);
}

SqliteStatement::SqliteStatement(SqliteDatabase& database, const std::string& sql) : database_{database} {
  errno = 0;
  const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &handle_, nullptr);
  if (code != SQLITE_OK) database.fail(code);
}

SqliteStatement::~SqliteStatement() {
  sqlite3_finalize(handle_);
}

void SqliteStatement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(handle_, parameter, value);
}

void SqliteStatement::bind(int parameter, double value) {
  sqlite3_bind_double(handle_, parameter, value);
}

void SqliteStatement::bind(int parameter, std::string_view value) {
  // A null pointer would be NULL.
  const char* const data = value.data() != nullptr ? value.data() : "";
  sqlite3_bind_text64(handle_, parameter, data, value.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void SqliteStatement::bind_null(int parameter) {
  sqlite3_bind_null(handle_, parameter);
}

bool SqliteStatement::step() {
  errno = 0;
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(handle_);
    return false;
  }
  const SqliteError why = database_.error(code);
  sqlite3_reset(handle_);
  database_.raise(why);
}

void SqliteStatement::reset() {
  sqlite3_reset(handle_);
}

std::int64_t SqliteStatement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

std::string SqliteStatement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  return text == nullptr ? std::string{}
                         : std::string{text, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

}  // namespace soya
