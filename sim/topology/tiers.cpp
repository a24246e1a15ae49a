#include "topology/tiers.hpp"

#include <algorithm>
#include <optional>

#include "topology/port_map.hpp"

namespace soya {

std::vector<std::uint8_t> tiers_of(const TopologyConfig& topology) {
  constexpr int highest = UINT8_MAX;  // a map may be a chain of hundreds
  const PortMap ports = build_ports(topology);
  std::vector<std::optional<std::uint8_t>> tiers(topology.nodes.size());
  std::vector<NodeId> next;
  for (std::size_t n = 0; n < tiers.size(); ++n) {
    const NodeConfig& node = topology.nodes[n];
    tiers[n] = node.kind == NodeKind::host ? std::uint8_t{0} : node.tier;
    if (node.kind == NodeKind::host) next.push_back(NodeId{n});
  }
  // Breadth first from the hosts; a tier that was given is the start of those beyond it.
  std::vector<bool> seen(tiers.size());
  for (const NodeId host : next) seen[host.index()] = true;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const auto above = static_cast<std::uint8_t>(std::min(highest, *tiers[next[i].index()] + 1));
    for (const PortLink& link : ports.ports_of(next[i])) {
      if (seen[link.peer.index()]) continue;
      seen[link.peer.index()] = true;
      if (!tiers[link.peer.index()]) tiers[link.peer.index()] = above;
      next.push_back(link.peer);
    }
  }
  std::vector<std::uint8_t> all;
  all.reserve(tiers.size());
  for (const auto& tier : tiers) all.push_back(tier.value_or(1));
  return all;
}

}  // namespace soya
