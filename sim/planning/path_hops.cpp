#include "planning/path_hops.hpp"

namespace soya {

std::vector<PathHop> path_hops(const TopologyConfig& topology, const PortMap& ports, std::span<const PortRef> route,
                               std::span<const Duration> switch_latencies) {
  std::vector<PathHop> hops;
  hops.reserve(route.size());
  for (const PortRef& egress : route) {
    const LinkConfig& link = topology.links[ports.at(egress).link.index()];
    const bool from_host = ports.is_host(egress.node);
    hops.push_back(
        {.rate = link.rate_from(egress.node),
         .one_way = link.one_way_from(egress.node),
         .latency_before = from_host ? Duration{0} : switch_latencies[ports.switch_at(egress.node).index()]});
  }
  return hops;
}

}  // namespace soya
