// Clos networks: counts, diameter and bisection by the textbook's formulas.
#include <doctest/doctest.h>

#include <chrono>

#include "topology/families.hpp"
#include "topology/port_map.hpp"
#include "topology/tiers.hpp"
#include "unit/topology/network_measure.hpp"

using namespace soya;
using namespace soya::literals;
using namespace soya::test;

namespace {

template <class Config>
TopologyConfig made_by(const Config& config) {
  TopologyConfig topology;
  add_family(topology, config);
  const TopologySize size = family_size(config);
  CHECK(topology.nodes.size() == static_cast<std::size_t>(size.nodes));
  CHECK(topology.links.size() == static_cast<std::size_t>(size.links));
  return topology;
}

}  // namespace

TEST_CASE("a leaf-spine has leaves x spines x links per pair fabric links, diameter 4 and the smaller of two cuts") {
  struct Size {
    int leaves, spines, hosts, links;
  };
  for (const auto& [leaves, spines, hosts, links] :
       {Size{2, 1, 1, 1}, Size{2, 2, 4, 1}, Size{4, 2, 4, 1}, Size{4, 4, 4, 1}, Size{6, 3, 4, 2}, Size{8, 2, 3, 3}}) {
    CAPTURE(leaves);
    const TopologyConfig topology =
        made_by(LeafSpineConfig{.leaves = leaves, .spines = spines, .hosts_per_leaf = hosts, .links_per_pair = links});
    CHECK(count_kind(topology, NodeKind::host) == static_cast<std::size_t>(leaves * hosts));
    CHECK(count_tier(topology, 1) == static_cast<std::size_t>(leaves));
    CHECK(count_tier(topology, 2) == static_cast<std::size_t>(spines));
    CHECK(topology.links.size() == static_cast<std::size_t>(leaves * hosts + leaves * spines * links));
    CHECK(diameter(topology) == 4);
    // Half the hosts send at most over their own links, or over the uplinks of half the leaves.
    CHECK(bisection(topology) == std::min(leaves * hosts / 2, leaves / 2 * spines * links));
  }
}

TEST_CASE(
    "a fat tree of k has k^3/4 hosts, k^2/2 edge and aggregation and k^2/4 core switches, diameter 6, full bisection") {
  for (const int k : {2, 4, 6, 8, 10, 12}) {
    CAPTURE(k);
    const TopologyConfig topology = made_by(FatTreeConfig{.k = k});
    const auto n = static_cast<std::size_t>(k);
    CHECK(count_kind(topology, NodeKind::host) == n * n * n / 4);
    CHECK(count_tier(topology, 1) == n * n / 2);
    CHECK(count_tier(topology, 2) == n * n / 2);
    CHECK(count_tier(topology, 3) == n * n / 4);
    CHECK(count_kind(topology, NodeKind::switch_) == 5 * n * n / 4);
    // k^3/4 links of hosts, and as many of edge switches, and as many of aggregation switches, upwards.
    CHECK(topology.links.size() == 3 * n * n * n / 4);
    for (const std::uint8_t tier : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{3}})
      CHECK(ports_of_tier(topology, tier) == std::pair{n, n});
    CHECK(diameter(topology) == 6);
    CHECK(bisection(topology) == k * k * k / 8);
  }
}

TEST_CASE("a fat tree's pods have names, and aggregation i of every pod has the i-th k/2 cores") {
  FatTreeConfig config{.prefix = "x-", .k = 4};
  config.host_link.rate = 25_Gbps;
  config.fabric_link.rate = 50_Gbps;
  config.core_link.rate = 400_Gbps;
  const TopologyConfig topology = made_by(config);
  const auto pairs = links_by_pair(topology);
  const auto joined = [&](const std::string& a, const std::string& b) {
    return pairs.contains(std::minmax(node_at(topology, a), node_at(topology, b)));
  };
  CHECK(joined("x-host1", "x-pod1-edge1"));
  CHECK(joined("x-host4", "x-pod1-edge2"));
  CHECK(joined("x-host16", "x-pod4-edge2"));
  CHECK(joined("x-pod3-edge1", "x-pod3-aggregation2"));
  CHECK_FALSE(joined("x-pod3-edge1", "x-pod2-aggregation2"));
  for (const char* pod : {"1", "2", "3", "4"}) {
    CHECK(joined("x-pod" + std::string{pod} + "-aggregation1", "x-core2"));
    CHECK_FALSE(joined("x-pod" + std::string{pod} + "-aggregation1", "x-core3"));
    CHECK(joined("x-pod" + std::string{pod} + "-aggregation2", "x-core3"));
  }
  for (const LinkConfig& link : topology.links) {
    const NodeConfig& low = topology.nodes[link.a.index()];
    const Rate rate = low.kind == NodeKind::host ? 25_Gbps : low.tier == 1 ? 50_Gbps : 400_Gbps;
    CHECK(link.rate == rate);
  }
}

