// All points of a sweep, or of a shard of it, run on the cores of one machine into one store. What is there already is
// not run again.
// Simplifies: nothing. Source: docs/sweeps.md. Validated by tests/unit/sweep/sweep_run_test.cpp and
// tests/cli/sweep_test.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scenario/read.hpp"
#include "sweep/isolation.hpp"
#include "sweep/memory_gate.hpp"
#include "sweep/point_queue.hpp"
#include "sweep/points.hpp"
#include "sweep/run_point.hpp"
#include "sweep/stop.hpp"
#include "sweep/sweep_store.hpp"

namespace soya {

/// Where a sweep stands; of this process but for `done`.
struct SweepProgress {
  std::int64_t done{0};          ///< points that have a result, whoever ran them
  std::int64_t points{0};        ///< of the shard
  std::int64_t ended{0};         ///< run by this process
  std::int64_t hops_ended{0};    ///< packet-hops of these, as estimated
  std::int64_t hops_waiting{0};  ///< of the points that wait
  bool all_known{false};         ///< every point was looked at
};

struct SweepRunOptions {
  ReadOptions read{};
  std::filesystem::path folder{};
  Shard shard{};
  int threads{1};
  std::optional<std::int64_t> memory_limit{};  ///< bytes for all points that run at a time
  bool retry_crashed{false};
  /// After every point and now and then between; one call at a time.
  std::function<void(const SweepProgress&)> progress{};
};

/// What one call of `run_all` did.
struct SweepOutcome {
  std::int64_t ran{0};
  std::int64_t too_large{0};     ///< points that need more memory than there is, and have no result
  std::int64_t largest_need{0};  ///< bytes that the largest of these needs at most
};

class SweepRun final {
 public:
  /// `sweep` and `space` outlive it.
  SweepRun(const SweepConfig& sweep, const PointSpace& space, SweepRunOptions options, RunningBoard& board);

  /// Every point without a result, on all threads, until the board tells to stop. Throws what the machine refuses.
  [[nodiscard]] SweepOutcome run_all();
  /// One point alone.
  void run_one(std::int64_t point);
  [[nodiscard]] bool has_result(std::int64_t point);
  void record_crash(std::int64_t point, const std::string& what);

  [[nodiscard]] const StoreHead& head() const { return head_; }

 private:
  class Crew;
  /// False where it was stopped. What goes wrong inside Soya ends the process: it is tried again alone.
  bool run_guarded(PointRunner& runner, SweepStore& store, const Point& point, const std::string& id,
                   const StopQuestion& stopped);
  [[nodiscard]] Point point_of(std::int64_t number) const;

  const SweepConfig& sweep_;
  const PointSpace& space_;
  SweepRunOptions options_;
  RunningBoard& board_;
  StoreHead head_;
};

}  // namespace soya
