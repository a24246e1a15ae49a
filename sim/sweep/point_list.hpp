// The points of a shard as CSV, without running one: the number and the value of every column.
// Simplifies: whether a combination makes a scenario is not asked. Source: docs/sweeps.md; RFC 4180.
// Validated by tests/unit/sweep/point_list_test.cpp and tests/cli/sweep_test.cpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/points.hpp"

namespace soya {

/// The header, then a record for each point, handed on in pieces of some kilobytes: nothing else is held in memory.
void list_points(const SweepConfig& sweep, const PointSpace& space, Shard shard,
                 const std::function<void(std::string_view)>& write);

/// "fabric.headroom.mode pool, seed 1": a point in words, for messages.
[[nodiscard]] std::string cells_text(const std::vector<Column>& columns, const std::vector<Cell>& cells);

}  // namespace soya
