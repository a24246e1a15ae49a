// A threshold of a switch's packet memory as a line over what is free of it, static or dynamic.
// Simplifies: nothing. Source: Choudhury and Hahne, "Dynamic Queue Length Thresholds", 1998.
// Validated by tests/unit/fabric/shared_buffer_reference_test.cpp.
#pragma once

#include <cstdint>

#include "core/units.hpp"
#include "fabric/fabric_config.hpp"

namespace soya {

/// A threshold in integers that do not wrap: linear(free) = scale × threshold, so that no comparison divides.
class ThresholdLine {
 public:
  explicit ThresholdLine(const Threshold& threshold);
  [[nodiscard]] std::int64_t linear(std::int64_t free) const { return slope_ * free + constant_; }
  /// `use` has reached the threshold at `free` bytes of free shared: use ≥ ⌊linear / scale⌋.
  [[nodiscard]] bool reached(std::int64_t use, std::int64_t free) const { return (use + 1) * scale_ > linear(free); }
  /// The smallest `linear` at which the threshold is at least `value`.
  [[nodiscard]] std::int64_t linear_for(std::int64_t value) const { return value * scale_; }
  [[nodiscard]] Bytes at(std::int64_t free) const { return Bytes{linear(free) / scale_}; }

 private:
  std::int64_t slope_{0};
  std::int64_t constant_{0};
  std::int64_t scale_{1};
};

}  // namespace soya
