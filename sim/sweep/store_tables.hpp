// The tables of sweep.sqlite, and what is wrong with a file that is none.
//
//   sweep   (version, name, sweep, columns, keep, points, shard_index, shard_count, answer, base): one row, the head.
//           sweep is the text of the sweep's file; columns, keep and answer are JSON.
//   result  (id, outcome, why_not, extra, summary, effective): a finished simulation. extra and summary are JSON.
//   place   (point, id, cells): which result a point of the present sweep has. Two points may share one.
//   running (point, id): what the writer is at; of a writer that has died, what it was at.
//   point   a view: place and result joined, a row for each finished point.
//
// A result without a place is of an earlier form of the sweep; it finds its place again by its id.
// Simplifies: one format for each version of Soya. Source: docs/sweeps.md; sqlite.org/stricttables.html.
// Validated by tests/unit/sweep/sweep_store_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "results/reader.hpp"
#include "results/sqlite.hpp"
#include "sweep/stored_point.hpp"

namespace soya {

/// A store that cannot be used: `what()` is "PATH: what is wrong, and what to do".
class StoreError : public ResultsError {
 public:
  using ResultsError::ResultsError;
};

/// The points in the file are lost, no others.
class StoreDamaged final : public StoreError {
 public:
  StoreDamaged(const std::filesystem::path& file, const std::string& why);
};

/// Nothing is in the file yet: its writer has just begun, or was killed when it had.
class StoreNotBegun final : public StoreError {
 public:
  explicit StoreNotBegun(const std::filesystem::path& file);
};

/// A writer was killed in the middle of a commit, which must be undone before anything is read.
class StoreInterrupted final : public StoreError {
 public:
  using StoreError::StoreError;
};

/// For `SqliteDatabase`: damage is `StoreDamaged`; what the machine refuses is `MachineError`.
void store_write_failure(const SqliteError& error);
/// Damage is `StoreDamaged`, everything else `StoreError`.
void store_read_failure(const SqliteError& error);

/// Makes every table, with no row.
void create_store_tables(SqliteDatabase& database);

enum class StoreState {
  empty,  ///< no table: nothing has begun
  store   ///< a store, of some version
};

/// Throws `StoreError` where the file is something else, `StoreDamaged` where its end is missing.
[[nodiscard]] StoreState state_of_store(SqliteDatabase& database);

/// Throws `StoreError` where the store is not of `version`.
void check_store(SqliteDatabase& database, const std::string& version);

[[nodiscard]] StoreHead read_store_head(SqliteDatabase& database);
/// A head, and the file it stands in.
struct FoundHead {
  std::filesystem::path file;
  StoreHead head;
};
/// Throws `StoreError`, with both files and what differs, where the two are of two sweeps; shards may differ.
void check_same_sweep(const FoundHead& one, const FoundHead& other);
/// Whether points of the two are the same under the same numbers; shards may differ.
[[nodiscard]] bool is_same_sweep(const StoreHead& one, const StoreHead& other);
/// Replaces the one there is.
void write_store_head(SqliteDatabase& database, const StoreHead& head);

/// Points that have a result, by outcome.
[[nodiscard]] std::map<PointOutcome, std::int64_t> count_outcomes(SqliteDatabase& database);

/// Inserts a result, unless there is one of this id, and the point's place, whatever was there.
class PointInsert final {
 public:
  explicit PointInsert(SqliteDatabase& database);
  void insert(const StoredPoint& point);
  void place(std::int64_t point, std::string_view id, const std::vector<Cell>& cells);

 private:
  SqliteStatement result_;
  SqliteStatement place_;
};

}  // namespace soya
