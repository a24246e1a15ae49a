// Serialisation times of consecutive frames on one port.
// Simplifies: nothing. A rate that does not divide evenly (300G) carries its remainder from frame to frame, so that a
// million frames end within 1 ps of the exact sum. Source: docs/architecture.md, "Time".
// Validated by tests/unit/net/frame_test.cpp.
#pragma once

#include <cstdint>

#include "core/units.hpp"

namespace soya {

class WireClock {
 public:
  explicit WireClock(Rate rate)
      : rate_{rate.bits_per_second()},
        ps_per_byte_{picoseconds_per_byte_1 % rate.bits_per_second() == 0 ? picoseconds_per_byte_1 / rate.bits_per_second() : 0} {}

  [[nodiscard]] Rate rate() const { return Rate{rate_}; }
  /// Picoseconds that each byte takes; 0 where that is no whole number.
  [[nodiscard]] std::int64_t ps_per_byte() const { return ps_per_byte_; }

  /// Time on the wire of the next frame of `wire` bytes, gap included.
  [[nodiscard]] Duration serialise(Bytes wire) {
    if (ps_per_byte_ != 0) [[likely]] return Duration{wire.count() * ps_per_byte_};
    const Int128 total = static_cast<Int128>(wire.count()) * picoseconds_per_byte_1 + remainder_;
    remainder_ = static_cast<std::int64_t>(total % rate_);
    return Duration{static_cast<std::int64_t>(total / rate_)};
  }

 private:
  static constexpr std::int64_t picoseconds_per_byte_1 = 8'000'000'000'000;  // at 1 bit/s
  std::int64_t rate_;
  std::int64_t ps_per_byte_;   // 0: does not divide evenly
  std::int64_t remainder_{0};  // in units of 1/rate ps
};

}  // namespace soya
