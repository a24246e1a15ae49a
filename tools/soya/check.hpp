// soya check: read, validate, resolve; print the effective scenario; no simulation.
// Simplifies: nothing. Source: docs/results.md. Validated by tests/cli/check_test.cpp.
#pragma once

#include "options.hpp"

namespace soya::cli {

/// Returns the exit status. Throws what main.cpp turns into one.
[[nodiscard]] int check(const CheckOptions& options);

}  // namespace soya::cli
