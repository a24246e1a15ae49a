#include "topology/routing.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "topology/graph.hpp"

namespace soya {
namespace {

/// Each node's position when all nodes are sorted by name.
std::vector<std::size_t> name_ranks(const TopologyConfig& topology) {
  std::vector<std::size_t> by_name(topology.nodes.size());
  std::iota(by_name.begin(), by_name.end(), std::size_t{0});
  std::ranges::sort(by_name, {}, [&](std::size_t node) -> const std::string& { return topology.nodes[node].name; });
  std::vector<std::size_t> ranks(by_name.size());
  for (std::size_t rank = 0; rank < by_name.size(); ++rank) ranks[by_name[rank]] = rank;
  return ranks;
}

struct Neighbour {
  PortId port;
  SwitchId peer;
};

/// A switch's ports towards other switches by the neighbour's name, then in the order of parallel links: the order in
/// which candidates are numbered, so that a flow's choice does not depend on the order of nodes in a file.
std::vector<Neighbour> named_neighbours(const PortMap& ports, NodeId node, const std::vector<std::size_t>& ranks) {
  std::vector<Neighbour> neighbours;
  const std::span<const PortLink> links = ports.ports_of(node);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!ports.is_host(links[i].peer)) neighbours.push_back({PortId{i}, ports.switch_at(links[i].peer)});
  }
  std::ranges::stable_sort(neighbours, {}, [&](const Neighbour& n) { return ranks[ports.node_of(n.peer).index()]; });
  return neighbours;
}

/// The ports of one switch that lead one link closer to the switch the distances are measured to.
std::vector<PortId> closer_ports(const std::vector<Neighbour>& neighbours, std::uint32_t distance,
                                 const std::vector<std::optional<std::uint32_t>>& distances) {
  std::vector<PortId> closer;
  for (const Neighbour& neighbour : neighbours) {
    const std::optional<std::uint32_t>& from_there = distances[neighbour.peer.index()];
    if (from_there && *from_there + 1 == distance) closer.push_back(neighbour.port);
  }
  return closer;
}

}  // namespace

std::span<const PortId> RoutingTable::candidates(HostId destination) const {
  const Destination& at = destinations_[destination.index()];
  if (at.edge == no_edge) return {};
  const CandidateSet set = sets_[at.edge];
  if (set.count > 0) return {candidates_ + set.first, set.count};
  if (set.first == is_local) return {&at.port, 1};
  return {};
}

Routing::Routing(const TopologyConfig& topology, std::span<const std::uint64_t> hash_seeds)
    : ports_{build_ports(topology)} {
  SOYA_CHECK(hash_seeds.size() == ports_.switch_count(), "every switch has a hash seed");
  const std::vector<SwitchId> edges = place_hosts();
  add_sets(topology, edges);

  tables_.resize(ports_.switch_count());
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    tables_[i].destinations_ = destinations_.data();
    tables_[i].sets_ = sets_.data() + i * edges.size();
    tables_[i].candidates_ = candidates_.data();
    tables_[i].hash_seed_ = hash_seeds[i];
  }
}

std::vector<SwitchId> Routing::place_hosts() {
  std::vector<std::uint32_t> edge_of(ports_.switch_count(), RoutingTable::no_edge);
  std::vector<SwitchId> edges;
  for (std::size_t i = 0; i < ports_.switch_count(); ++i) {
    const auto links = ports_.ports_of(ports_.node_of(SwitchId{i}));
    if (std::ranges::none_of(links, [&](const PortLink& link) { return ports_.is_host(link.peer); })) continue;
    edge_of[i] = static_cast<std::uint32_t>(edges.size());
    edges.push_back(SwitchId{i});
  }

  destinations_.resize(ports_.host_count());
  for (std::size_t i = 0; i < destinations_.size(); ++i) {
    const auto links = ports_.ports_of(ports_.node_of(HostId{i}));
    SOYA_CHECK(links.size() <= 1, "a host has one link");
    if (links.empty() || ports_.is_host(links[0].peer)) continue;
    destinations_[i] = {edge_of[ports_.switch_at(links[0].peer).index()], links[0].peer_port};
  }
  return edges;
}

void Routing::add_sets(const TopologyConfig& topology, const std::vector<SwitchId>& edges) {
  const SwitchGraph graph{topology, ports_};
  const std::vector<std::size_t> ranks = name_ranks(topology);
  std::vector<std::vector<Neighbour>> neighbours(ports_.switch_count());
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    neighbours[i] = named_neighbours(ports_, ports_.node_of(SwitchId{i}), ranks);
  }

  // A leaf reaches all other leaves over the same spines: each distinct set of a switch is stored once.
  std::vector<std::map<std::vector<PortId>, CandidateSet>> known(ports_.switch_count());
  sets_.resize(ports_.switch_count() * edges.size());
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    const auto distances = graph.distances_to(edges[edge]);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      CandidateSet& set = sets_[i * edges.size() + edge];
      set.first = SwitchId{i} == edges[edge] ? RoutingTable::is_local : RoutingTable::no_path;
      if (set.first == RoutingTable::is_local || !distances[i]) continue;

      const std::vector<PortId> ports = closer_ports(neighbours[i], *distances[i], distances);
      const auto [place, added] = known[i].try_emplace(ports);
      if (added) {
        place->second = {static_cast<std::uint32_t>(candidates_.size()), static_cast<std::uint32_t>(ports.size())};
        candidates_.insert(candidates_.end(), ports.begin(), ports.end());
      }
      set = place->second;
    }
  }
}

std::vector<PortRef> Routing::path(HostPair ends, std::uint64_t flow_hash) const {
  const NodeId target = ports_.node_of(ends.to);
  PortRef at{ports_.node_of(ends.from), PortId{0U}};
  if (at.node == target || ports_.ports_of(at.node).empty()) return {};

  std::vector<PortRef> hops{at};
  for (NodeId next = ports_.at(at).peer; next != target; next = ports_.at(at).peer) {
    if (ports_.is_host(next)) return {};
    const RoutingTable& routes = table(ports_.switch_at(next));
    if (routes.candidates(ends.to).empty()) return {};
    at = {next, routes.next_port(ends.to, flow_hash)};
    hops.push_back(at);
  }
  return hops;
}

std::size_t Routing::memory_bytes() const {
  return destinations_.size() * sizeof(Destination) + sets_.size() * sizeof(CandidateSet) +
         candidates_.size() * sizeof(PortId) + tables_.size() * sizeof(RoutingTable);
}

std::uint64_t ecmp_hash_seed(std::uint64_t scenario_seed, const std::string& switch_name, std::uint64_t switch_seed) {
  return mix(mix(scenario_seed, hash_name(switch_name)), switch_seed);
}

}  // namespace soya
