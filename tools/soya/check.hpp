// soya check: read, validate, resolve; print the effective scenario; no simulation.
// Simplifies: nothing. Source: docs/results.md. Validated by tests/cli/check_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command check_command();

}  // namespace soya::cli
