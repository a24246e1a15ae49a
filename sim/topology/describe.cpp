#include "topology/describe.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "topology/describe_parts.hpp"
#include "topology/graph.hpp"
#include "topology/tiers.hpp"

namespace soya {
namespace {

/// Which nodes belong to the fabric: all but the local ports of servers and the switches that join nothing else.
std::vector<bool> fabric_nodes(const TopologyConfig& topology, const PortMap& ports) {
  std::vector<bool> inside(topology.nodes.size(), true);
  for (const ServerConfig& server : topology.servers) {
    for (const NodeId port : server.local_ports) inside[port.index()] = false;
  }
  for (std::size_t n = 0; n < inside.size(); ++n) {
    const auto links = ports.ports_of(NodeId{n});
    if (topology.nodes[n].kind != NodeKind::switch_ || links.empty()) continue;
    inside[n] = !std::ranges::all_of(
        links, [&](const PortLink& link) { return ports.is_host(link.peer) && !inside[link.peer.index()]; });
  }
  return inside;
}

class Describer {
 public:
  explicit Describer(const TopologyConfig& topology)
      : topology_{topology}, ports_{build_ports(topology)}, inside_{fabric_nodes(topology, ports_)} {}

  TopologyDescription describe() {
    count_nodes();
    group_links();
    build_mesh();
    measure_paths();
    measure_tiers();
    if (hosts_.size() >= 2) out_.bisection = bisection_of(mesh_);
    add_direct_links();
    out_.bridges = bridges_of(mesh_);
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_inside(const LinkConfig& link) const {
    return inside_[link.a.index()] && inside_[link.b.index()];
  }

  void count_nodes() {
    tiers_ = tiers_of(topology_);
    std::map<std::uint8_t, std::size_t> counts;
    std::vector<bool> parts;
    const Components components = find_components(topology_);
    parts.resize(components.count + 1);
    for (std::size_t n = 0; n < topology_.nodes.size(); ++n) {
      if (!inside_[n]) continue;
      const NodeKind kind = topology_.nodes[n].kind;
      if (kind == NodeKind::host) hosts_.push_back(NodeId{n});
      if (kind == NodeKind::switch_) ++out_.switches;
      if (kind == NodeKind::wan_accelerator) ++out_.accelerators;
      ++counts[tiers_[n]];
      parts[components.of_node[n]] = true;
    }
    out_.hosts = hosts_.size();
    out_.components = static_cast<std::size_t>(std::ranges::count(parts, true));
    for (const auto& [tier, nodes] : counts) out_.tiers.push_back({tier, nodes});
  }

  void group_links() {
    std::map<std::tuple<std::uint8_t, std::uint8_t, Rate, Rate>, LinkGroup> groups;
    for (const LinkConfig& link : topology_.links) {
      if (!is_inside(link)) continue;
      ++out_.links;
      NodeId low = link.a;
      NodeId high = link.b;
      if (tiers_[low.index()] > tiers_[high.index()]) std::swap(low, high);
      const bool flat = tiers_[low.index()] == tiers_[high.index()];
      if (flat && link.rate_from(low) < link.rate_from(high)) std::swap(low, high);
      LinkGroup one{tiers_[low.index()], tiers_[high.index()], link.rate_from(low), link.rate_from(high), 0,
                    link.length,         link.length,          link.forward_way(),  link.forward_way()};
      one.longest = std::max(link.length, link.reverse_length.value_or(link.length));
      one.nearest = one.farthest = std::max(link.forward_way(), link.reverse_way());
      LinkGroup& group = groups.try_emplace({one.lower, one.upper, one.up, one.down}, one).first->second;
      ++group.count;
      group.shortest = std::min(group.shortest, one.shortest);
      group.longest = std::max(group.longest, one.longest);
      group.nearest = std::min(group.nearest, one.nearest);
      group.farthest = std::max(group.farthest, one.farthest);
    }
    for (const auto& [key, group] : groups) out_.groups.push_back(group);
  }

  void build_mesh() {
    mesh_.neighbours.resize(ports_.forwarder_count());
    mesh_.hosts.resize(ports_.forwarder_count());
    for (std::size_t s = 0; s < mesh_.neighbours.size(); ++s) {
      const NodeId node = ports_.node_of(SwitchId{s});
      std::map<std::uint32_t, MeshNeighbour> by_peer;
      for (const PortLink& port : ports_.ports_of(node)) {
        if (ports_.is_host(port.peer)) continue;
        const LinkConfig& link = topology_.links[port.link.index()];
        MeshNeighbour& one = by_peer[static_cast<std::uint32_t>(ports_.switch_at(port.peer).index())];
        if (one.links++ == 0) one.first = port.link;
        one.rate = Rate{one.rate.bits_per_second() + link.rate_from(node).bits_per_second()};
        one.one_way = std::max(one.one_way, link.one_way_from(node));
      }
      for (auto& [peer, one] : by_peer) {
        one.peer = peer;
        mesh_.neighbours[s].push_back(one);
      }
    }
    for (std::size_t h = 0; h < hosts_.size(); ++h) add_host(h);
  }

  void add_host(std::size_t number) {
    const NodeId node = hosts_[number];
    const auto links = ports_.ports_of(node);
    if (links.size() != 1 || ports_.is_host(links[0].peer)) return;
    const LinkConfig& link = topology_.links[links[0].link.index()];
    MeshHost host{node, link.rate_from(node), link.rate_from(links[0].peer), link.one_way_from(node),
                  link.one_way_from(links[0].peer)};
    host.in_first_half = in_first_half(number);
    host.in_second_half = in_second_half(number);
    mesh_.hosts[ports_.switch_at(links[0].peer).index()].push_back(host);
  }

  [[nodiscard]] bool in_first_half(std::size_t host) const { return host < hosts_.size() / 2; }
  [[nodiscard]] bool in_second_half(std::size_t host) const { return host >= (hosts_.size() + 1) / 2; }

  /// Two hosts on one cable: a fabric without a switch.
  void add_direct_links() {
    for (const LinkConfig& link : topology_.links) {
      if (!is_inside(link) || !ports_.is_host(link.a) || !ports_.is_host(link.b)) continue;
      note_pair(1, link.forward_way(), {link.a, link.b});
      note_pair(1, link.reverse_way(), {link.b, link.a});
      const auto position = [&](NodeId node) {
        return static_cast<std::size_t>(std::ranges::lower_bound(hosts_, node) - hosts_.begin());
      };
      NodeId first = link.a;
      NodeId second = link.b;
      if (position(first) > position(second)) std::swap(first, second);
      if (!in_first_half(position(first)) || !in_second_half(position(second))) continue;
      Bisection& cut = *out_.bisection;
      cut.there = Rate{cut.there.bits_per_second() + link.rate_from(first).bits_per_second()};
      cut.back = Rate{cut.back.bits_per_second() + link.rate_from(second).bits_per_second()};
      ++cut.hosts;
    }
  }

  void note_pair(std::size_t links, Duration one_way, const NodePair& ends) {
    if (!out_.diameter || out_.diameter->links < links) out_.diameter = Diameter{links, ends};
    if (!out_.farthest || out_.farthest->one_way < one_way) out_.farthest = FarthestPair{one_way, ends};
  }

  /// Of a switch's hosts those whose frames take longest to it and from it.
  struct Extremes {
    const MeshHost* up{nullptr};
    const MeshHost* down{nullptr};
  };

  [[nodiscard]] static Extremes extremes_of(const std::vector<MeshHost>& hosts) {
    Extremes out;
    for (const MeshHost& host : hosts) {
      if (!out.up || out.up->way_up < host.way_up) out.up = &host;
      if (!out.down || out.down->way_down < host.way_down) out.down = &host;
    }
    return out;
  }

  /// Two hosts of one switch.
  void note_neighbours(const std::vector<MeshHost>& hosts) {
    const Extremes far = extremes_of(hosts);
    for (const MeshHost& host : hosts) {
      if (&host != far.up) note_pair(2, far.up->way_up + host.way_down, {far.up->node, host.node});
      if (&host != far.down) note_pair(2, host.way_up + far.down->way_down, {host.node, far.down->node});
    }
  }

  void measure_paths() {
    std::map<std::uint64_t, std::size_t> counts;
    const std::size_t size = mesh_.neighbours.size();
    std::vector<Reach> reach(size);
    std::vector<Extremes> extremes;
    for (const auto& hosts : mesh_.hosts) extremes.push_back(extremes_of(hosts));
    for (std::uint32_t s = 0; s < size; ++s) {
      if (mesh_.hosts[s].empty()) continue;
      note_neighbours(mesh_.hosts[s]);
      for (const std::uint32_t t : spread_from(s, reach)) {
        if (t == s || mesh_.hosts[t].empty()) continue;
        ++counts[reach[t].paths];
        note_pair(reach[t].links + 2, extremes[s].up->way_up + reach[t].one_way + extremes[t].down->way_down,
                  {extremes[s].up->node, extremes[t].down->node});
      }
    }
    if (counts.empty()) return;
    PathCounts paths{counts.begin()->first, 0, counts.rbegin()->first, 0};
    for (const auto& [count, pairs] : counts) paths.pairs += pairs;
    std::size_t below = 0;
    for (const auto& [count, pairs] : counts) {
      below += pairs;
      if (below * 2 < paths.pairs) continue;
      paths.median = count;
      break;
    }
    out_.paths = paths;
  }

  /// Shortest paths from one switch to another.
  struct Reach {
    std::uint32_t root{UINT32_MAX};  ///< the switch that the rest is about
    std::uint32_t links{0};
    std::uint64_t paths{0};
    Duration one_way{};  ///< the longest of them
  };

  /// Breadth first; returns the switches that are reached, the root first.
  [[nodiscard]] std::vector<std::uint32_t> spread_from(std::uint32_t root, std::vector<Reach>& reach) const {
    constexpr std::uint64_t most = std::uint64_t{1} << 63;
    std::vector<std::uint32_t> order{root};
    reach[root] = {root, 0, 1, Duration{0}};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Reach from = reach[order[i]];
      for (const MeshNeighbour& one : mesh_.neighbours[order[i]]) {
        Reach& to = reach[one.peer];
        if (to.root != root) {
          to = {root, from.links + 1, 0, Duration{0}};
          order.push_back(one.peer);
        }
        if (to.links != from.links + 1) continue;
        const Int128 paths = Int128{to.paths} + Int128{from.paths} * one.links;
        to.paths = static_cast<std::uint64_t>(std::min<Int128>(paths, most));
        to.one_way = std::max(to.one_way, from.one_way + one.one_way);
      }
    }
    return order;
  }

