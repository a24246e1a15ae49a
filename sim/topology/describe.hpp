// A topology in figures: how many of what, how much fits through the middle, how far it is, how many ways there are.
// Simplifies: paths are shortest paths in links whatever routing does; a server's own switch is no part of the fabric;
// times are propagation and transport delay alone. Source: Boost.Graph for flows and bridges, in describe_*.cpp alone;
// each figure's definition stands with it. Validated by tests/unit/topology/describe_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/units.hpp"
#include "topology/port_map.hpp"
#include "topology/routing.hpp"
#include "topology/topology_config.hpp"

namespace soya {

struct TierCount {
  std::uint8_t tier{0};  ///< 0: hosts
  std::size_t nodes{0};
};

/// Links between the same two tiers with the same rates.
struct LinkGroup {
  std::uint8_t lower{0};
  std::uint8_t upper{0};
  Rate up{};  ///< from the lower tier; within a tier, the faster direction
  Rate down{};
  std::size_t count{0};
  Length shortest{};
  Length longest{};
  Duration nearest{};  ///< one way, the slower direction
  Duration farthest{};
};

/// Maximum flow from all hosts of one half to all of the other, each link direction at its rate. The halves are the
/// hosts in the order of the topology, cut in the middle; of an odd number the one in the middle is in neither.
struct Bisection {
  Rate there{};
  Rate back{};
  std::size_t hosts{0};  ///< of each half
};

struct NodePair {
  NodeId from{};
  NodeId to{};
};

/// The pair of hosts with most links between them on a shortest path.
struct Diameter {
  std::size_t links{0};
  NodePair ends{};
};

/// The largest one-way time between two hosts over any shortest path in links.
struct FarthestPair {
  Duration one_way{};
  NodePair ends{};
};

/// Shortest paths from a switch with hosts to another one, parallel links each by itself. Counts end at 2^63.
struct PathCounts {
  std::uint64_t least{0};
  std::uint64_t median{0};  ///< of an even number of pairs the lower one
  std::uint64_t most{0};
  std::size_t pairs{0};  ///< ordered, of different switches that have a path
};

/// What comes into the switches of a tier from below and fits out of them upwards.
struct Oversubscription {
  std::uint8_t tier{0};
  Rate down{};
  Rate up{};
  std::size_t switches{0};
  NodeId worst{};  ///< the switch with most from below for what fits upwards
  Rate worst_down{};
  Rate worst_up{};
};

struct TopologyDescription {
  std::size_t hosts{0};
  std::size_t switches{0};
  std::size_t accelerators{0};
  std::size_t links{0};
  std::size_t components{0};  ///< parts without a link between them
  std::vector<TierCount> tiers;
  std::vector<LinkGroup> groups;
  std::optional<Bisection> bisection;
  std::optional<Diameter> diameter;
  std::optional<FarthestPair> farthest;
  std::optional<PathCounts> paths;
  std::vector<Oversubscription> oversubscription;  ///< of tiers with links up
  std::vector<LinkId> bridges;                     ///< between switches, each the only way between two parts
};

/// The fabric of a topology without the inner switches of servers. Node and link ids are those of `topology`.
[[nodiscard]] TopologyDescription describe(const TopologyConfig& topology);

}  // namespace soya
