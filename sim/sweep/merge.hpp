// Many stores of one sweep folded into one: DIR/sweep.sqlite and DIR/points.csv.
// Simplifies: stores are read one after another and in no snapshot, so points that are finished meanwhile may be
// missing still; results of earlier forms of the sweep stay where they are. Source: docs/sweeps.md. Validated by
// tests/unit/sweep/merge_test.cpp, tests/unit/sweep/merge_kill_test.cpp and tests/unit/tools/sweep_merge_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sweep/index_ranges.hpp"
#include "sweep/stored_point.hpp"

namespace soya {

/// The files sweep.sqlite of `folders`: each folder's own, those of its shards, and the one that `out` already has;
/// each once. Throws `StoreError` where a folder has none.
[[nodiscard]] std::vector<std::filesystem::path> stores_in(const std::vector<std::filesystem::path>& folders,
                                                           const std::filesystem::path& out);

/// A point with two results that are not the same.
struct MergeConflict {
  std::int64_t point{0};
  std::string what;  ///< differs: "outcome", "summary", …
  std::filesystem::path first;
  std::filesystem::path second;
};

inline constexpr std::size_t most_conflicts_told = 20;
inline constexpr std::size_t most_missing_ranges = 1000;

struct MergeReport {
  StoreHead head;                                 ///< of the merged store: shard 0/1
  std::size_t stores{0};                          ///< that were read whole
  std::map<PointOutcome, std::int64_t> outcomes;  ///< of the points that are there
  std::int64_t duplicates{0};                     ///< equal results of a point, folded
  std::vector<std::string> damaged;               ///< what is wrong with stores of which nothing was taken
  std::vector<MergeConflict> conflicts;           ///< the first of them
  std::int64_t conflict_count{0};
  IndexRanges missing{most_missing_ranges};  ///< points

  [[nodiscard]] std::int64_t done() const;
  /// False: there are conflicts, and `out` is as it was.
  [[nodiscard]] bool written() const { return conflict_count == 0; }
  [[nodiscard]] bool complete() const { return written() && damaged.empty() && missing.count() == 0; }
};

/// Folds `files` into `out`, which is made where it is not there. Killed at any moment, `out` has the store and the
/// table that it had, or those that it shall have. Throws `StoreError` where the heads are of two sweeps or versions,
/// where no store can be read, or where the store that `out` has cannot be; `MachineError` where the machine refuses or
/// another process writes in `out`.
[[nodiscard]] MergeReport merge_stores(const std::vector<std::filesystem::path>& files,
                                       const std::filesystem::path& out);

}  // namespace soya
