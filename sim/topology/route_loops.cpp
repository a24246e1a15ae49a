#include "topology/route_loops.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace soya {
namespace {

/// The shortest way along candidates for `host` that leads from `start` back to it; empty where none does.
std::vector<SwitchId> loop_through(const Routing& routing, HostId host, SwitchId start) {
  const PortMap& ports = routing.ports();
  std::vector<SwitchId> came_from(ports.forwarder_count(), SwitchId::none());
  std::vector<SwitchId> queue{start};
  for (std::size_t next = 0; next < queue.size() && came_from[start.index()].is_none(); ++next) {
    const NodeId node = ports.node_of(queue[next]);
    for (const PortId port : routing.table(queue[next]).candidates(host)) {
      const NodeId peer = ports.at({node, port}).peer;
      if (ports.is_host(peer)) continue;
      SwitchId& before = came_from[ports.switch_at(peer).index()];
      if (!before.is_none()) continue;
      before = queue[next];
      queue.push_back(ports.switch_at(peer));
    }
  }
  std::vector<SwitchId> loop;
  for (SwitchId at = came_from[start.index()]; !at.is_none(); at = came_from[at.index()]) {
    loop.push_back(at);
    if (at == start) break;
  }
  std::ranges::reverse(loop);
  return loop;
}

/// What is wrong with the route of some hosts, and with which.
struct Finding {
  const StaticRoute* route;
  std::string what;
  bool is_loop{true};
  std::set<NodeId> hosts{};
};

class RouteCheck {
 public:
  RouteCheck(const TopologyConfig& topology, const Routing& routing) : topology_{topology}, routing_{routing} {}

  enum class Of { all, loops };
  std::vector<Diagnostic> complaints(Of kind) {
    for (const StaticRoute& route : topology_.routes) {
      for (const NodeId host : route.to) look_at(route, host);
    }
    std::vector<Diagnostic> out;
    for (const Finding& finding : findings_) {
      if (kind == Of::all || finding.is_loop) out.push_back({finding.route->where, message(finding)});
    }
    return out;
  }

 private:
  /// Hosts of one class fare alike, so that one of them is followed for all.
  void look_at(const StaticRoute& route, NodeId host) {
    const PortMap& ports = routing_.ports();
    const std::uint32_t hosts = routing_.route_class(ports.host_at(host));
    const auto [entry, is_new] = of_class_.try_emplace({hosts, route.at, route.via}, nothing);
    if (is_new) entry->second = examine(route, ports.host_at(host));
    if (entry->second != nothing) findings_[entry->second].hosts.insert(host);
  }

  /// Index of what is found, which may be known from another class or another route of the same loop.
  std::size_t examine(const StaticRoute& route, HostId host) {
    const PortMap& ports = routing_.ports();
    if (ports.is_host(route.via)) return nothing;
    const bool is_dead_end = routing_.table(ports.switch_at(route.via)).candidates(host).empty();
    const std::vector<SwitchId> loop = loop_through(routing_, host, ports.switch_at(route.at));
    if (!is_dead_end && loop.empty()) return nothing;
    const std::string what = is_dead_end ? name(route.via) : text(loop);
    const auto [entry, is_new] = known_.try_emplace({is_dead_end, what}, findings_.size());
    if (is_new) findings_.push_back({&route, what, !is_dead_end});
    return entry->second;
  }

  /// "S1 > S2 > S1", from its first name on: the same whichever of its routes was looked at.
  [[nodiscard]] std::string text(std::vector<SwitchId> loop) const {
    const PortMap& ports = routing_.ports();
    const auto by_name = [&](SwitchId which) -> const std::string& { return name(ports.node_of(which)); };
    std::rotate(loop.begin(), std::ranges::min_element(loop, {}, by_name), loop.end());
    std::string out;
    for (const SwitchId at : loop) out += by_name(at) + " > ";
    return out + by_name(loop.front());
  }

  [[nodiscard]] std::string message(const Finding& finding) const {
    std::string frames = "frames for " + name(*finding.hosts.begin());
    const std::size_t others = finding.hosts.size() - 1;
    if (others > 0) frames += " and " + std::to_string(others) + (others == 1 ? " other host" : " other hosts");
    return frames + (finding.is_loop ? " go round " + finding.what : " find no way on from " + finding.what);
  }

  [[nodiscard]] const std::string& name(NodeId node) const { return topology_.nodes[node.index()].name; }

  static constexpr std::size_t nothing{SIZE_MAX};
  const TopologyConfig& topology_;
  const Routing& routing_;
  std::vector<Finding> findings_;
  std::map<std::pair<bool, std::string>, std::size_t> known_;
  std::map<std::tuple<std::uint32_t, NodeId, NodeId>, std::size_t> of_class_;  ///< by class, `at` and `via`
};

}  // namespace

std::vector<Diagnostic> route_problems(const TopologyConfig& topology, const Routing& routing) {
  return RouteCheck{topology, routing}.complaints(RouteCheck::Of::all);
}

std::vector<Diagnostic> route_loops(const TopologyConfig& topology, const Routing& routing) {
  return RouteCheck{topology, routing}.complaints(RouteCheck::Of::loops);
}

}  // namespace soya
