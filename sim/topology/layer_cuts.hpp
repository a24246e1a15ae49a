// A fabric as islands and one tier of switches between them: the pods and the cores of a fat tree, the leaves and the
// spines of a leaf-spine. No link joins two islands or two switches between, so one side may run two links ahead of
// where the other was, and then the other.
// Simplifies: tiers are those of topology/tiers.hpp. Source: none needed; what the sides are for is in
// docs/architecture.md, "Partitions". Validated by tests/unit/topology/layer_cuts_test.cpp.
#pragma once

#include <cstddef>
#include <optional>

#include "topology/partition_cuts.hpp"

namespace soya {

/// Cuts along the highest tier that leaves no island of more than an eighth of all ports, or of more than four parts
/// where that is more. Parts have some `ports` ports or one island or switch, and there are at least `query.parts` of
/// islands and two in all. None where the fabric has no such tier, or where a link without length would be cut.
[[nodiscard]] std::optional<Cuts> layer_cuts_of(const TopologyConfig& topology, const CutQuery& query,
                                                std::size_t ports);

}  // namespace soya
