#include "topology/routing.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

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

/// A static route as a class of hosts sees it.
struct Override {
  SwitchId at;
  SwitchId via;
  constexpr auto operator<=>(const Override&) const = default;
};

std::vector<PortId> ports_towards(const std::vector<Neighbour>& neighbours, SwitchId peer) {
  std::vector<PortId> towards;
  for (const Neighbour& neighbour : neighbours) {
    if (neighbour.peer == peer) towards.push_back(neighbour.port);
  }
  return towards;
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

/// Hosts whose routes are the same on every switch.
struct Routing::RouteClass {
  SwitchId edge;                      ///< their switch
  std::size_t base{0};                ///< the class of those on it without static routes; this one, if it is that
  std::vector<Override> overrides{};  ///< by switch
};

std::span<const PortId> RoutingTable::candidates(HostId destination) const {
  const Destination& at = destinations_[destination.index()];
  if (at.route_class == no_class) return {};
  const CandidateSet set = sets_[at.route_class];
  if (set.count > 0) return {candidates_ + set.first, set.count};
  if (set.first == is_local) return {&at.port, 1};
  return {};
}

Routing::Routing(const TopologyConfig& topology, std::span<const std::uint64_t> hash_seeds)
    : ports_{build_ports(topology)} {
  SOYA_CHECK(hash_seeds.size() == ports_.forwarder_count(), "every switch has a hash seed");
  std::vector<RouteClass> classes = place_hosts();
  if (!topology.routes.empty()) split_classes(topology, classes);
  add_sets(topology, classes);

  tables_.resize(ports_.forwarder_count());
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    tables_[i].destinations_ = destinations_.data();
    tables_[i].sets_ = sets_.data() + i * classes.size();
    tables_[i].candidates_ = candidates_.data();
    tables_[i].hash_seed_ = hash_seeds[i];
  }
}

std::vector<Routing::RouteClass> Routing::place_hosts() {
  std::vector<std::uint32_t> class_of(ports_.forwarder_count(), RoutingTable::no_class);
  std::vector<RouteClass> classes;
  for (std::size_t i = 0; i < ports_.forwarder_count(); ++i) {
    const auto links = ports_.ports_of(ports_.node_of(SwitchId{i}));
    if (std::ranges::none_of(links, [&](const PortLink& link) { return ports_.is_host(link.peer); })) continue;
    class_of[i] = static_cast<std::uint32_t>(classes.size());
    classes.push_back({SwitchId{i}, classes.size()});
  }

  destinations_.resize(ports_.host_count());
  for (std::size_t i = 0; i < destinations_.size(); ++i) {
    const auto links = ports_.ports_of(ports_.node_of(HostId{i}));
    SOYA_CHECK(links.size() <= 1, "a host has one link");
    if (links.empty() || ports_.is_host(links[0].peer)) continue;
    destinations_[i] = {class_of[ports_.switch_at(links[0].peer).index()], links[0].peer_port};
  }
  return classes;
}

void Routing::split_classes(const TopologyConfig& topology, std::vector<RouteClass>& classes) {
  std::vector<std::vector<Override>> overrides(ports_.host_count());
  for (const StaticRoute& route : topology.routes) {
    if (ports_.is_host(route.via)) continue;  // straight to the host: no switch does anything else
    const Override one{ports_.switch_at(route.at), ports_.switch_at(route.via)};
    for (const NodeId host : route.to) overrides[ports_.host_at(host).index()].push_back(one);
  }
  std::map<std::pair<std::size_t, std::vector<Override>>, std::uint32_t> known;
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    std::vector<Override>& own = overrides[i];
    std::uint32_t& number = destinations_[i].route_class;
    if (own.empty() || number == RoutingTable::no_class) continue;
    std::ranges::sort(own);
    SOYA_CHECK(std::ranges::adjacent_find(own, {}, &Override::at) == own.end(),
               "a switch has one static route to a host");
    const std::size_t base = number;
    const auto [entry, added] = known.try_emplace({base, own}, static_cast<std::uint32_t>(classes.size()));
    if (added) classes.push_back({classes[base].edge, base, std::move(own)});
    number = entry->second;
  }
}

void Routing::add_sets(const TopologyConfig& topology, const std::vector<RouteClass>& classes) {
  const SwitchGraph graph{topology, ports_};
  const std::vector<std::size_t> ranks = name_ranks(topology);
  std::vector<std::vector<Neighbour>> neighbours(ports_.forwarder_count());
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    neighbours[i] = named_neighbours(ports_, ports_.node_of(SwitchId{i}), ranks);
  }

  // A leaf reaches all other leaves over the same spines: each distinct set of a switch is stored once.
  std::vector<std::map<std::vector<PortId>, CandidateSet>> known(ports_.forwarder_count());
  const auto stored = [&](std::size_t i, const std::vector<PortId>& ports) {
    const auto [place, added] = known[i].try_emplace(ports);
    if (added) {
      place->second = {static_cast<std::uint32_t>(candidates_.size()), static_cast<std::uint32_t>(ports.size())};
      candidates_.insert(candidates_.end(), ports.begin(), ports.end());
    }
    return place->second;
  };
  const std::size_t count = classes.size();
  sets_.resize(neighbours.size() * count);
  for (std::size_t c = 0; c < count; ++c) {
    const RouteClass& hosts = classes[c];
    if (hosts.base != c) {  // the base comes first, so its sets are there
      for (std::size_t i = 0; i < neighbours.size(); ++i) sets_[i * count + c] = sets_[i * count + hosts.base];
      for (const Override& one : hosts.overrides) {
        const std::vector<PortId> ports = ports_towards(neighbours[one.at.index()], one.via);
        SOYA_CHECK(!ports.empty(), "a static route leads to a neighbour");
        sets_[one.at.index() * count + c] = stored(one.at.index(), ports);
      }
      continue;
    }
    const auto distances = graph.distances_to(hosts.edge);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      CandidateSet& set = sets_[i * count + c];
      set.first = SwitchId{i} == hosts.edge ? RoutingTable::is_local : RoutingTable::no_path;
      if (set.first == RoutingTable::is_local || !distances[i]) continue;
      set = stored(i, closer_ports(neighbours[i], *distances[i], distances));
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
    SOYA_CHECK(hops.size() <= ports_.forwarder_count() + 1, "a path passes each switch once");
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
