// The search of a sweep: which key, between which ends, and what has to hold.
// Simplifies: the condition is text here; whether its names are quantities of a run, the sweep checks.
// Source: docs/sweeps.md. Validated by tests/unit/scenario/read_sweep_test.cpp.
#pragma once

#include <optional>

#include "scenario/tree.hpp"
#include "sweep/sweep_config.hpp"

namespace soya::reading {

/// Reads {smallest | largest, from, to, resolution, such_that}. Nothing, with problems, where that is wrong.
[[nodiscard]] std::optional<SearchConfig> read_search(const Node& node, Problems& problems);

}  // namespace soya::reading
