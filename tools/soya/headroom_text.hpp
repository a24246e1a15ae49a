// What `soya headroom SCENARIO` prints: tables for a person, JSON for a program.
// Simplifies: where there are many ports, those alike are one row, under the name of the first.
// Source: docs/headroom.md. Validated by tests/unit/tools/headroom_text_test.cpp and
// tests/cli/headroom_scenario_test.cpp.
#pragma once

#include <string>

#include "sweep/scenario_headroom.hpp"

namespace soya::cli {

enum class PortRows { alike_together, each };

/// Ports up to this many have a row each.
inline constexpr std::size_t rows_without_grouping = 16;

[[nodiscard]] std::string headroom_text(const ScenarioHeadroom& answer, PortRows rows, const std::string& variant = {});
[[nodiscard]] std::string headroom_json(const ScenarioHeadroom& answer);

/// What a stopped search has not found, a line; "" where it has found everything.
[[nodiscard]] std::string headroom_missing(const ScenarioHeadroom& answer);

}  // namespace soya::cli
