// Twins: switches with hosts whose links lead to the same neighbours, as leaves of one pod or rails of one block do.
// Ways to one are ways to the other: to swap them changes nothing else. So what leads to one leads to all, on every
// switch but their neighbours (whose own links to them count) and themselves.
// Simplifies: nothing. Links count by neighbour, direction of "up" and both rates; a tier that is given, too.
// Source: ours; an automorphism of the graph that swaps two vertices. Validated by
// tests/unit/topology/twin_switches_test.cpp and routing_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "topology/path_order.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// Where a switch stands among those that are twins of each other.
struct TwinPlace {
  std::uint32_t group{UINT32_MAX};
  std::uint32_t member{0};
};

struct TwinGroups {
  std::vector<TwinPlace> places;               ///< by SwitchId; of those with hosts
  std::vector<std::vector<SwitchId>> members;  ///< by group, in order of SwitchId
};

/// Groups of `edges`, which are switches with hosts in order of SwitchId; those without a twin are alone in theirs.
[[nodiscard]] TwinGroups twin_groups(const TopologyConfig& topology, const PortMap& ports, const PathFinder& finder,
                                     const std::vector<SwitchId>& edges);

}  // namespace soya
