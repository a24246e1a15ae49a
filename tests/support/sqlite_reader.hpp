// Asks a result's database as the sqlite3 command would, from a connection of its own.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <string>

namespace soya::test {

/// A reader of its own, as the sqlite3 command would be.
class SqliteReader final {
 public:
  /// A writer that was killed may have left half a commit, which only a reader that may write can undo.
  explicit SqliteReader(const std::filesystem::path& file, int access = SQLITE_OPEN_READWRITE) {
    sqlite3_open_v2(file.c_str(), &handle_, access, nullptr);
    // Whoever held the file may be about to die.
    sqlite3_busy_timeout(handle_, 5'000);
  }
  ~SqliteReader() { sqlite3_close(handle_); }
  SqliteReader(const SqliteReader&) = delete;
  SqliteReader& operator=(const SqliteReader&) = delete;

  /// Rows joined by ';', columns by '|'; "error: …" when the statement fails.
  std::string ask(const std::string& sql) {
    std::string out;
    sqlite3_stmt* statement = nullptr;
    int code = sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
      code = sqlite3_step(statement);
      if (code != SQLITE_ROW) break;
      if (!out.empty()) out += ';';
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
        out += (i > 0 ? "|" : "") + std::string(text != nullptr ? text : "NULL");
      }
    }
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? out : "error: " + std::string(sqlite3_errstr(code));
  }

 private:
  sqlite3* handle_{nullptr};
};

}  // namespace soya::test
