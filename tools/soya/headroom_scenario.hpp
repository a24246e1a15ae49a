// soya headroom SCENARIO: run it, search the smallest lossless headroom of its ports and pools, print both.
// Simplifies: one scenario; a variant is asked for by name. Source: docs/headroom.md.
// Validated by tests/cli/headroom_scenario_test.cpp.
#pragma once

#include "headroom.hpp"

namespace soya::cli {

/// Returns the exit status. Throws what main.cpp turns into one.
[[nodiscard]] int headroom_of_scenario(const HeadroomOptions& options);

}  // namespace soya::cli
