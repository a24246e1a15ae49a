#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

#include "topology/describe_parts.hpp"

namespace soya {
namespace {

using FlowTraits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, FlowTraits::edge_descriptor>>>>;

void join(FlowGraph& graph, std::size_t a, std::size_t b, Rate there, Rate back) {
  const auto forth = boost::add_edge(a, b, graph).first;
  const auto reverse = boost::add_edge(b, a, graph).first;
  boost::put(boost::edge_capacity, graph, forth, there.bits_per_second());
  boost::put(boost::edge_capacity, graph, reverse, back.bits_per_second());
  boost::put(boost::edge_reverse, graph, forth, reverse);
  boost::put(boost::edge_reverse, graph, reverse, forth);
}

/// From the first half to the second, or the other way round.
Rate flow_between_halves(const Mesh& mesh, bool from_first) {
  const std::size_t count = mesh.neighbours.size();
  const std::size_t source = count;
  const std::size_t sink = count + 1;
  FlowGraph graph{count + 2};
  for (std::size_t s = 0; s < count; ++s) {
    for (const MeshNeighbour& one : mesh.neighbours[s]) {
      if (one.peer < s) continue;
      const auto& back = mesh.neighbours[one.peer];
      const auto found = std::ranges::find(back, static_cast<std::uint32_t>(s), &MeshNeighbour::peer);
      join(graph, s, one.peer, one.rate, found->rate);
    }
    std::int64_t in = 0;
    std::int64_t out = 0;
    for (const MeshHost& host : mesh.hosts[s]) {
      if (from_first ? host.in_first_half : host.in_second_half) in += host.up.bits_per_second();
      if (from_first ? host.in_second_half : host.in_first_half) out += host.down.bits_per_second();
    }
    if (in > 0) join(graph, source, s, Rate{in}, Rate{0});
    if (out > 0) join(graph, s, sink, Rate{out}, Rate{0});
  }
  return Rate{boost::push_relabel_max_flow(graph, source, sink)};
}

}  // namespace

Bisection bisection_of(const Mesh& mesh) {
  Bisection out;
  for (const auto& hosts : mesh.hosts) {
    out.hosts += static_cast<std::size_t>(std::ranges::count_if(hosts, &MeshHost::in_first_half));
  }
  out.there = flow_between_halves(mesh, true);
  out.back = flow_between_halves(mesh, false);
  return out;
}

std::vector<LinkId> bridges_of(const Mesh& mesh) {
  // A simple graph: of parallel edges Boost takes one for the way back, and calls it a bridge.
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                      boost::property<boost::edge_index_t, std::size_t>>;
  Graph graph{mesh.neighbours.size()};
  std::vector<const MeshNeighbour*> edges;
  for (std::size_t s = 0; s < mesh.neighbours.size(); ++s) {
    for (const MeshNeighbour& one : mesh.neighbours[s]) {
      if (one.peer < s) continue;
      boost::add_edge(s, one.peer, edges.size(), graph);
      edges.push_back(&one);
    }
  }
  std::vector<std::size_t> component(edges.size());
  const auto index = boost::get(boost::edge_index, graph);
  const std::size_t count =
      boost::biconnected_components(graph, boost::make_iterator_property_map(component.begin(), index));
  std::vector<std::size_t> size(count, 0);
  for (const std::size_t number : component) ++size[number];
  std::vector<LinkId> bridges;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (size[component[e]] == 1 && edges[e]->links == 1) bridges.push_back(edges[e]->first);
  }
  std::ranges::sort(bridges);
  return bridges;
}

}  // namespace soya
