#include "topology/routing.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <utility>

#include "topology/path_order.hpp"
#include "topology/twin_switches.hpp"

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

/// Destinations whose routes are the same on every switch that is none of theirs or next to one.
struct Routing::Column {
  std::vector<SwitchId> twins;        ///< the switches; none of hosts whose link is dead
  std::vector<Override> overrides{};  ///< by switch; of hosts of one switch that have some
  std::uint32_t base{0};              ///< … the column of those on it that have none
  std::uint32_t member{0};            ///< … and the switch in it
};

std::span<const PortId> RoutingTable::candidates(HostId destination) const {
  const Destination& at = destinations_[destination.index()];
  if (at.column == no_column) return {};
  if (at.edge == self_) return {&at.port, 1};
  const CandidateSet set = set_towards(at);
  if (set.count > 0) return {candidates_ + set.first, set.count};
  if (set.first == is_local) return {&at.port, 1};
  return {};
}

/// Writes the sets of all switches, column by column.
class Routing::Filler {
 public:
  Filler(Routing& routing, PathFinder& finder, const std::vector<Column>& columns)
      : routing_{routing}, finder_{finder}, columns_{columns}, known_(finder.size()), last_(finder.size()) {
    routing_.sets_.assign(finder.size() * columns.size(), {RoutingTable::no_path, 0});
  }

  void fill() {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Column& column = columns_[c];
      if (!column.overrides.empty()) {  // the base comes first, so its sets are there
        add_overrides(c);
      } else if (!column.twins.empty()) {
        add_ways(c);
        add_beside(c);
      }
    }
  }

 private:
  [[nodiscard]] CandidateSet& set(SwitchId at, std::size_t column) {
    return routing_.sets_[at.index() * columns_.size() + column];
  }
  [[nodiscard]] bool is_weighted(SwitchId at) const {
    return at.index() < routing_.policies_.size() && routing_.policies_[at.index()] == RoutingPolicy::weighted;
  }

  /// The ways of all other switches to the first twin, and its own ways to the second.
  void add_ways(std::size_t c) {
    const std::vector<SwitchId>& twins = columns_[c].twins;
    finder_.aim_at(twins.front());
    for (std::size_t i = 0; i < finder_.size(); ++i) {
      if (SwitchId{i} != twins.front()) add_way(SwitchId{i}, c);
    }
    if (twins.size() == 1) return;
    finder_.aim_at(twins[1]);
    add_way(twins.front(), c);
  }

  void add_way(SwitchId at, std::size_t c) {
    if (!finder_.reaches(at)) return;
    if (is_weighted(at)) {
      finder_.weighted_ports(at, scratch_);
    } else {
      finder_.ports_towards(at, scratch_);
    }
    set(at, c) = store(at);
  }

  /// The links of each neighbour of the twins to each of them.
  void add_beside(std::size_t c) {
    const std::vector<SwitchId>& twins = columns_[c].twins;
    std::set<SwitchId> neighbours;
    for (const SwitchNeighbour& one : finder_.neighbours(twins.front())) neighbours.insert(one.peer);
    for (const SwitchId at : neighbours) {
      set(at, c) = {static_cast<std::uint32_t>(routing_.beside_.size()), RoutingTable::is_beside};
      for (const SwitchId twin : twins) {
        if (is_weighted(at)) {
          finder_.weighted_ports_beside(at, twin, scratch_);
        } else {
          finder_.ports_beside(at, twin, scratch_);
        }
        routing_.beside_.push_back(append());
      }
    }
  }

  void add_overrides(std::size_t c) {
    const Column& column = columns_[c];
    for (std::size_t i = 0; i < finder_.size(); ++i) {
      CandidateSet base = set(SwitchId{i}, column.base);
      if (base.count == RoutingTable::is_beside) base = routing_.beside_[base.first + column.member];
      set(SwitchId{i}, c) = base;
    }
    set(column.twins.front(), c) = {RoutingTable::is_local, 0};
    for (const Override& one : column.overrides) {
      finder_.ports_beside(one.at, one.via, scratch_);
      SOYA_CHECK(!scratch_.empty(), "a static route leads to a neighbour");
      set(one.at, c) = store(one.at);
    }
  }

  /// A leaf reaches all others over the same spines: each distinct set of a switch is kept once.
  [[nodiscard]] CandidateSet store(SwitchId at) {
    CandidateSet& last = last_[at.index()];
    const auto begin = routing_.candidates_.begin() + last.first;
    if (last.count == scratch_.size() && std::equal(scratch_.begin(), scratch_.end(), begin)) return last;
    const auto [place, added] = known_[at.index()].try_emplace(scratch_);
    if (added) place->second = append();
    last = place->second;
    return last;
  }
  [[nodiscard]] CandidateSet append() {
    std::vector<PortId>& all = routing_.candidates_;
    const CandidateSet added{static_cast<std::uint32_t>(all.size()), static_cast<std::uint32_t>(scratch_.size())};
    all.insert(all.end(), scratch_.begin(), scratch_.end());
    return added;
  }

  Routing& routing_;
  PathFinder& finder_;
  const std::vector<Column>& columns_;
  std::vector<std::map<std::vector<PortId>, CandidateSet>> known_;  ///< by SwitchId
  std::vector<CandidateSet> last_;                                  ///< by SwitchId: of the column before
  std::vector<PortId> scratch_;
};

