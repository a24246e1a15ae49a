// How many bytes something holds: now, at most, and on average over time.
// Simplifies: nothing; the mean is exact to the byte. Source: ours.
// Validated by tests/unit/wan/byte_meter_test.cpp.
#pragma once

#include <algorithm>

#include "core/check.hpp"
#include "core/units.hpp"

namespace soya {

class ByteMeter {
 public:
  void add(Time now, Bytes bytes) {
    settle(now);
    held_ += bytes;
    peak_ = std::max(peak_, held_);
  }
  void remove(Time now, Bytes bytes) {
    settle(now);
    held_ -= bytes;
    SOYA_DCHECK(held_ >= Bytes{0}, "what leaves was held");
  }

  [[nodiscard]] Bytes held() const { return held_; }
  [[nodiscard]] Bytes peak() const { return peak_; }
  /// From time zero until `now`; the present value where no time has passed.
  [[nodiscard]] Bytes mean(Time now) const {
    const Int128 all = byte_time_ + static_cast<Int128>(held_.count()) * (now - since_).picoseconds();
    const std::int64_t span = (now - Time{0}).picoseconds();
    return span == 0 ? held_ : Bytes{static_cast<std::int64_t>(all / span)};
  }

 private:
  void settle(Time now) {
    byte_time_ += static_cast<Int128>(held_.count()) * (now - since_).picoseconds();
    since_ = now;
  }

  Bytes held_;
  Bytes peak_;
  Time since_;
  Int128 byte_time_{0};
};

}  // namespace soya
