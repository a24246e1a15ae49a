#include "topology/twin_switches.hpp"

#include <algorithm>
#include <compare>
#include <map>

namespace soya {
namespace {

/// A link as both ends see it.
struct TwinLink {
  SwitchId peer;
  bool is_up{false};
  Rate rate{};
  Rate rate_back{};
  constexpr auto operator<=>(const TwinLink&) const = default;
};

}  // namespace

TwinGroups twin_groups(const TopologyConfig& topology, const PortMap& ports, const PathFinder& finder,
                       const std::vector<SwitchId>& edges) {
  using Likeness = std::pair<int, std::vector<TwinLink>>;  // the tier that is given, and the links
  std::map<Likeness, std::uint32_t> known;
  TwinGroups groups;
  groups.places.resize(finder.size());
  for (const SwitchId edge : edges) {
    const NodeId node = ports.node_of(edge);
    const auto& tier = topology.nodes[node.index()].tier;
    Likeness likeness{tier ? *tier : -1, {}};
    likeness.second.reserve(finder.neighbours(edge).size());
    for (const SwitchNeighbour& one : finder.neighbours(edge)) {
      const LinkConfig& link = topology.links[ports.at({node, one.port}).link.index()];
      likeness.second.push_back({one.peer, one.is_up, one.rate, link.rate_from(ports.node_of(one.peer))});
    }
    std::ranges::sort(likeness.second);
    const auto [entry, is_new] =
        known.try_emplace(std::move(likeness), static_cast<std::uint32_t>(groups.members.size()));
    if (is_new) groups.members.emplace_back();
    std::vector<SwitchId>& members = groups.members[entry->second];
    groups.places[edge.index()] = {entry->second, static_cast<std::uint32_t>(members.size())};
    members.push_back(edge);
  }
  return groups;
}

}  // namespace soya
