// What goes wrong becomes a message on standard error and an exit status.
// Simplifies: nothing. Source: docs/results.md for the exit status. Validated by tests/cli.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace soya::cli {

/// The exit status of `work`, or of what it throws. `arguments` are those of the command, for the report of a defect.
[[nodiscard]] int reported(const std::vector<std::string>& arguments, const std::function<int()>& work);

}  // namespace soya::cli
