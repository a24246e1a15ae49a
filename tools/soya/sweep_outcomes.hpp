// How points of a sweep have ended, for people and for programs.
// Simplifies: outcomes that no point has are left out. Source: docs/sweeps.md.
// Validated by tests/unit/tools/sweep_merge_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sweep/stored_point.hpp"

namespace soya::cli {

/// A line for each outcome: "  sound       7".
[[nodiscard]] std::string outcomes_text(const std::map<PointOutcome, std::int64_t>& outcomes);
/// By name, for JSON.
[[nodiscard]] std::map<std::string, std::int64_t> outcomes_by_name(
    const std::map<PointOutcome, std::int64_t>& outcomes);

}  // namespace soya::cli
