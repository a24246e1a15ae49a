#include "topology/families.hpp"

#include <array>

#include "core/check.hpp"
#include "topology/family_builder.hpp"

namespace soya {
namespace {

constexpr std::array<FamilyInfo, 8> table{{
    {"leaf_spine", "leaves, spines, hosts_per_leaf, links_per_pair or oversubscription",
     "two tiers: every leaf has links to every spine",
     "hosts = leaves × hosts_per_leaf; fabric links = leaves × spines × links_per_pair; diameter 4 links",
     "folded Clos: Clos, Bell System Technical Journal 1953"},
    {"fat_tree", "k", "three tiers of switches with k ports, in k pods",
     "hosts = k³/4; edge = aggregation = k²/2; core = k²/4; diameter 6 links; bisection k³/8 host links",
     "Al-Fares, Loukissas, Vahdat, SIGCOMM 2008"},
    {"clos", "tiers, radix, oversubscription, hosts", "tiers of switches with one radix",
     "hosts = down × (radix/2)^(tiers - 2) × radix, where down/up = oversubscription and down + up = radix; diameter "
     "2 × tiers links",
     "Clos, Bell System Technical Journal 1953; Petrini and Vanneschi, IPPS 1997"},
    {"rail_optimized", "servers, gpus_per_server, servers_per_block, spines, links_per_pair, rail_only, local",
     "GPU i of every server of a block hangs off rail switch i",
     "hosts = servers × gpus_per_server; rail switches = ⌈servers / servers_per_block⌉ × gpus_per_server; diameter 2 "
     "links on a rail of a block, else 4",
     "NVIDIA DGX SuperPOD reference architecture; rail-only: Wang et al., Hot Interconnects 2024"},
    {"dragonfly", "groups, routers_per_group (a), hosts_per_router (p), global_links_per_router (h)",
     "groups of routers, all joined inside a group, and every two groups joined",
     "groups g ≤ a h + 1; hosts = a p g; links inside groups = g a (a - 1)/2, between two groups ⌊a h / (g - 1)⌋; "
     "diameter 5 links",
     "Kim, Dally, Scott, Abts, ISCA 2008"},
    {"torus", "dimensions, hosts_per_switch", "a grid that closes on itself",
     "switches N = product of dimensions; links N for each dimension above 2, N/2 for one of 2; diameter 2 + sum of "
     "⌊d/2⌋; bisection 2 N/d links across the longest dimension d, if even and above 2",
     "Dally, IEEE Transactions on Computers 1990"},
    {"ring", "switches, hosts_per_switch", "switches in a circle",
     "links = switches, 1 for two; diameter 2 + ⌊switches/2⌋; bisection 2 links", "textbook"},
    {"multi_site", "sites, shape, long_link, dci, gateways, gateway_link, links_per_pair",
     "sites of any family joined by long links, each with a switch for them",
     "n sites: long links = links_per_pair × n (n - 1)/2 (full), n (ring), n - 1 (chain, hub)", "ours"},
}};

TopologySize size_of(const LeafSpineConfig& c) {
  const Int128 hosts = static_cast<Int128>(c.leaves) * c.hosts_per_leaf;
  return {hosts + c.leaves + c.spines, static_cast<Int128>(c.leaves) * c.spines * c.links_per_pair + hosts};
}

TopologySize size_of(const FatTreeConfig& c) {
  const Int128 hosts = static_cast<Int128>(c.k) * c.k * c.k / 4;
  return {hosts + static_cast<Int128>(c.k) * c.k * 5 / 4, 3 * hosts};
}

TopologySize size_of(const ClosConfig& c) {
  Int128 groups = (c.hosts + c.down - 1) / c.down;  // of a tier, at first the leaves
  TopologySize size{c.hosts + groups, c.hosts};
  Int128 tops = 1;  // switches at the top of a group
  Int128 up = c.up();
  for (int tier = 2; tier <= c.tiers; ++tier) {
    size.links += groups * tops * up;
    tops *= up;
    up = c.radix / 2;
    groups = tier == c.tiers ? 1 : (groups + up - 1) / up;
    size.nodes += groups * tops;
  }
  return size;
}

TopologySize size_of(const RailOptimizedConfig& c) {
  const Int128 blocks = (static_cast<Int128>(c.servers) + c.servers_per_block - 1) / c.servers_per_block;
  const Int128 hosts = static_cast<Int128>(c.servers) * c.gpus_per_server;
  const Int128 rails = blocks * c.gpus_per_server;
  const Int128 spines = static_cast<Int128>(c.spines) * (c.rail_only ? c.gpus_per_server : 1);
  // The server's own switch and second ports come later (servers.hpp).
  const Int128 local = c.local ? hosts : 0;
  return {hosts + rails + spines + local + (c.local ? c.servers : 0),
          hosts + rails * c.spines * c.links_per_pair + local};
}

TopologySize size_of(const DragonflyConfig& c) {
  const Int128 g = c.groups;
  const Int128 a = c.routers_per_group;
  const Int128 hosts = g * a * c.hosts_per_router;
  const Int128 per_pair = g > 1 ? a * c.global_links_per_router / (g - 1) : 0;
  return {hosts + g * a, hosts + g * a * (a - 1) / 2 + per_pair * g * (g - 1) / 2};
}

TopologySize size_of(const TorusConfig& c) {
  Int128 switches = 1;
  constexpr Int128 beyond_reason = Int128{1} << 60;  // of more dimensions the product might wrap
  for (const int d : c.dimensions) switches = switches > beyond_reason ? switches : switches * d;
  Int128 links = switches * c.hosts_per_switch;
  for (const int d : c.dimensions) links += d > 2 ? switches : d == 2 ? switches / 2 : 0;
  return {switches * (1 + c.hosts_per_switch), links};
}

TopologySize size_of(const RingTopologyConfig& c) {
  return size_of(TorusConfig{.dimensions = {c.switches}, .hosts_per_switch = c.hosts_per_switch});
}

void add(TopologyConfig& topology, const LeafSpineConfig& c) {
  add_leaf_spine(topology, c);
}
void add(TopologyConfig& topology, const FatTreeConfig& c) {
  add_fat_tree(topology, c);
}
void add(TopologyConfig& topology, const ClosConfig& c) {
  add_clos(topology, c);
}
void add(TopologyConfig& topology, const RailOptimizedConfig& c) {
  add_rail_optimized(topology, c);
}
void add(TopologyConfig& topology, const DragonflyConfig& c) {
  add_dragonfly(topology, c);
}
void add(TopologyConfig& topology, const TorusConfig& c) {
  add_torus(topology, c);
}
void add(TopologyConfig& topology, const RingTopologyConfig& c) {
  add_ring(topology, c);
}

}  // namespace

std::span<const FamilyInfo> family_table() {
  return table;
}

TopologySize family_size(const FamilyConfig& config) {
  return std::visit([](const auto& c) { return size_of(c); }, config);
}

void add_family(TopologyConfig& topology, const FamilyConfig& config) {
  const TopologySize more = family_size(config);
  topology.nodes.reserve(topology.nodes.size() + static_cast<std::size_t>(more.nodes));
  topology.links.reserve(topology.links.size() + static_cast<std::size_t>(more.links));
  std::visit([&](const auto& c) { add(topology, c); }, config);
}

}  // namespace soya
