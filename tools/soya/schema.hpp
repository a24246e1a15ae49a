// soya schema: the scenario format as a JSON Schema, for editors.
// Simplifies: see scenario/schema.hpp. Source: scenario/keys.hpp. Validated by tests/architecture/schema_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command schema_command();

}  // namespace soya::cli
