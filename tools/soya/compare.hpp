// `soya compare`: what differs in the input of two or more scenarios or results, and what changed in the outcome.
// Simplifies: nothing. Source: docs/results.md, "Comparing". Validated by tests/cli/compare_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command compare_command();

}  // namespace soya::cli
