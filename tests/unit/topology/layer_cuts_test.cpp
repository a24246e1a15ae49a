#include "topology/layer_cuts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "topology/families.hpp"
#include "unit/topology/even_query.hpp"
#include "unit/topology/small_topology.hpp"

using namespace soya;
using soya::test::even_query;
using soya::test::SmallTopology;

namespace {

/// No link joins two parts of one side, hosts are on islands, and every part has a node.
void check_sides(const TopologyConfig& topology, const Cuts& cuts) {
  REQUIRE(cuts.sides.size() == cuts.parts);
  const auto part = [&](NodeId node) { return cuts.part[node.index()]; };
  for (const LinkConfig& link : topology.links) {
    const bool is_cut = part(link.a) != part(link.b);
    if (is_cut) CHECK(cuts.sides[part(link.a)] != cuts.sides[part(link.b)]);
  }
  std::vector<int> nodes(cuts.parts);
  for (std::size_t n = 0; n < cuts.part.size(); ++n) {
    ++nodes[cuts.part[n]];
    if (topology.nodes[n].kind == NodeKind::host) CHECK(cuts.sides[cuts.part[n]] == Side::islands);
  }
  CHECK(std::ranges::all_of(nodes, [](int count) { return count > 0; }));
}

TopologyConfig fat_tree(std::int32_t k) {
  TopologyConfig topology;
  FatTreeConfig config;
  config.k = k;
  add_fat_tree(topology, config);
  return topology;
}

std::ptrdiff_t count(const Cuts& cuts, Side side) {
  return std::ranges::count(cuts.sides, side);
}

}  // namespace

TEST_CASE("a fat tree is cut between its pods and its cores, which fill parts one after another") {
  // k = 8: 8 pods of 16 hosts and 8 switches of 8 ports, 80 ports each; 16 cores of 8 ports, 128 in all.
  const TopologyConfig topology = fat_tree(8);
  const auto by_pods = layer_cuts_of(topology, even_query(topology, 1), 80);
  REQUIRE(by_pods);
  check_sides(topology, *by_pods);
  CHECK(count(*by_pods, Side::islands) == 8);
  CHECK(count(*by_pods, Side::between) == 2);  // 12 cores are 96 ports, up to a quarter more than 80: 12 and 4
  // A pod has 24 nodes of 208 and 12 cores the most between them: 208 / (24 + 12) times faster at best.
  CHECK(by_pods->balance == doctest::Approx(208.0 / 36));
  const auto pairs = layer_cuts_of(topology, even_query(topology, 1), 160);
  REQUIRE(pairs);
  check_sides(topology, *pairs);
  CHECK(count(*pairs, Side::islands) == 4);
  CHECK(count(*pairs, Side::between) == 1);
}

TEST_CASE("there are as many parts of islands as are asked for, or no cut by layers") {
  const TopologyConfig topology = fat_tree(8);
  const auto eight = layer_cuts_of(topology, even_query(topology, 8), 10'000);
  REQUIRE(eight);
  CHECK(count(*eight, Side::islands) == 8);
  const auto two = layer_cuts_of(topology, even_query(topology, 1), 10'000);
  REQUIRE(two);
  CHECK(count(*two, Side::islands) == 2);
  // 32 leaves with 4 hosts each are islands, too, where pods are too few: between them are the switches of tier 2.
  const auto nine = layer_cuts_of(topology, even_query(topology, 9), 10'000);
  REQUIRE(nine);
  check_sides(topology, *nine);
  CHECK(count(*nine, Side::islands) >= 9);
  CHECK_FALSE(layer_cuts_of(topology, even_query(topology, 1'000), 10'000));
}

TEST_CASE("leaves of a leaf-spine are islands") {
  TopologyConfig topology;
  LeafSpineConfig config;
  config.leaves = 4;
  config.spines = 2;
  config.hosts_per_leaf = 3;
  add_leaf_spine(topology, config);
  // A leaf has 3 hosts and 5 ports, and its hosts one each: 8 ports. A spine has 4.
  const auto cuts = layer_cuts_of(topology, even_query(topology, 1), 4);
  REQUIRE(cuts);
  check_sides(topology, *cuts);
  CHECK(count(*cuts, Side::islands) == 4);
  CHECK(count(*cuts, Side::between) == 2);
}

TEST_CASE("no cut by layers where switches of the tier are joined, where a link has no length, or in one tier") {
  const auto two_leaves = [] {
    SmallTopology small;
    small.host("h1").host("h2").switch_("l1").switch_("l2").switch_("s1").switch_("s2");
    small.link("h1", "l1").link("h2", "l2").link("l1", "s1").link("l2", "s1").link("l1", "s2").link("l2", "s2");
    return small;
  };
  SmallTopology apart = two_leaves();
  CHECK(layer_cuts_of(apart.config, {1, std::vector<Duration>(6, Duration{5}), std::vector<double>(6, 1.0)}, 1));
  CHECK_FALSE(layer_cuts_of(apart.config, {1, std::vector<Duration>(6, Duration{0}), std::vector<double>(6, 1.0)}, 1));
  SmallTopology joined = two_leaves();
  joined.link("s1", "s2");
  CHECK_FALSE(layer_cuts_of(joined.config, {1, std::vector<Duration>(7, Duration{5}), std::vector<double>(6, 1.0)}, 1));
  SmallTopology star;
  star.host("h1").host("h2").switch_("s").link("h1", "s").link("h2", "s");
  CHECK_FALSE(layer_cuts_of(star.config, {1, std::vector<Duration>(2, Duration{5}), std::vector<double>(3, 1.0)}, 1));
}

TEST_CASE("a server whose NICs are on two leaves makes them one island") {
  SmallTopology small;
  small.host("h1").host("h2").host("h3").switch_("l1").switch_("l2").switch_("l3").switch_("s");
  small.link("h1", "l1").link("h2", "l2").link("h3", "l3").link("l1", "s").link("l2", "s").link("l3", "s");
  ServerConfig server;
  server.gpus = {small.id("h1"), small.id("h2")};
  server.nics = server.gpus;
  small.config.servers.push_back(server);
  const auto cuts = layer_cuts_of(small.config, {1, std::vector<Duration>(6, Duration{5}), std::vector<double>(7, 1.0)}, 2);
  REQUIRE(cuts);
  check_sides(small.config, *cuts);
  CHECK(count(*cuts, Side::islands) == 2);
  CHECK(cuts->part[small.id("h1").index()] == cuts->part[small.id("l2").index()]);
}
