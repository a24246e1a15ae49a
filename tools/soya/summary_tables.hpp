// The tables of the terminal summary, each a title line and a few rows.
// Simplifies: ties keep the order of the results. Source: docs/results.md.
// Validated by tests/unit/tools/summary_text_test.cpp.
#pragma once

#include <string>

#include "results/results.hpp"

namespace soya::cli {

[[nodiscard]] std::string slowdown_text(double value);  ///< "-" where there is none

/// "backward 900.000 ms > data / bandwidth 480.000 ms": the talk's condition, in figures.
[[nodiscard]] std::string condition_text(double backward_ms, double condition_ms);

/// Each is empty where the run has nothing of the kind.
[[nodiscard]] std::string step_table(const RunResults& run);
[[nodiscard]] std::string collective_table(const RunResults& run);
[[nodiscard]] std::string transfer_table(const RunResults& run);
[[nodiscard]] std::string buffer_table(const RunResults& run);
[[nodiscard]] std::string accelerator_table(const RunResults& run);
/// Of tiers whose switches have a choice: how evenly hashing loads them, and which links idle.
[[nodiscard]] std::string tier_table(const RunResults& run);
[[nodiscard]] std::string paused_table(const RunResults& run);
/// Of pauses over links of 10 km or more.
[[nodiscard]] std::string long_pause_table(const RunResults& run);

}  // namespace soya::cli
