// soya import: a real table becomes a piece of a scenario.
// Simplifies: one kind so far, the buffers of a SONiC switch. Source: docs/scenario.md.
// Validated by tests/cli/import_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"
#include "planning/sonic_profile.hpp"

namespace soya::cli {

/// The switch as YAML that `extends` takes; `files` are named in its head.
[[nodiscard]] std::string switch_yaml(const SonicSwitch& imported, const std::vector<std::string>& files);

[[nodiscard]] Command import_command();

}  // namespace soya::cli
