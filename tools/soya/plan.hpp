// soya plan: loads of links, bounds and estimates of a scenario, without simulating.
// Simplifies: nothing. Source: docs/model.md section 10. Validated by tests/cli/plan_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command plan_command();

}  // namespace soya::cli
