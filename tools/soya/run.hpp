// soya run: simulate the base and its variants, write the results, print the summary.
// Simplifies: one thread per run at most. Source: docs/results.md. Validated by tests/cli/run_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command run_command();

}  // namespace soya::cli