TEST_CASE("a full Clos of one radix has room for down x (radix/2)^(tiers-2) x radix hosts and uses every port") {
  struct Size {
    int tiers, radix, down;
    std::size_t hosts, leaves, between, spines;
  };
  // Of two tiers: radix leaves and as many spines as a leaf has uplinks. Of three: radix groups of radix/2 leaves; each
  // leaf's uplinks lead to as many switches of its group, each with radix/2 uplinks. Of four: one more factor of
  // radix/2.
  for (const Size& size : {Size{2, 4, 2, 2 * 4, 4, 0, 2}, Size{2, 8, 6, 6 * 8, 8, 0, 2},
                           Size{3, 4, 2, 2 * 2 * 4, 8, 8, 4}, Size{3, 6, 4, 4 * 3 * 6, 18, 6 * 2, 2 * 3},
                           Size{4, 4, 2, 2 * 2 * 2 * 4, 16, 16 + 16, 8}, Size{3, 8, 4, 4 * 4 * 8, 32, 32, 16}}) {
    CAPTURE(size.tiers);
    CAPTURE(size.radix);
    ClosConfig config{.tiers = size.tiers, .radix = size.radix, .down = size.down};
    CHECK(most_hosts(config) == size.hosts);
    config.hosts = static_cast<std::int64_t>(size.hosts);
    const TopologyConfig topology = made_by(config);
    CHECK(count_kind(topology, NodeKind::host) == size.hosts);
    CHECK(count_tier(topology, 1) == size.leaves);
    const auto top = static_cast<std::uint8_t>(size.tiers);
    CHECK(count_tier(topology, top) == size.spines);
    CHECK(count_kind(topology, NodeKind::switch_) == size.leaves + size.between + size.spines);
    const auto ports = static_cast<std::size_t>(size.radix);
    for (std::uint8_t tier = 1; tier <= top; ++tier) CHECK(ports_of_tier(topology, tier) == std::pair{ports, ports});
    for (const auto& [pair, links] : links_by_pair(topology)) CHECK(links == 1);
    CHECK(diameter(topology) == static_cast<std::size_t>(2 * size.tiers));
    // Half the leaves have leaves/2 x up uplinks, and half the hosts their own links: the fewer.
    const auto up = static_cast<std::int64_t>(size.radix - size.down);
    const auto half_leaves = static_cast<std::int64_t>(size.leaves / 2);
    CHECK(bisection(topology) == half_leaves * std::min<std::int64_t>(up, size.down));
  }
}

TEST_CASE("a Clos of three tiers without oversubscription is the fat tree") {
  for (const int k : {4, 6, 8}) {
    const TopologyConfig fat_tree = made_by(FatTreeConfig{.k = k});
    const TopologyConfig clos = made_by(ClosConfig{.tiers = 3, .radix = k, .down = k / 2, .hosts = k * k * k / 4});
    CHECK(links_by_pair(fat_tree) == links_by_pair(clos));  // nodes stand in the same order
  }
}

TEST_CASE("a Clos with fewer hosts has the leaves and groups that they need, and the whole top") {
  // Radix 4: 2 hosts to a leaf, 2 leaves to a group: 5 hosts take 3 leaves in 2 groups of 2 switches, and 4 spines.
  const TopologyConfig topology = made_by(ClosConfig{.tiers = 3, .radix = 4, .down = 2, .hosts = 5});
  CHECK(count_tier(topology, 1) == 3);
  CHECK(count_tier(topology, 2) == 2 * 2);
  CHECK(count_tier(topology, 3) == 4);
  CHECK(diameter(topology) == 6);
  const TopologyConfig single = made_by(ClosConfig{.tiers = 1, .radix = 7, .down = 7, .hosts = 7});
  CHECK(count_kind(single, NodeKind::switch_) == 1);
  CHECK(diameter(single) == 2);
}

TEST_CASE("families set the tiers that distance from the hosts gives") {
  for (const FamilyConfig& config :
       {FamilyConfig{LeafSpineConfig{}}, FamilyConfig{FatTreeConfig{.k = 6}},
        FamilyConfig{ClosConfig{.tiers = 4, .radix = 4, .down = 2, .hosts = 20}}, FamilyConfig{RailOptimizedConfig{}},
        FamilyConfig{DragonflyConfig{}}, FamilyConfig{TorusConfig{}}, FamilyConfig{RingTopologyConfig{}}}) {
    TopologyConfig topology;
    add_family(topology, config);
    const std::vector<std::uint8_t> set = tiers_of(topology);
    for (NodeConfig& node : topology.nodes) node.tier.reset();
    CHECK(set == tiers_of(topology));
  }
}

TEST_CASE("a fat tree of 11 664 hosts is built in well under two seconds") {
  // What this machine does in 30 ms may take another one 30 times as long; O(nodes x links) would take minutes.
  const auto begin = std::chrono::steady_clock::now();
  const TopologyConfig topology = made_by(FatTreeConfig{.k = 36});
  const PortMap ports = build_ports(topology);
  CHECK(ports.host_count() == 11'664);
  CHECK(ports.switch_count() == 1'620);
  CHECK(topology.links.size() == 34'992);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{2});
}
