#include "topology/buffer_cycles.hpp"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <utility>

#include "topology/valleys.hpp"

namespace soya {
namespace {

using Vertex = std::uint32_t;                ///< a port of a forwarder towards another one, numbered switch by switch
using Classes = std::vector<std::uint64_t>;  ///< a bit for each class of destinations
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, Vertex, std::size_t>;

/// Who waits for whom: an edge leads from the port that a frame comes over to the one that it leaves by.
class Dependencies {
 public:
  explicit Dependencies(const Routing& routing) : routing_{routing}, ports_{routing.ports()} {
    number_ports();
    find_destinations();
    for (std::size_t c = 0; c < destinations_.size(); ++c) follow(c);
    for (std::size_t s = 0; s < ports_.forwarder_count(); ++s) add_edges(SwitchId{s});
  }

  [[nodiscard]] Graph graph() const {
    return Graph{boost::edges_are_sorted, edges_.begin(), edges_.end(), static_cast<Vertex>(refs_.size())};
  }
  [[nodiscard]] PortRef port(Vertex vertex) const { return refs_[vertex]; }

 private:
  void number_ports() {
    first_.reserve(ports_.forwarder_count() + 1);
    for (std::size_t s = 0; s < ports_.forwarder_count(); ++s) {
      first_.push_back(refs_.size());
      const NodeId node = ports_.node_of(SwitchId{s});
      for (std::size_t p = 0; p < ports_.ports_of(node).size(); ++p) refs_.push_back({node, PortId{p}});
    }
    first_.push_back(refs_.size());
  }

  /// One host for each class: all others of it have the same routes.
  void find_destinations() {
    std::map<std::uint32_t, HostId> by_class;
    for (std::size_t h = 0; h < ports_.host_count(); ++h) {
      const auto links = ports_.ports_of(ports_.node_of(HostId{h}));
      if (links.size() == 1 && !ports_.is_host(links[0].peer))
        by_class.emplace(routing_.route_class(HostId{h}), HostId{h});
    }
    for (const auto& [number, host] : by_class) destinations_.push_back(host);
    words_ = (destinations_.size() + 63) / 64;
    carried_.assign(refs_.size() * words_, 0);
  }

  [[nodiscard]] bool has_hosts(SwitchId at) const {
    return std::ranges::any_of(ports_.ports_of(ports_.node_of(at)),
                               [&](const PortLink& link) { return ports_.is_host(link.peer); });
  }

  /// Marks the ports that frames from hosts anywhere to destination `c` may take.
  void follow(std::size_t c) {
    if (starts_.empty()) {
      for (std::size_t s = 0; s < ports_.forwarder_count(); ++s) {
        if (has_hosts(SwitchId{s})) starts_.push_back(SwitchId{s});
      }
    }
    std::vector<bool> seen(ports_.forwarder_count(), false);
    std::vector<SwitchId> next = starts_;
    for (const SwitchId s : next) seen[s.index()] = true;
    while (!next.empty()) {
      const SwitchId at = next.back();
      next.pop_back();
      const NodeId node = ports_.node_of(at);
      for (const PortId port : routing_.table(at).candidates(destinations_[c])) {
        const NodeId peer = ports_.at({node, port}).peer;
        if (ports_.is_host(peer)) continue;
        carried_[(first_[at.index()] + port.index()) * words_ + c / 64] |= std::uint64_t{1} << (c % 64);
        const SwitchId there = ports_.switch_at(peer);
        if (seen[there.index()]) continue;
        seen[there.index()] = true;
        next.push_back(there);
      }
    }
  }

  [[nodiscard]] bool meet(std::size_t in, std::size_t out) const {
    for (std::size_t w = 0; w < words_; ++w) {
      if ((carried_[in * words_ + w] & carried_[out * words_ + w]) != 0) return true;
    }
    return false;
  }

  /// A frame that comes in over a port of a neighbour leaves by the ports that carry its destination here.
  void add_edges(SwitchId at) {
    for (std::size_t in = first_[at.index()]; in < first_[at.index() + 1]; ++in) {
      // Edges have to be in the order of their first ends, which are this switch's own ports: those it leaves by are
      // the neighbour's.
      const PortLink& link = ports_.at(refs_[in]);
      if (ports_.is_host(link.peer)) continue;
      const SwitchId there = ports_.switch_at(link.peer);
      for (std::size_t out = first_[there.index()]; out < first_[there.index() + 1]; ++out) {
        if (meet(in, out)) edges_.emplace_back(static_cast<Vertex>(in), static_cast<Vertex>(out));
      }
    }
  }

  const Routing& routing_;
  const PortMap& ports_;
  std::vector<std::size_t> first_;  ///< by forwarder: the number of its first port
  std::vector<PortRef> refs_;       ///< by number
  std::vector<HostId> destinations_;
  std::vector<SwitchId> starts_;
  std::size_t words_{0};
  Classes carried_;  ///< by port, `words_` each
  std::vector<std::pair<Vertex, Vertex>> edges_;
};

/// The shortest way from `start` back to it within its component.
std::vector<Vertex> shortest_cycle(const Graph& graph, Vertex start, const std::vector<Vertex>& component) {
  std::map<Vertex, Vertex> before;
  std::queue<Vertex> next;
  next.push(start);
  while (!next.empty()) {
    const Vertex at = next.front();
    next.pop();
    for (auto [edge, end] = boost::out_edges(at, graph); edge != end; ++edge) {
      const Vertex to = boost::target(*edge, graph);
      if (to == start) {
        std::vector<Vertex> cycle{at};
        while (cycle.back() != start) cycle.push_back(before.at(cycle.back()));
        std::ranges::reverse(cycle);
        return cycle;
      }
      if (component[to] == component[start] && before.emplace(to, at).second) next.push(to);
    }
  }
  return {};
}

}  // namespace

std::vector<BufferCycle> buffer_cycles(const Routing& routing) {
  if (!has_valleys(routing)) return {};
  const Dependencies dependencies{routing};
  const Graph graph = dependencies.graph();
  std::vector<Vertex> component(boost::num_vertices(graph));
  const auto index = boost::get(boost::vertex_index, graph);
  const Vertex count = boost::strong_components(graph, boost::make_iterator_property_map(component.begin(), index));
  std::vector<std::size_t> size(count, 0);
  for (const Vertex number : component) ++size[number];

  std::vector<BufferCycle> cycles;
  std::vector<bool> told(count, false);
  for (Vertex v = 0; v < component.size(); ++v) {
    // No port leads to itself, so a component of one is no cycle.
    if (size[component[v]] < 2 || told[component[v]]) continue;
    told[component[v]] = true;
    BufferCycle cycle;
    cycle.links = size[component[v]];
    for (const Vertex port : shortest_cycle(graph, v, component)) cycle.ports.push_back(dependencies.port(port));
    cycles.push_back(std::move(cycle));
  }
  return cycles;
}

std::string cycle_text(const TopologyConfig& topology, const BufferCycle& cycle) {
  constexpr std::size_t most = 12;
  const auto name = [&](const PortRef& port) { return topology.nodes[port.node.index()].name + " -> "; };
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.ports.size(), most); ++i) text += name(cycle.ports[i]);
  if (cycle.ports.size() > most) text += "… (" + std::to_string(cycle.ports.size() - most) + " more) -> ";
  return text + topology.nodes[cycle.ports.front().node.index()].name;
}

}  // namespace soya
