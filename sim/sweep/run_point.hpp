// One point of a sweep from its values to its result: read, planned, simulated, or searched.
// Simplifies: a probe of a search is a run of its own. Source: docs/sweeps.md.
// Validated by tests/unit/sweep/run_point_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenario/condition.hpp"
#include "scenario/read.hpp"
#include "sweep/points.hpp"
#include "sweep/stop.hpp"
#include "sweep/stored_point.hpp"
#include "sweep/sweep_config.hpp"

namespace soya {

/// What is known of a point before it runs.
struct PreparedPoint {
  std::string id;
  std::int64_t packet_hops{0};   ///< of one run, estimated; 0 where it is refused
  std::int64_t memory_bytes{0};  ///< a run needs at most
};

/// Throws `ScenarioError` where the condition of the sweep's search, or a path that it keeps, is no quantity of a run.
void check_quantities(const SweepConfig& sweep);

/// A thread has a runner of its own.
class PointRunner final {
 public:
  /// `sweep` and `space` outlive it. Throws `ScenarioError` where the scenario's files cannot be read.
  PointRunner(const SweepConfig& sweep, const PointSpace& space, const ReadOptions& read);

  [[nodiscard]] PreparedPoint prepare(const Point& point);
  /// `id` is what `prepare` gave. Nothing where it was told to stop. What the scenario cannot be is a result, too.
  [[nodiscard]] std::optional<StoredPoint> run(const Point& point, const std::string& id, const StopQuestion& stopped);

  /// Of a search, whether the two ends of a point differ: nothing where they do, else what to change.
  [[nodiscard]] std::optional<std::string> ends_fault(const Point& point, const StopQuestion& stopped);

  /// Hash of the scenario as its files have it.
  [[nodiscard]] std::string base_id();

 private:
  /// A run of one scenario, or why there is none.
  struct Trial {
    bool stopped{false};
    std::optional<std::string> refused{};
    bool sound{false};
    std::string why_not{};
    std::string summary{};
    std::string effective{};
    std::optional<bool> holds{};  ///< the condition; absent where it has no value
  };
  class Search;

  [[nodiscard]] Laid laid_at(const Point& point, std::int64_t value) const;
  [[nodiscard]] Trial trial(const Laid& laid, const StopQuestion& stopped);
  [[nodiscard]] std::string task() const;
  /// Where relative paths of the sweep start.
  [[nodiscard]] std::filesystem::path folder() const;

  const SweepConfig& sweep_;
  const PointSpace& space_;
  ScenarioReader reader_;
  std::optional<Condition> such_that_;
  bool loss_decides_{false};  ///< a lost frame alone makes `such_that_` fail
};

}  // namespace soya
