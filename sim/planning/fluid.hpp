// When flows end that share links max-min fairly, as fluids: rates are computed anew whenever one starts or ends.
// Simplifies: no packets, no pauses, no latency; a collective runs at the rate of its slowest connection.
// Source: fluid flow models of data centre networks (as in SimGrid's flow model, Velho et al., ACM TOMACS 2013).
// Validated by tests/unit/planning/fluid_test.cpp and tests/analytic/plan_estimate_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/units.hpp"
#include "planning/link_load.hpp"

namespace soya {

/// A stretch of bytes that flows over its column's links.
struct FluidStage {
  std::uint32_t column{0};
  double bytes{0};  ///< of the flow whose rate it is
  double ready{0};  ///< seconds after the cycle's begin: not before
};

/// Stages one after another, and all of them again: a flow is one stage, training a stage for each bucket of each step.
struct FluidActivity {
  double start{0};  ///< seconds
  std::vector<FluidStage> stages{};
  std::int64_t cycles{1};
  double least{0};  ///< seconds that a cycle's stages and what it computes beside them take at least
  double after{0};  ///< seconds between that and the next cycle
};

/// Seconds at which each activity ends. `rates` by LinkDirection. Ends that lie within `together` of the time that has
/// passed count as one where rates are computed: 0 for exact ones.
[[nodiscard]] std::vector<double> fluid_ends(const LinkColumns& columns, std::span<const Rate> rates,
                                             std::span<const FluidActivity> activities, double together);

}  // namespace soya
