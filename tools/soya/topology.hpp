// soya topology: describe a topology, draw it, and write it for other programs.
// Simplifies: nothing. Source: docs/scenario.md. Validated by tests/cli/topology_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command topology_command();

}  // namespace soya::cli
