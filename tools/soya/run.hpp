// soya run: simulate the base and its variants, write the results, print the summary.
// Simplifies: one thread per run at most. Source: docs/results.md. Validated by tests/cli/run_test.cpp.
#pragma once

#include "options.hpp"

namespace soya::cli {

/// Returns the exit status. Throws what main.cpp turns into one.
[[nodiscard]] int run(const RunOptions& options);

}  // namespace soya::cli
