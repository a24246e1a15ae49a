// SQLite with owners: a connection and a statement that close themselves, and failures as exceptions.
// Simplifies: text, integers and reals only; a text that is bound lives until the statement has run.
// Source: sqlite.org/c3ref.
// Validated by tests/unit/results/sqlite_test.cpp and tests/unit/results/database_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace soya {

/// What went wrong with a database.
struct SqliteError {
  std::filesystem::path file;
  int code{0};         ///< SQLite's primary result code
  std::string reason;  ///< the system's own word where the system refused, such as "No space left on device"
  std::string detail;  ///< SQLite's: "no such table: place"
};

/// Throws what an error is to the caller. Where it returns, and where there is none, `MachineError` is thrown.
using SqliteFailure = void (*)(const SqliteError& error);

enum class SqliteMode { read, write };

/// A connection to one file. For writing, the file is created where there is none.
class SqliteDatabase final {
 public:
  explicit SqliteDatabase(std::filesystem::path file, SqliteMode mode = SqliteMode::write,
                          SqliteFailure failure = nullptr);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  void execute(const std::string& sql);
  /// The result code, for callers that can go on without.
  [[nodiscard]] int attempt(const std::string& sql);
  /// The first column of the first row: of PRAGMA journal_mode, say. Empty where there is no row.
  [[nodiscard]] std::string ask(const std::string& sql);
  /// For how long to wait for other connections.
  void wait_for_others(int milliseconds);
  [[nodiscard]] bool in_transaction() const;
  /// Statements are gone by now.
  void close();

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] sqlite3* handle() const { return handle_; }
  [[noreturn]] void fail(int code) const;
  [[nodiscard]] SqliteError error(int code) const;
  [[noreturn]] void raise(const SqliteError& error) const;

 private:
  std::filesystem::path file_;
  SqliteFailure failure_;
  sqlite3* handle_{nullptr};
};

/// One statement of a connection, which outlives it.
class SqliteStatement final {
 public:
  SqliteStatement(SqliteDatabase& database, const std::string& sql);
  ~SqliteStatement();
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  /// Parameters count from 1.
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view value);
  void bind_null(int parameter);
  template <class... Values>
  void bind_all(const Values&... values) {
    int parameter = 0;
    (bind(++parameter, values), ...);
  }

  /// True: there is a row. False: the statement has ended, and can be bound anew.
  [[nodiscard]] bool step();
  /// Runs to the end, whatever rows there are.
  template <class... Values>
  void run(const Values&... values) {
    bind_all(values...);
    while (step()) {
    }
  }
  /// Ends early.
  void reset();

  /// Columns count from 0.
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  SqliteDatabase& database_;
  sqlite3_stmt* handle_{nullptr};
};

}  // namespace soya
