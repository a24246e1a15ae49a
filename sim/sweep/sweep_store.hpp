// The writer of DIR/sweep.sqlite: every point that is finished is in it at once and whole, whatever ends the process.
// Simplifies: one process writes a folder at a time; where the file system has no locks, the caller sees to that.
// The journal is SQLite's write-ahead log, where other hosts may write (NFS and its like) and where that cannot be had
// its rollback journal. Source: docs/sweeps.md; sqlite.org/wal.html, "Disadvantages": all hosts must be one.
// Validated by tests/unit/sweep/sweep_store_test.cpp and tests/unit/sweep/store_kill_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/store_tables.hpp"
#include "sweep/stored_point.hpp"

namespace soya {

/// Any thread may call any member at any time.
class SweepStore final {
 public:
  /// Makes the folder and the store, or opens what is there. A store whose head was another, of the same version,
  /// becomes one of `head`: its results stay and wait for their places (`adopt`). Throws `MachineError` where another
  /// process writes there or the machine refuses, `StoreError` where the file is no store of this version.
  SweepStore(const std::filesystem::path& folder, const StoreHead& head);
  /// What was adopted is kept; the file is one plain file now, without a log beside it.
  ~SweepStore();
  SweepStore(const SweepStore&) = delete;
  SweepStore& operator=(const SweepStore&) = delete;

  /// All below throw `MachineError` where the machine refuses, and `StoreDamaged`.

  /// Is there a result of this id, of this sweep or of an earlier form of it?
  [[nodiscard]] bool has(std::string_view id);
  /// A result that is there is that of `point`. Many of these are one transaction, which the next `begin`, `finish`,
  /// `forget` or `commit` ends; killed before that, the store is as it was found.
  void adopt(std::int64_t point, std::string_view id, const std::vector<Cell>& cells);
  void commit();

  /// A point is under way: for status, and for whoever asks what a killed process was at.
  void begin(std::int64_t point, std::string_view id);
  /// Keeps the point, in one transaction. Where a result of this id is there, that one stays.
  void finish(const StoredPoint& point);
  /// Removes the results of one outcome, so that they are simulated again, with their places; how many.
  std::int64_t forget(PointOutcome outcome);
  /// Tells who looks at the file from another host that this process lives. Call it more than once a minute.
  void keep_alive();

  /// Points that have a result, by outcome.
  [[nodiscard]] std::map<PointOutcome, std::int64_t> counts();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace soya
