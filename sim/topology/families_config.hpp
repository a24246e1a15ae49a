// The parameters of each family: what a scenario's `parts` say.
// Simplifies: every switch of a tier is alike; another shape is explicit nodes and links.
// Source: named at each family. Validated by tests/unit/topology.
// Of a link kind the rate, length, delay and loss count; a family fills the ends in. `a` is the lower end, so that
// `rate` is the way up and `reverse_rate` the way down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/units.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// Two-tier Clos: every leaf has one link (or more) to every spine.
/// Names are {prefix}host1…, {prefix}leaf1…, {prefix}spine1…; host k hangs off leaf ⌈k / hosts_per_leaf⌉.
struct LeafSpineConfig {
  std::string prefix{};
  int leaves{2};
  int spines{2};
  int hosts_per_leaf{2};
  int links_per_pair{1};   ///< parallel links between a leaf and a spine
  LinkConfig host_link{};  ///< rate, length and delay only; the ends are filled in
  LinkConfig fabric_link{};
  Where where{};
};

/// Three-tier fat tree of switches with k ports (Al-Fares, Loukissas, Vahdat, SIGCOMM 2008): k pods of k/2 edge and k/2
/// aggregation switches, (k/2)² core switches, k/2 hosts on each edge switch.
/// Names are {prefix}host1…, {prefix}pod1-edge1…, {prefix}pod1-aggregation1…, {prefix}core1….
struct FatTreeConfig {
  std::string prefix{};
  int k{4};  ///< even
  LinkConfig host_link{};
  LinkConfig fabric_link{};  ///< edge to aggregation
  LinkConfig core_link{};    ///< aggregation to core
  Where where{};
};

/// Folded Clos of switches with one radix (Clos, BSTJ 1953; Leiserson's fat tree, IEEE ToC 1985; as the k-ary n-tree of
/// Petrini and Vanneschi, IPPS 1997). A leaf has `down` ports for hosts and `up` for uplinks; a switch between has half
/// its ports each way; a spine has all its ports down. A group of tier t is radix/2 groups of tier t - 1 and the
/// switches above them; switch j above switch w of each group has one link to the w-th top switch of every group below
/// it; at the top there are up to `radix` groups. Hosts fill leaf after leaf; leaves and groups without hosts are not
/// built. Names are {prefix}host1…, {prefix}leaf1…, {prefix}tier2-switch1…, {prefix}spine1….
struct ClosConfig {
  std::string prefix{};
  int tiers{3};
  int radix{64};
  int down{32};  ///< ports of a leaf for hosts; the rest lead up
  std::int64_t hosts{0};
  LinkConfig host_link{};
  LinkConfig fabric_link{};
  Where where{};

  [[nodiscard]] int up() const { return radix - down; }
};

/// Servers of several GPUs where GPU i of every server of a block hangs off rail switch i of the block (NVIDIA DGX
/// SuperPOD reference architecture). Spines join all rails; `rail_only` has them join the switches of one rail in
/// several blocks alone (Wang, Ghobadi et al., "Rail-only", HOTI 2024). Names are {prefix}server1-gpu1…,
/// {prefix}block1-rail1…, {prefix}spine1… or, with rail_only, {prefix}rail1-spine1….
struct RailOptimizedConfig {
  std::string prefix{};
  int servers{4};
  int gpus_per_server{8};
  int servers_per_block{4};
  int spines{8};  ///< with rail_only of each rail; none where it has one block
  int links_per_pair{1};
  bool rail_only{false};
  LinkConfig host_link{};
  LinkConfig fabric_link{};
  std::optional<LinkConfig> local{};  ///< of each GPU inside its server
  Where where{};
};

/// Groups of routers, each group fully joined, and every two groups joined (Kim, Dally, Scott, Abts, ISCA 2008). Two
/// groups have ⌊a h / (g - 1)⌋ links; global ports left over stay free. The n-th global port of a group is at its
/// router ⌈n / h⌉ and leads to the n-th other group. Names are {prefix}host1…, {prefix}group1-router1….
struct DragonflyConfig {
  std::string prefix{};
  int groups{9};
  int routers_per_group{4};        ///< a
  int hosts_per_router{2};         ///< p
  int global_links_per_router{2};  ///< h
  LinkConfig host_link{};
  LinkConfig group_link{};   ///< inside a group
  LinkConfig global_link{};  ///< between groups
  Where where{};
};

/// A grid that closes on itself in every dimension: the k-ary n-cube (Dally, IEEE ToC 1990). A dimension of 2 has one
/// link where a longer one has two, since both ways round lead to the same neighbour.
/// Names are {prefix}host1…, {prefix}switch1-1-1…; the last coordinate counts first.
struct TorusConfig {
  std::string prefix{};
  std::vector<int> dimensions{4, 4};
  int hosts_per_switch{1};
  LinkConfig host_link{};
  LinkConfig fabric_link{};
  Where where{};
};

/// Switches in a circle; two have one link. Names are {prefix}host1…, {prefix}switch1….
struct RingTopologyConfig {
  std::string prefix{};
  int switches{4};
  int hosts_per_switch{1};
  LinkConfig host_link{};
  LinkConfig fabric_link{};
  Where where{};
};

/// A family that stands by itself.
using FamilyConfig = std::variant<LeafSpineConfig, FatTreeConfig, ClosConfig, RailOptimizedConfig, DragonflyConfig,
                                  TorusConfig, RingTopologyConfig>;

/// One site: its family's prefix is {prefix of multi_site}{name}- and its own.
struct SiteConfig {
  std::string name{};
  FamilyConfig family{};
  std::vector<std::string> gateways{};  ///< names of nodes without the prefix of the site; empty: its highest tier
  Where where{};
};

/// Which sites have long links: every two; each and the next, and the last and the first; without these; the first and
/// each.
enum class SiteShape { full, ring, chain, hub };

/// Sites of any family. Each has a switch for long links, {prefix}{name}-dci, with one link to each of its gateways; or
/// long links run from the k-th gateway of one site to the k-th of the other.
struct MultiSiteConfig {
  std::string prefix{};
  std::vector<SiteConfig> sites{};
  SiteShape shape{SiteShape::full};
  bool dci{true};
  int links_per_pair{1};  ///< parallel long links
  LinkConfig long_link{};
  LinkConfig gateway_link{};  ///< gateway to DCI switch
  Where where{};
};

}  // namespace soya
