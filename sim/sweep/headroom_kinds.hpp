// Which ports and which pools of a scenario are alike, with what a run of it has measured: the rows of
// sweep/scenario_headroom.hpp before anything is searched.
// Simplifies: of a port's lossless priorities the largest figure counts. Source: docs/headroom.md.
// Validated by tests/unit/sweep/scenario_headroom_test.cpp.
#pragma once

#include <vector>

#include "results/results.hpp"
#include "scenario/scenario.hpp"
#include "sweep/scenario_headroom.hpp"
#include "topology/port_map.hpp"

namespace soya {

/// In the order of the switches and their ports; of those alike the first.
[[nodiscard]] std::vector<PortKind> port_kinds(const Scenario& scenario, const PortMap& ports, const RunResults& run);

/// Switches with a shared pool, in their order; alike where settings and links are.
[[nodiscard]] std::vector<PoolKind> pool_kinds(const Scenario& scenario, const PortMap& ports, const RunResults& run);

/// How many lossless groups of a switch that has `pool`, whichever they are, find in it what `kinds` need in the worst
/// case; absent where that is not known of all.
[[nodiscard]] std::optional<std::size_t> groups_covered(const std::vector<PortKind>& kinds, const PortMap& ports,
                                                        const PoolKind& pool);

}  // namespace soya
