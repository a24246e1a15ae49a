// The times a responder without a receive can ask its requester to wait, and their codes in the AETH.
// Simplifies: nothing. Source: InfiniBand Architecture Specification vol. 1, table 45 (RNR NAK timer encoding).
// Validated by tests/unit/transport/rnr_timer_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/units.hpp"

namespace soya {

/// By code, in units of 10 us.
inline constexpr std::array<std::int64_t, 32> rnr_times{
    65'536, 1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,     64,     96,     128,    192,
    256,    384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12'288, 16'384, 24'576, 32'768, 49'152};

[[nodiscard]] constexpr Duration rnr_time(std::uint32_t code) {
  return Duration{rnr_times[code & 31] * 10'000'000};
}

/// The code of a time of the table; nothing for another time.
[[nodiscard]] constexpr std::optional<std::uint32_t> rnr_code(Duration time) {
  for (std::uint32_t code = 0; code < rnr_times.size(); ++code) {
    if (rnr_time(code) == time) return code;
  }
  return std::nullopt;
}

/// The times of the table next to `time`: the largest below or equal, and the smallest above or equal, where there are.
struct RnrNeighbours {
  std::optional<Duration> below;
  std::optional<Duration> above;
};
[[nodiscard]] constexpr RnrNeighbours rnr_neighbours(Duration time) {
  RnrNeighbours found;
  for (std::uint32_t code = 0; code < rnr_times.size(); ++code) {
    const Duration one = rnr_time(code);
    if (one <= time && (!found.below || one > *found.below)) found.below = one;
    if (one >= time && (!found.above || one < *found.above)) found.above = one;
  }
  return found;
}

}  // namespace soya
