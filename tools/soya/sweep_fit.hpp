// soya sweep fit: a quantity of a sweep as a sum of terms, by least squares.
// Simplifies: nothing. Source: docs/sweeps.md. Validated by tests/unit/sweep/sweep_fit_test.cpp.
#pragma once

#include <string>

#include "command_line.hpp"
#include "sweep/sweep_fit.hpp"
#include "sweep/sweep_table.hpp"

namespace soya::cli {

[[nodiscard]] Command sweep_fit_command();

/// A fit of `table` for the terminal, and as JSON.
[[nodiscard]] std::string fit_text(const SweepTable& table, const SweepFit& fit);
[[nodiscard]] std::string fit_json(const SweepTable& table, const SweepFit& fit);

}  // namespace soya::cli
