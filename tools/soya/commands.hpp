// The subcommands of soya.
// Simplifies: nothing. Source: docs/results.md. Validated by tests/cli/help_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"

namespace soya::cli {

/// In the order of the help.
[[nodiscard]] const std::vector<Command>& commands();

/// Help of the commands whose name begins with the word `first`, such as sweep.
[[nodiscard]] std::string family_help(const std::string& first);

/// Help of the command as a whole.
[[nodiscard]] std::string general_help();

}  // namespace soya::cli
