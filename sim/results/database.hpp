// The tables of a result in one SQLite file.
// Simplifies: strict tables without indices. The journal is SQLite's rollback journal, not a write-ahead log: it works
// on network file systems, and a reader sees the last commit while a run writes. Source: sqlite.org/lockingv3.html.
// Validated by tests/unit/results/database_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "results/results.hpp"
#include "results/sqlite.hpp"
#include "results/tables.hpp"

namespace soya {

/// A database being written. It is an ordinary file that `sqlite3` can open at any time.
class ResultsDatabase final {
 public:
  /// Creates `file` with every table; what was there is replaced. Throws `MachineError`.
  explicit ResultsDatabase(std::filesystem::path file);
  ResultsDatabase(const ResultsDatabase&) = delete;
  ResultsDatabase& operator=(const ResultsDatabase&) = delete;

  /// Adds every row of `results` to every table.
  void add(const RunResults& results, const std::string& variant);
  /// Adds one finished transfer. It waits in memory for the next commit, so that a transaction is open for a moment
  /// only and a killed run leaves no half of one behind.
  void add_transfer(const TransferRow& row, const std::string& variant);
  /// Makes what was added visible to readers. While a reader holds the file for long, it returns false and what was
  /// added stays for the next commit.
  bool commit();
  /// Commits, closes and fsyncs; the file is whole. Throws `MachineError`, also when a reader never lets go.
  void finish();

 private:
  class TableSink;

  void begin();
  void insert_waiting();
  void insert(SqliteStatement& statement, std::span<const Value> values);

  SqliteDatabase database_;
  std::unique_ptr<SqliteStatement> transfer_;
  std::vector<std::vector<Value>> waiting_;  ///< transfers added since the last commit
  std::int64_t uncommitted_{0};              ///< rows since the last attempt to commit
};

}  // namespace soya
