// What the textbooks say of networks, measured on the graph itself: counts, distances, and flow between halves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/topology_config.hpp"

namespace soya::test {

inline std::size_t count_kind(const TopologyConfig& topology, NodeKind kind) {
  return static_cast<std::size_t>(std::ranges::count(topology.nodes, kind, &NodeConfig::kind));
}

inline std::size_t count_tier(const TopologyConfig& topology, std::uint8_t tier) {
  return static_cast<std::size_t>(std::ranges::count_if(
      topology.nodes, [&](const NodeConfig& node) { return node.kind == NodeKind::switch_ && node.tier == tier; }));
}

inline std::vector<std::size_t> nodes_of(const TopologyConfig& topology, NodeKind kind) {
  std::vector<std::size_t> out;
  for (std::size_t n = 0; n < topology.nodes.size(); ++n) {
    if (topology.nodes[n].kind == kind) out.push_back(n);
  }
  return out;
}

inline std::vector<std::vector<std::size_t>> neighbours_of(const TopologyConfig& topology) {
  std::vector<std::vector<std::size_t>> out(topology.nodes.size());
  for (const LinkConfig& link : topology.links) {
    out[link.a.index()].push_back(link.b.index());
    out[link.b.index()].push_back(link.a.index());
  }
  return out;
}

/// Links from `root` to every node; the largest number where there is no way. Hosts pass nothing on.
inline std::vector<std::size_t> distances_from(const TopologyConfig& topology,
                                               const std::vector<std::vector<std::size_t>>& neighbours,
                                               std::size_t root) {
  std::vector<std::size_t> out(topology.nodes.size(), std::numeric_limits<std::size_t>::max());
  std::vector<std::size_t> next{root};
  out[root] = 0;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (next[i] != root && topology.nodes[next[i]].kind == NodeKind::host) continue;
    for (const std::size_t peer : neighbours[next[i]]) {
      if (out[peer] != std::numeric_limits<std::size_t>::max()) continue;
      out[peer] = out[next[i]] + 1;
      next.push_back(peer);
    }
  }
  return out;
}

/// The longest of all shortest ways between two hosts, in links.
inline std::size_t diameter(const TopologyConfig& topology) {
  const auto neighbours = neighbours_of(topology);
  const std::vector<std::size_t> hosts = nodes_of(topology, NodeKind::host);
  std::size_t longest = 0;
  for (const std::size_t host : hosts) {
    const auto distance = distances_from(topology, neighbours, host);
    for (const std::size_t other : hosts) longest = std::max(longest, distance[other]);
  }
  return longest;
}

/// The most links that `from` and `to` can be joined by without sharing one (Ford and Fulkerson, breadth first): by the
/// max-flow min-cut theorem the fewest links whose removal parts them. All links count 1 each way.
class LinkFlow {
 public:
  explicit LinkFlow(const TopologyConfig& topology) : nodes_{topology.nodes.size() + 2} {
    for (const LinkConfig& link : topology.links) join(link.a.index(), link.b.index(), 1, 1);
  }
  std::int64_t between(const std::vector<std::size_t>& from, const std::vector<std::size_t>& to) {
    const std::size_t source = nodes_ - 2;
    const std::size_t sink = nodes_ - 1;
    for (const std::size_t node : from) join(source, node, many, 0);
    for (const std::size_t node : to) join(node, sink, many, 0);
    std::vector<std::vector<std::size_t>> arcs_of(nodes_);
    for (std::size_t a = 0; a < arcs_.size(); ++a) arcs_of[arcs_[a ^ 1].to].push_back(a);
    std::int64_t flow = 0;
    for (;; ++flow) {
      std::vector<std::size_t> by(nodes_, none);  // the arc a node was reached by
      std::vector<std::size_t> next{source};
      for (std::size_t i = 0; i < next.size() && by[sink] == none; ++i) {
        for (const std::size_t a : arcs_of[next[i]]) {
          if (arcs_[a].room == 0 || by[arcs_[a].to] != none || arcs_[a].to == source) continue;
          by[arcs_[a].to] = a;
          next.push_back(arcs_[a].to);
        }
      }
      if (by[sink] == none) return flow;
      for (std::size_t node = sink; node != source; node = arcs_[by[node] ^ 1].to) {
        --arcs_[by[node]].room;
        ++arcs_[by[node] ^ 1].room;
      }
    }
  }

 private:
  struct Arc {
    std::size_t to;
    std::int64_t room;
  };
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  static constexpr std::int64_t many = 1'000'000;
  /// Arc 2k leads from a to b and arc 2k + 1 back.
  void join(std::size_t a, std::size_t b, std::int64_t there, std::int64_t back) {
    arcs_.push_back({b, there});
    arcs_.push_back({a, back});
  }
  std::size_t nodes_;
  std::vector<Arc> arcs_;
};

/// Flow between the first half of the hosts and the second, in links.
inline std::int64_t bisection(const TopologyConfig& topology) {
  const std::vector<std::size_t> hosts = nodes_of(topology, NodeKind::host);
  const auto half = hosts.begin() + static_cast<std::ptrdiff_t>(hosts.size() / 2);
  return LinkFlow{topology}.between({hosts.begin(), half}, {half, hosts.end()});
}

/// Flow between the first half of the switches and the second, in links.
inline std::int64_t switch_bisection(const TopologyConfig& topology) {
  const std::vector<std::size_t> switches = nodes_of(topology, NodeKind::switch_);
  const auto half = switches.begin() + static_cast<std::ptrdiff_t>(switches.size() / 2);
  return LinkFlow{topology}.between({switches.begin(), half}, {half, switches.end()});
}

/// The number of ports of each node of tier `tier`, the least and the most.
inline std::pair<std::size_t, std::size_t> ports_of_tier(const TopologyConfig& topology, std::uint8_t tier) {
  const auto neighbours = neighbours_of(topology);
  std::pair<std::size_t, std::size_t> out{std::numeric_limits<std::size_t>::max(), 0};
  for (std::size_t n = 0; n < topology.nodes.size(); ++n) {
    if (topology.nodes[n].tier != tier) continue;
    out = {std::min(out.first, neighbours[n].size()), std::max(out.second, neighbours[n].size())};
  }
  return out;
}

/// Links between two nodes, by the nodes in their order.
inline std::map<std::pair<std::size_t, std::size_t>, std::size_t> links_by_pair(const TopologyConfig& topology) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> out;
  for (const LinkConfig& link : topology.links) ++out[std::minmax(link.a.index(), link.b.index())];
  return out;
}

inline std::size_t node_at(const TopologyConfig& topology, const std::string& name) {
  const auto found = std::ranges::find(topology.nodes, name, &NodeConfig::name);
  return static_cast<std::size_t>(found - topology.nodes.begin());
}

}  // namespace soya::test
