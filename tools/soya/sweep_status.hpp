// `soya sweep status`: what of a sweep is done, running and missing, and which shards are to be started.
// Simplifies: nothing. Source: docs/sweeps.md. Validated by tests/unit/tools/sweep_status_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command sweep_status_command();

}  // namespace soya::cli
