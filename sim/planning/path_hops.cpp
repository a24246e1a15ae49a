#include "planning/path_hops.hpp"

#include <cmath>

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

PathLoss path_loss(const TopologyConfig& topology, const PortMap& ports, std::span<const PortRef> route, Bytes wire) {
  PathLoss path;
  double arrives = 1;
  double most = 0;
  for (const PortRef& egress : route) {
    const std::optional<LossConfig>& loss = topology.links[ports.at(egress).link.index()].loss;
    if (!loss) continue;
    const double right = std::exp(8 * static_cast<double>(wire.count()) * std::log1p(-loss->bits.value));
    const double lost = 1 - (1 - loss->packets.value) * right;
    arrives *= 1 - lost;
    if (lost <= most) continue;
    most = lost;
    path.burst = static_cast<double>(loss->burst.numerator) / static_cast<double>(loss->burst.denominator);
  }
  path.loss = 1 - arrives;
  return path;
}

}  // namespace soya
