// Progress of a sweep on standard error: a line that renews itself on a terminal, else one every 10 s.
// Simplifies: time left assumes that packet-hops cost in future what they cost until now, and before all points are
// known that the points do. Source: docs/sweeps.md. Validated by tests/unit/tools/sweep_progress_test.cpp.
#pragma once

#include <chrono>
#include <string>

#include "sweep/sweep_run.hpp"

namespace soya::cli {

/// "soya: 123 of 5 000 points done, 12.3 points/s, about 6 min left".
[[nodiscard]] std::string sweep_progress_text(const SweepProgress& progress, double elapsed_s);

class SweepProgressLine final {
 public:
  SweepProgressLine(bool quiet, bool terminal) : quiet_{quiet}, terminal_{terminal} {}
  /// Prints where it is time to.
  void show(const SweepProgress& progress);
  /// Removes what stands on a terminal.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool quiet_;
  bool terminal_;
  Clock::time_point started_{Clock::now()};
  Clock::time_point printed_{started_};
  bool visible_{false};
};

}  // namespace soya::cli
