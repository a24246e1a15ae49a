// What a link loses at random, as a scenario says it.
// Simplifies: a frame is lost whole or arrives whole: a frame with a wrong bit fails its check sequence.
// Source: IEEE 802.3 clause 3.4 (invalid frames are discarded); Gilbert, "Capacity of a Burst-Noise Channel", 1960.
// Validated by tests/unit/net/frame_loss_test.cpp.
#pragma once

#include <optional>

#include "core/units.hpp"

namespace soya {

/// A chance from 0 to 1.
struct Probability {
  double value{0};
  constexpr bool operator==(const Probability&) const = default;
};

/// Of each direction of a link by itself.
struct LossConfig {
  Probability packets{};  ///< that a frame is lost, whatever its size
  Probability bits{};     ///< that a bit is wrong: a frame of n bytes on the wire is lost with 1 - (1 - p)^(8 n)
  Ratio burst{1, 1};      ///< of `packets`: frames lost one after another, on average; 1: each by itself
  bool control{true};     ///< PFC frames are lost, too: a wrong bit asks nobody
};

/// Bursts of that length need frames in between: the most that `packets` may be.
[[nodiscard]] constexpr double most_loss_in_bursts(Ratio burst) {
  return static_cast<double>(burst.numerator) / static_cast<double>(burst.numerator + burst.denominator);
}

}  // namespace soya
