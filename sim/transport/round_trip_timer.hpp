// Round-trip times of a queue pair and the time-out that follows from them.
// Simplifies: one packet is timed at a time, none that was sent again (Karn). ConnectX's own adaptive algorithm is not
// published; this one is TCP's.
// Source: RFC 6298; docs/model.md section 6. Validated by tests/unit/transport/round_trip_timer_test.cpp.
#pragma once

#include <algorithm>

#include "core/units.hpp"
#include "transport/psn.hpp"

namespace soya {

class RoundTripTimer {
 public:
  /// A packet that asks for an acknowledge and ends at `end` starts at `now`, for the first time.
  void started(Sequence end, Time now) {
    if (timed_ != none) return;
    timed_ = end;
    start_ = now;
  }
  /// Everything before `end` is acknowledged at `now`.
  void acknowledged(Sequence end, Time now) {
    if (timed_ == none || end < timed_) return;
    timed_ = none;
    measured(now - start_);
  }
  /// Packets are sent again: the packet that is timed may be one of them.
  void disturbed() { timed_ = none; }

  void measured(Duration sample) {
    last_ = sample;
    if (smoothed_ == Duration{0}) {
      smoothed_ = sample;
      variation_ = sample / 2;
      return;
    }
    const Duration off = sample > smoothed_ ? sample - smoothed_ : smoothed_ - sample;
    variation_ = (3 * variation_ + off) / 4;
    smoothed_ = (7 * smoothed_ + sample) / 8;
  }

  /// Smoothed round trip and four variations, doubled at each of `retries`, at most `most`; `most` before the first
  /// sample. A steady round trip has no variation: `interval`, the time between two acknowledges, is the least room.
  [[nodiscard]] Duration timeout(int retries, Duration interval, Duration most) const {
    if (smoothed_ == Duration{0}) return most;
    Duration time = std::max(smoothed_ + 4 * variation_, last_ + interval);
    for (int i = 0; i < retries && time < most; ++i) time = 2 * time;
    return std::min(time, most);
  }
  [[nodiscard]] Duration smoothed() const { return smoothed_; }

 private:
  static constexpr Sequence none = INT64_MIN;

  Sequence timed_{none};
  Time start_;
  Duration last_{0};
  Duration smoothed_{0};
  Duration variation_{0};
};

}  // namespace soya
