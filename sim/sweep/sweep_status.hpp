// How far a sweep is: which points are done, running or missing, and of its shards which are.
// A writer lives when a process of this host holds its folder. Where other hosts may write (NFS and its like), locks do
// not tell; there it lives when it changed its files within the last minute.
// Simplifies: a byte for each point; what happens while it is read may be seen or not. Source: docs/sweeps.md.
// Validated by tests/unit/sweep/sweep_status_test.cpp and tests/unit/tools/sweep_status_test.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweep/stored_point.hpp"

namespace soya {

enum class ShardState {
  done,         ///< every point of it, wherever it was run
  running,      ///< a process writes its folder
  interrupted,  ///< it had begun, and no process is at it
  not_begun,
  damaged  ///< its store is; what was in it is missing
};
/// "done", "running", "interrupted", "not begun", "damaged".
[[nodiscard]] std::string_view state_name(ShardState state);

struct ShardStatus {
  std::int64_t index{0};
  ShardState state{ShardState::not_begun};
  std::int64_t points{0};
  std::int64_t done{0};
};

struct SweepStatus {
  std::optional<StoreHead> head;  ///< absent: nothing has begun
  std::int64_t points{0};         ///< of the sweep, or of the one shard that the folder is
  std::map<PointOutcome, std::int64_t> outcomes;
  std::int64_t done{0};
  std::vector<std::int64_t> running;      ///< points
  std::vector<std::int64_t> interrupted;  ///< points that a process was at when it ended; they are missing
  std::vector<std::int64_t> missing;      ///< points, neither done nor running
  std::vector<ShardStatus> shards;        ///< all of them, also those without a folder; empty where there are none
  std::vector<std::string> damaged;       ///< what is wrong with which store

  [[nodiscard]] bool complete() const { return head && done == points; }
  /// Shards in a state.
  [[nodiscard]] std::vector<std::int64_t> shards_in(ShardState state) const;
  /// What is left to be started: shards that are neither done nor running, or points where there are no shards.
  [[nodiscard]] std::vector<std::int64_t> to_start() const;
};

/// Of the store in `folder`, and of those of its shards. Their number is that of the folders, or of a line
/// "#SOYA shards=N" in `folder`/sweep.sbatch, or `shards`. Throws `StoreError` where `folder` holds nothing of a sweep,
/// or of two, or shards of another number than `shards`.
[[nodiscard]] SweepStatus sweep_status(const std::filesystem::path& folder, std::optional<std::int64_t> shards = {});

/// Whether `now` a process writes the store of `folder`, as far as can be told.
[[nodiscard]] bool has_writer(const std::filesystem::path& folder, bool shared_by_hosts,
                              std::filesystem::file_time_type now);

}  // namespace soya
