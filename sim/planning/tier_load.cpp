#include "planning/tier_load.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "topology/tiers.hpp"

namespace soya {

namespace {

using Tier = std::uint16_t;
using TierPair = std::pair<Tier, Tier>;

/// The switches inside servers, which are no tier of the network; above all that are.
constexpr Tier local = 256;

[[nodiscard]] std::vector<Tier> network_tiers(const TopologyConfig& topology) {
  const std::vector<std::uint8_t> all = tiers_of(topology);
  std::vector<Tier> tiers{all.begin(), all.end()};
  for (const ServerConfig& server : topology.servers) {
    if (server.local) tiers[server.local_switch.index()] = local;
  }
  return tiers;
}

/// The second ports of GPUs are named after the first.
[[nodiscard]] std::set<NodeId> second_ports(const TopologyConfig& topology) {
  std::set<NodeId> ports;
  for (const ServerConfig& server : topology.servers) {
    for (std::size_t gpu = 0; gpu < server.local_ports.size(); ++gpu) {
      if (server.local_ports[gpu] != server.gpus[gpu]) ports.insert(server.local_ports[gpu]);
    }
  }
  return ports;
}

/// "leaf" of "tokyo-leaf12"; nothing where a name ends otherwise.
[[nodiscard]] std::string_view stem_of(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end == std::string_view::npos) return {};
  name = name.substr(0, end + 1);
  const std::size_t separator = name.find_last_of("-_./");
  return separator == std::string_view::npos ? name : name.substr(separator + 1);
}

[[nodiscard]] std::map<Tier, std::string> tier_names(const TopologyConfig& topology, const std::vector<Tier>& tiers) {
  const std::set<NodeId> unnamed = second_ports(topology);
  std::map<Tier, std::string> names;
  std::set<Tier> mixed;
  for (std::size_t n = 0; n < tiers.size(); ++n) {
    if (unnamed.contains(NodeId{n})) continue;
    const std::string stem{stem_of(topology.nodes[n].name)};
    const auto [entry, is_first] = names.try_emplace(tiers[n], stem);
    if (stem.empty() || entry->second != stem) mixed.insert(tiers[n]);
  }
  std::map<std::string, int> uses;
  for (const auto& [tier, name] : names) ++uses[name];
  for (auto& [tier, name] : names) {
    if (tier == local) {
      name = "local switch";
      continue;
    }
    if (mixed.contains(tier) || uses[name] > 1) name = tier == 0 ? "hosts" : "tier " + std::to_string(tier);
  }
  return names;
}

/// Pairs of tiers with links that a switch chooses among.
[[nodiscard]] std::set<TierPair> choices(const Routing& routing, const std::vector<Tier>& tiers) {
  const PortMap& ports = routing.ports();
  const std::vector<HostId> destinations = routing.one_host_of_each_column();
  std::set<TierPair> pairs;
  for (std::size_t s = 0; s < ports.switch_count(); ++s) {
    const NodeId node = ports.node_of(SwitchId{s});
    const PortId* known = nullptr;
    for (const HostId host : destinations) {
      const std::span<const PortId> candidates = routing.table(SwitchId{s}).candidates(host);
      if (candidates.size() < 2 || candidates.data() == known) continue;
      known = candidates.data();
      for (const PortId port : candidates) {
        pairs.emplace(tiers[node.index()], tiers[ports.at({node, port}).peer.index()]);
      }
    }
  }
  return pairs;
}

}  // namespace

std::vector<TierLinks> tier_links(const TopologyConfig& topology, const Routing& routing) {
  const PortMap& ports = routing.ports();
  const std::vector<Tier> tiers = network_tiers(topology);
  const auto names = tier_names(topology, tiers);
  const std::set<TierPair> chosen = choices(routing, tiers);
  // Upwards before downwards, from below.
  using Order = std::tuple<Tier, Tier, bool>;
  std::map<Order, TierLinks> pairs;
  for (LinkDirection d = 0; d < 2 * topology.links.size(); ++d) {
    const PortRef egress = egress_of(ports, d);
    const Tier from = tiers[egress.node.index()];
    const Tier to = tiers[ports.at(egress).peer.index()];
    TierLinks& pair = pairs[{std::min(from, to), std::max(from, to), from > to}];
    if (pair.directions.empty()) pair = {names.at(from), names.at(to), chosen.contains({from, to}), {}};
    pair.directions.push_back(d);
  }
  std::vector<TierLinks> all;
  for (auto& [order, pair] : pairs) {
    std::ranges::stable_sort(pair.directions, {}, [&](LinkDirection d) {
      const PortRef egress = egress_of(ports, d);
      return std::tie(topology.nodes[egress.node.index()].name, topology.nodes[ports.at(egress).peer.index()].name);
    });
    all.push_back(std::move(pair));
  }
  return all;
}

LoadSpread spread_of(const TierLinks& links, std::span<const Bytes> loads) {
  LoadSpread spread;
  Bytes sum{0};
  for (const LinkDirection d : links.directions) {
    spread.unused += loads[d] == Bytes{0} ? 1 : 0;
    spread.max = std::max(spread.max, loads[d]);
    sum += loads[d];
  }
  const auto count = static_cast<std::int64_t>(links.directions.size());
  spread.mean = (sum + Bytes{count / 2}) / count;
  spread.max_to_mean = sum == Bytes{0} ? std::numeric_limits<double>::quiet_NaN()
                                       : static_cast<double>(spread.max.count()) * static_cast<double>(count) /
                                             static_cast<double>(sum.count());
  return spread;
}

std::string port_label(const TopologyConfig& topology, const PortMap& ports, PortRef port) {
  const auto plugs = ports.ports_of(port.node);
  const NodeId peer = plugs[port.port.index()].peer;
  std::size_t parallel = 0;
  std::size_t ordinal = 0;
  for (std::size_t p = 0; p < plugs.size(); ++p) {
    if (plugs[p].peer != peer) continue;
    if (p < port.port.index()) ++ordinal;
    ++parallel;
  }
  const std::string& name = topology.nodes[peer.index()].name;
  return parallel == 1 ? name : name + "#" + std::to_string(ordinal);
}

std::string direction_name(const TopologyConfig& topology, const PortMap& ports, LinkDirection direction) {
  const PortRef egress = egress_of(ports, direction);
  return topology.nodes[egress.node.index()].name + " > " + port_label(topology, ports, egress);
}

}  // namespace soya