  void measure_tiers() {
    std::map<std::uint8_t, Oversubscription> tiers;
    for (std::size_t s = 0; s < mesh_.neighbours.size(); ++s) {
      const NodeId node = ports_.node_of(SwitchId{s});
      if (!inside_[node.index()]) continue;
      const std::uint8_t tier = tiers_[node.index()];
      std::int64_t down = 0;
      std::int64_t up = 0;
      for (const PortLink& port : ports_.ports_of(node)) {
        const LinkConfig& link = topology_.links[port.link.index()];
        const std::uint8_t there = tiers_[port.peer.index()];
        if (there < tier) down += link.rate_from(port.peer).bits_per_second();
        if (there > tier) up += link.rate_from(node).bits_per_second();
      }
      Oversubscription& of = tiers.try_emplace(tier, Oversubscription{.tier = tier}).first->second;
      const bool worse = Int128{down} * of.worst_up.bits_per_second() > Int128{of.worst_down.bits_per_second()} * up;
      if (of.switches++ == 0 || worse) {
        of.worst = node;
        of.worst_down = Rate{down};
        of.worst_up = Rate{up};
      }
      of.down = Rate{of.down.bits_per_second() + down};
      of.up = Rate{of.up.bits_per_second() + up};
    }
    for (const auto& [tier, of] : tiers) {
      if (of.up > Rate{0} && of.down > Rate{0}) out_.oversubscription.push_back(of);
    }
  }

  const TopologyConfig& topology_;
  PortMap ports_;
  std::vector<bool> inside_;
  std::vector<std::uint8_t> tiers_;
  std::vector<NodeId> hosts_;
  Mesh mesh_;
  TopologyDescription out_;
};

}  // namespace

TopologyDescription describe(const TopologyConfig& topology) {
  return Describer{topology}.describe();
}

}  // namespace soya
