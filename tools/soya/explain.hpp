// soya explain: what a key of a scenario means and takes, from its declaration.
// Simplifies: nothing. Source: scenario/keys.hpp. Validated by tests/cli/explain_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command explain_command();

}  // namespace soya::cli
