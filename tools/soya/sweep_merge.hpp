// `soya sweep merge`: folds the stores of shards into one store and one table, and says what is missing.
// Simplifies: nothing. Source: docs/sweeps.md. Validated by tests/unit/tools/sweep_merge_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command sweep_merge_command();

}  // namespace soya::cli
