#include "topology/route_shares.hpp"

#include <algorithm>
#include <span>

namespace soya {
namespace {

/// The switches that a flow may pass, each after all those before it on the flow's ways.
class FlowWays {
 public:
  FlowWays(const Routing& routing, HostPair ends, std::uint64_t flow_hash)
      : routing_{routing}, ends_{ends}, hash_{flow_hash}, seen_(routing.ports().forwarder_count()) {}

  /// `entry` is a switch with a path to the destination.
  std::vector<SwitchId> in_order(SwitchId entry) {
    visit(entry);
    std::ranges::reverse(order_);
    return std::move(order_);
  }

  /// The ports by which the flow's frames leave a switch.
  [[nodiscard]] std::vector<PortId> exits(SwitchId at) const {
    const RoutingTable& table = routing_.table(at);
    const std::span<const PortId> candidates = table.candidates(ends_.to);
    if (candidates.empty()) return {};
    if (!routing_.spreads(at)) return {table.next_port(ends_.to, hash_)};
    return {candidates.begin(), candidates.end()};
  }

 private:
  // As deep as the longest way is long: routes have no loop.
  void visit(SwitchId at) {
    if (seen_[at.index()]) return;
    seen_[at.index()] = true;
    const PortMap& ports = routing_.ports();
    for (const PortId port : exits(at)) {
      const NodeId peer = ports.at({ports.node_of(at), port}).peer;
      if (!ports.is_host(peer)) visit(ports.switch_at(peer));
    }
    order_.push_back(at);
  }

  const Routing& routing_;
  HostPair ends_;
  std::uint64_t hash_;
  std::vector<bool> seen_;
  std::vector<SwitchId> order_;
};

}  // namespace

std::vector<PortShare> route_shares(const Routing& routing, HostPair ends, std::uint64_t flow_hash) {
  std::vector<PortShare> shares;
  const std::vector<PortRef> path = routing.path(ends, flow_hash);
  if (!routing.spreads_anywhere() || path.empty()) {
    for (const PortRef& hop : path) shares.push_back({hop, 1.0});
    return shares;
  }
  const PortMap& ports = routing.ports();
  shares.push_back({path.front(), 1.0});
  const NodeId first = ports.at(path.front()).peer;
  if (ports.is_host(first)) return shares;
  FlowWays ways{routing, ends, flow_hash};
  std::vector<double> through(ports.forwarder_count(), 0);
  through[ports.switch_at(first).index()] = 1;
  for (const SwitchId at : ways.in_order(ports.switch_at(first))) {
    const std::vector<PortId> exits = ways.exits(at);
    for (const PortId port : exits) {
      const PortRef exit{ports.node_of(at), port};
      const double share = through[at.index()] / static_cast<double>(exits.size());
      shares.push_back({exit, share});
      const NodeId peer = ports.at(exit).peer;
      if (!ports.is_host(peer)) through[ports.switch_at(peer).index()] += share;
    }
  }
  return shares;
}

}  // namespace soya
