// Which tier a node stands in: hosts 0, the switches next to them 1, and so on upwards.
// Simplifies: a switch that no family placed is one tier above its nearest neighbour; where that is wrong, say its tier.
// Source: the folded Clos (Al-Fares et al., SIGCOMM 2008). Validated by tests/unit/topology/tiers_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/topology_config.hpp"

namespace soya {

/// By NodeId. A switch that reaches no host stands in tier 1. O(nodes + links).
[[nodiscard]] std::vector<std::uint8_t> tiers_of(const TopologyConfig& topology);

}  // namespace soya
