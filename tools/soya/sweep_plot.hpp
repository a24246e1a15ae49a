// soya sweep plot: a picture of a sweep, for the terminal and as SVG.
// Simplifies: nothing. Source: docs/sweeps.md. Validated by tests/unit/tools/sweep_picture_test.cpp.
#pragma once

#include "command_line.hpp"

namespace soya::cli {

[[nodiscard]] Command sweep_plot_command();

}  // namespace soya::cli
