// Points drawn from ranges instead of a grid: at random, or as a Latin hypercube, where each range is cut into as many
// parts as there are points and each part is met once.
// Simplifies: draws of one key are independent of those of the others. Source: McKay, Beckman and Conover,
// Technometrics 21 (1979). Validated by tests/unit/scenario/read_sweep_test.cpp.
#pragma once

#include "scenario/tree.hpp"
#include "sweep/sweep_config.hpp"

namespace soya::reading {

/// Reads {points, method, seed, ranges}: one factor with a column for each key. Reports what is wrong; then it is
/// empty.
[[nodiscard]] Factor read_sample(const Node& node, Problems& problems);

}  // namespace soya::reading
