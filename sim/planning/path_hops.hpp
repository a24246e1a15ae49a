// A route through the fabric as the transmitters and links that a packet meets: what closed forms work on.
// Simplifies: nothing; the route is the one the switches choose for the flow.
// Source: ours. Validated by tests/unit/planning/path_hops_test.cpp.
// `Routing::path` gives the route; each direction of a flow has one of its own.
#pragma once

#include <span>
#include <vector>

#include "core/units.hpp"
#include "planning/ideal_time.hpp"
#include "topology/routing.hpp"

namespace soya {

/// `switch_latencies` by SwitchId (SwitchConfig::latency). Empty for an empty route.
[[nodiscard]] std::vector<PathHop> path_hops(const TopologyConfig& topology, const PortMap& ports,
                                             std::span<const PortRef> route,
                                             std::span<const Duration> switch_latencies);

/// Losses of a path, for frames of `wire` bytes with preamble and gap.
struct PathLoss {
  double loss{0};   ///< chance that a frame is lost on one of the links
  double burst{1};  ///< frames lost one after another, on average, on the link that loses most
};
[[nodiscard]] PathLoss path_loss(const TopologyConfig& topology, const PortMap& ports, std::span<const PortRef> route,
                                 Bytes wire);

}  // namespace soya