Routing::Routing(const TopologyConfig& topology, std::span<const std::uint64_t> hash_seeds,
                 const RoutingOptions& options)
    : ports_{build_ports(topology)}, policies_{options.policies} {
  SOYA_CHECK(hash_seeds.size() == ports_.forwarder_count(), "every switch has a hash seed");
  SOYA_CHECK(policies_.empty() || policies_.size() == ports_.switch_count(), "every switch has a policy, or none");
  SOYA_CHECK(options.dead.empty() || options.dead.size() == topology.links.size(), "links are dead one by one");
  PathFinder finder{topology, ports_, options.order, options.dead};
  std::vector<Column> columns = place_hosts(topology, finder, options.dead);
  if (!topology.routes.empty()) split_columns(topology, options.dead, columns);
  Filler{*this, finder, columns}.fill();

  tables_.resize(ports_.forwarder_count());
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    tables_[i].destinations_ = destinations_.data();
    tables_[i].sets_ = sets_.data() + i * columns.size();
    tables_[i].beside_ = beside_.data();
    tables_[i].candidates_ = candidates_.data();
    tables_[i].self_ = SwitchId{i};
    tables_[i].hash_seed_ = hash_seeds[i];
  }
}

std::vector<Routing::Column> Routing::place_hosts(const TopologyConfig& topology, const PathFinder& finder,
                                                  const std::vector<bool>& dead) {
  std::vector<SwitchId> edges;
  for (std::size_t i = 0; i < ports_.forwarder_count(); ++i) {
    const auto links = ports_.ports_of(ports_.node_of(SwitchId{i}));
    if (std::ranges::any_of(links, [&](const PortLink& link) { return ports_.is_host(link.peer); })) {
      edges.emplace_back(i);
    }
  }
  TwinGroups groups = twin_groups(topology, ports_, finder, edges);
  std::vector<Column> columns;
  for (std::vector<SwitchId>& members : groups.members) columns.push_back({std::move(members)});

  std::uint32_t cut_off = RoutingTable::no_column;
  destinations_.resize(ports_.host_count());
  for (std::size_t i = 0; i < destinations_.size(); ++i) {
    const auto links = ports_.ports_of(ports_.node_of(HostId{i}));
    SOYA_CHECK(links.size() <= 1, "a host has one link");
    if (links.empty() || ports_.is_host(links[0].peer)) continue;
    if (!dead.empty() && dead[links[0].link.index()]) {
      if (cut_off == RoutingTable::no_column) {
        cut_off = static_cast<std::uint32_t>(columns.size());
        columns.push_back({});
      }
      destinations_[i] = {SwitchId::none(), PortId::none(), cut_off, 0};
      continue;
    }
    const SwitchId edge = ports_.switch_at(links[0].peer);
    const TwinPlace& place = groups.places[edge.index()];
    destinations_[i] = {edge, links[0].peer_port, place.group, place.member};
  }
  return columns;
}

void Routing::split_columns(const TopologyConfig& topology, const std::vector<bool>& dead,
                            std::vector<Column>& columns) {
  std::vector<std::vector<Override>> overrides(ports_.host_count());
  for (const StaticRoute& route : topology.routes) {
    if (ports_.is_host(route.via)) continue;  // straight to the host: no switch does anything else
    if (!dead.empty() && !is_joined(ports_, route.at, route.via, dead)) continue;  // withdrawn
    const Override one{ports_.switch_at(route.at), ports_.switch_at(route.via)};
    for (const NodeId host : route.to) overrides[ports_.host_at(host).index()].push_back(one);
  }
  std::map<std::pair<SwitchId, std::vector<Override>>, std::uint32_t> known;
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    std::vector<Override>& own = overrides[i];
    Destination& at = destinations_[i];
    if (own.empty() || at.column == RoutingTable::no_column || at.edge.is_none()) continue;
    std::ranges::sort(own);
    SOYA_CHECK(std::ranges::adjacent_find(own, {}, &Override::at) == own.end(),
               "a switch has one static route to a host");
    const auto [entry, added] = known.try_emplace({at.edge, own}, static_cast<std::uint32_t>(columns.size()));
    if (added) columns.push_back({{at.edge}, std::move(own), at.column, at.member});
    at = {SwitchId::none(), at.port, entry->second, 0};
  }
}

std::vector<HostId> Routing::one_host_of_each_column() const {
  std::map<std::uint32_t, HostId> hosts;
  for (std::size_t h = 0; h < destinations_.size(); ++h) {
    if (destinations_[h].column != RoutingTable::no_column) hosts.try_emplace(destinations_[h].column, h);
  }
  std::vector<HostId> all;
  for (const auto& [column, host] : hosts) all.push_back(host);
  return all;
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
  return destinations_.size() * sizeof(Destination) + (sets_.size() + beside_.size()) * sizeof(CandidateSet) +
         candidates_.size() * sizeof(PortId) + tables_.size() * sizeof(RoutingTable);
}

std::uint64_t ecmp_hash_seed(std::uint64_t scenario_seed, const std::string& switch_name, std::uint64_t switch_seed) {
  return mix(mix(scenario_seed, hash_name(switch_name)), switch_seed);
}

}  // namespace soya
