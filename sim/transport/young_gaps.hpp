// Gaps in a stream that may close by themselves, where switches spread packets over several ways: until they are old.
// Simplifies: all gaps of a connection grow old in the same time.
// Source: NICs that place packets out of order under adaptive routing (NVIDIA Spectrum-X; Ultra Ethernet 1.0, packet
// delivery); the time-out is ours. Validated by tests/bench_top/reorder_test.cpp and tests/property/reliable_test.cpp.
#pragma once

#include <optional>

#include "core/ring.hpp"
#include "core/units.hpp"
#include "transport/arrival_window.hpp"

namespace soya {

class YoungGaps {
 public:
  /// A gap behind all others has opened.
  void add(Span gap, Time old_at) { gaps_.push() = {gap, old_at}; }
  /// Whether the first gap of `window`, if there is one, is young.
  [[nodiscard]] bool has_first_of(const ArrivalWindow& window) {
    while (!gaps_.empty() && gaps_.front().gap.end <= window.cumulative()) gaps_.pop();
    return !gaps_.empty() && gaps_.front().gap.first <= window.cumulative();
  }
  /// Takes out the next gap that is old at `now`, and skips those that have closed; empty where there is none.
  [[nodiscard]] Span take_old(const ArrivalWindow& window, Time now) {
    while (!gaps_.empty()) {
      const auto [gap, old_at] = gaps_.front();
      const bool is_open = window.next_missing(gap.first) < gap.end;
      if (is_open && old_at > now) return {};
      gaps_.pop();
      if (is_open) return gap;
    }
    return {};
  }
  /// When the next one is old.
  [[nodiscard]] std::optional<Time> next() const {
    return gaps_.empty() ? std::nullopt : std::optional{gaps_.front().old_at};
  }

 private:
  struct YoungGap {
    Span gap;
    Time old_at;
  };
  Ring<YoungGap> gaps_;  // in the order of the stream and of time
};

}  // namespace soya
