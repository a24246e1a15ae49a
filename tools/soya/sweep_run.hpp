// soya sweep run: every point of a sweep, here, as a shard of it, or as an array of Slurm jobs.
// Simplifies: nothing. Source: docs/sweeps.md. Validated by tests/cli/sweep_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command sweep_run_command();

}  // namespace soya::cli
