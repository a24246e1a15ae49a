#include "topology/graph.hpp"

#include <fmt/format.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <utility>

namespace soya {
namespace {

using UndirectedGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

/// Writes each reached vertex's distance from the root.
class DistanceRecorder : public boost::default_bfs_visitor {
 public:
  explicit DistanceRecorder(std::vector<std::optional<std::uint32_t>>& distances) : distances_{&distances} {}

  template <class Edge, class Graph>
  void tree_edge(Edge edge, const Graph& graph) const {
    (*distances_)[target(edge, graph)] = *(*distances_)[source(edge, graph)] + 1;
  }

 private:
  std::vector<std::optional<std::uint32_t>>* distances_;
};

}  // namespace

struct SwitchGraph::Graph {
  UndirectedGraph switches;
};

Components find_components(const TopologyConfig& topology) {
  UndirectedGraph graph{topology.nodes.size()};
  for (const LinkConfig& link : topology.links) boost::add_edge(link.a.index(), link.b.index(), graph);

  Components components;
  components.of_node.resize(topology.nodes.size());
  components.count = boost::connected_components(
      graph, boost::make_iterator_property_map(components.of_node.begin(), boost::get(boost::vertex_index, graph)));
  for (std::uint32_t& number : components.of_node) ++number;
  return components;
}

std::vector<Diagnostic> missing_paths(const TopologyConfig& topology, std::span<const PathNeed> needs) {
  const Components components = find_components(topology);
  if (components.count <= 1) return {};

  std::vector<std::size_t> hosts;
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    if (topology.nodes[i].kind == NodeKind::host) hosts.push_back(i);
  }
  std::vector<Diagnostic> complaints;
  for (const PathNeed& need : needs) {
    const std::size_t from = hosts.at(need.from.index());
    const std::size_t to = hosts.at(need.to.index());
    if (components.of_node[from] == components.of_node[to]) continue;
    complaints.push_back(
        {need.where, fmt::format("no path {} -> {} (components {}, {})", topology.nodes[from].name,
                                 topology.nodes[to].name, components.of_node[from], components.of_node[to])});
  }
  return complaints;
}

SwitchGraph::SwitchGraph(const TopologyConfig& topology, const PortMap& ports)
    : graph_{std::make_unique<Graph>(Graph{UndirectedGraph{ports.forwarder_count()}})} {
  for (const LinkConfig& link : topology.links) {
    if (ports.is_host(link.a) || ports.is_host(link.b)) continue;
    boost::add_edge(ports.switch_at(link.a).index(), ports.switch_at(link.b).index(), graph_->switches);
  }
}

SwitchGraph::~SwitchGraph() = default;

std::vector<std::optional<std::uint32_t>> SwitchGraph::distances_to(SwitchId root) const {
  std::vector<std::optional<std::uint32_t>> distances(boost::num_vertices(graph_->switches));
  distances[root.index()] = 0;
  boost::breadth_first_search(graph_->switches, root.index(), boost::visitor(DistanceRecorder{distances}));
  return distances;
}

}  // namespace soya
