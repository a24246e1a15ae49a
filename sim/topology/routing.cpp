#include "topology/routing.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <utility>

#include "topology/path_order.hpp"

namespace soya {
namespace {

/// A static route as a class of hosts sees it.
struct Override {
  SwitchId at;
  SwitchId via;
  constexpr auto operator<=>(const Override&) const = default;
};

/// Whether a link joins the two that is not dead.
bool is_joined(const PortMap& ports, NodeId at, NodeId via, const std::vector<bool>& dead) {
  return std::ranges::any_of(ports.ports_of(at),
                             [&](const PortLink& link) { return link.peer == via && !dead[link.link.index()]; });
}

}  // namespace

/// Hosts whose routes are the same on every switch.
struct Routing::RouteClass {
  SwitchId edge;                      ///< their switch; none of hosts whose link is dead
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

Routing::Routing(const TopologyConfig& topology, std::span<const std::uint64_t> hash_seeds,
                 const RoutingOptions& options)
    : ports_{build_ports(topology)}, policies_{options.policies} {
  SOYA_CHECK(hash_seeds.size() == ports_.forwarder_count(), "every switch has a hash seed");
  SOYA_CHECK(policies_.empty() || policies_.size() == ports_.switch_count(), "every switch has a policy, or none");
  SOYA_CHECK(options.dead.empty() || options.dead.size() == topology.links.size(), "links are dead one by one");
  std::vector<RouteClass> classes = place_hosts(options.dead);
  if (!topology.routes.empty()) split_classes(topology, options.dead, classes);
  add_sets(topology, options, classes);

  tables_.resize(ports_.forwarder_count());
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    tables_[i].destinations_ = destinations_.data();
    tables_[i].sets_ = sets_.data() + i * classes.size();
    tables_[i].candidates_ = candidates_.data();
    tables_[i].hash_seed_ = hash_seeds[i];
  }
}

std::vector<Routing::RouteClass> Routing::place_hosts(const std::vector<bool>& dead) {
  std::vector<std::uint32_t> class_of(ports_.forwarder_count(), RoutingTable::no_class);
  std::vector<RouteClass> classes;
  for (std::size_t i = 0; i < ports_.forwarder_count(); ++i) {
    const auto links = ports_.ports_of(ports_.node_of(SwitchId{i}));
    if (std::ranges::none_of(links, [&](const PortLink& link) { return ports_.is_host(link.peer); })) continue;
    class_of[i] = static_cast<std::uint32_t>(classes.size());
    classes.push_back({SwitchId{i}, classes.size()});
  }

  std::uint32_t cut_off = RoutingTable::no_class;
  destinations_.resize(ports_.host_count());
  for (std::size_t i = 0; i < destinations_.size(); ++i) {
    const auto links = ports_.ports_of(ports_.node_of(HostId{i}));
    SOYA_CHECK(links.size() <= 1, "a host has one link");
    if (links.empty() || ports_.is_host(links[0].peer)) continue;
    if (!dead.empty() && dead[links[0].link.index()]) {
      if (cut_off == RoutingTable::no_class) {
        cut_off = static_cast<std::uint32_t>(classes.size());
        classes.push_back({SwitchId::none(), classes.size()});
      }
      destinations_[i] = {cut_off, PortId::none()};
      continue;
    }
    destinations_[i] = {class_of[ports_.switch_at(links[0].peer).index()], links[0].peer_port};
  }
  return classes;
}

void Routing::split_classes(const TopologyConfig& topology, const std::vector<bool>& dead,
                            std::vector<RouteClass>& classes) {
  std::vector<std::vector<Override>> overrides(ports_.host_count());
  for (const StaticRoute& route : topology.routes) {
    if (ports_.is_host(route.via)) continue;  // straight to the host: no switch does anything else
    if (!dead.empty() && !is_joined(ports_, route.at, route.via, dead)) continue;  // withdrawn
    const Override one{ports_.switch_at(route.at), ports_.switch_at(route.via)};
    for (const NodeId host : route.to) overrides[ports_.host_at(host).index()].push_back(one);
  }
  std::map<std::pair<std::size_t, std::vector<Override>>, std::uint32_t> known;
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    std::vector<Override>& own = overrides[i];
    std::uint32_t& number = destinations_[i].route_class;
    if (own.empty() || number == RoutingTable::no_class || classes[number].edge.is_none()) continue;
    std::ranges::sort(own);
    SOYA_CHECK(std::ranges::adjacent_find(own, {}, &Override::at) == own.end(),
               "a switch has one static route to a host");
    const std::size_t base = number;
    const auto [entry, added] = known.try_emplace({base, own}, static_cast<std::uint32_t>(classes.size()));
    if (added) classes.push_back({classes[base].edge, base, std::move(own)});
    number = entry->second;
  }
}

void Routing::add_sets(const TopologyConfig& topology, const RoutingOptions& options,
                       const std::vector<RouteClass>& classes) {
  PathFinder finder{topology, ports_, options.order, options.dead};
  const std::size_t switches = finder.size();
  const std::size_t count = classes.size();
  sets_.assign(switches * count, {RoutingTable::no_path, 0});

  // A leaf reaches all other leaves over the same spines: each distinct set of a switch is stored once.
  std::vector<std::map<std::vector<PortId>, CandidateSet>> known(switches);
  std::vector<PortId> scratch;
  const auto store = [&](std::size_t i, std::size_t c) {
    const auto [place, added] = known[i].try_emplace(scratch);
    if (added) {
      place->second = {static_cast<std::uint32_t>(candidates_.size()), static_cast<std::uint32_t>(scratch.size())};
      candidates_.insert(candidates_.end(), scratch.begin(), scratch.end());
    }
    sets_[i * count + c] = place->second;
  };
  const auto add_overrides = [&](std::size_t c) {
    for (std::size_t i = 0; i < switches; ++i) sets_[i * count + c] = sets_[i * count + classes[c].base];
    for (const Override& one : classes[c].overrides) {
      scratch.clear();
      for (const SwitchNeighbour& neighbour : finder.neighbours(one.at)) {
        if (neighbour.peer == one.via) scratch.push_back(neighbour.port);
      }
      SOYA_CHECK(!scratch.empty(), "a static route leads to a neighbour");
      store(one.at.index(), c);
    }
  };
  const auto add_ways = [&](std::size_t c, SwitchId edge) {
    finder.aim_at(edge);
    for (std::size_t i = 0; i < switches; ++i) {
      const SwitchId at{i};
      if (at == edge) {
        sets_[i * count + c].first = RoutingTable::is_local;
      } else if (finder.reaches(at)) {
        const bool is_weighted = i < policies_.size() && policies_[i] == RoutingPolicy::weighted;
        if (is_weighted) finder.weighted_ports(at, scratch);
        if (!is_weighted) finder.ports_towards(at, scratch);
        store(i, c);
      }
    }
  };
  for (std::size_t c = 0; c < count; ++c) {
    if (classes[c].base != c) {  // the base comes first, so its sets are there
      add_overrides(c);
    } else if (!classes[c].edge.is_none()) {
      add_ways(c, classes[c].edge);
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
