// How points of a sweep have ended, for people and for programs.
// Simplifies: outcomes that no point has are left out. Source: docs/sweeps.md.
// Validated by tests/cli/sweep_merge_test.cpp and tests/cli/sweep_status_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sweep/stored_point.hpp"

namespace soya::cli {

/// A line for each outcome: "  sound       7".
[[nodiscard]] std::string outcomes_text(const std::map<PointOutcome, std::int64_t>& outcomes);
/// {"sound": 7, …}
[[nodiscard]] nlohmann::ordered_json outcomes_json(const std::map<PointOutcome, std::int64_t>& outcomes);

}  // namespace soya::cli
