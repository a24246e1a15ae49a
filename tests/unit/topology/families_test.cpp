#include "topology/families.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace soya;
using namespace soya::literals;

TEST_CASE("a leaf-spine names hosts, leaves and spines, and numbers them in that order") {
  TopologyConfig topology;
  LeafSpineConfig config{.prefix = "札幌-", .leaves = 3, .spines = 2, .hosts_per_leaf = 4};
  config.where = {"f.yaml", 7, 5, "topology.parts[0].leaf_spine"};
  add_leaf_spine(topology, config);

  REQUIRE(topology.nodes.size() == 3 * 4 + 3 + 2);
  CHECK(topology.nodes[0].name == "札幌-host1");
  CHECK(topology.nodes[11].name == "札幌-host12");
  CHECK(topology.nodes[12].name == "札幌-leaf1");
  CHECK(topology.nodes[14].name == "札幌-leaf3");
  CHECK(topology.nodes[15].name == "札幌-spine1");
  CHECK(topology.nodes[16].name == "札幌-spine2");
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    CHECK(topology.nodes[i].kind == (i < 12 ? NodeKind::host : NodeKind::switch_));
    CHECK(topology.nodes[i].where.line == 7);
  }
}

TEST_CASE("host k hangs off leaf ceil(k / hosts per leaf), by the host link's rate and length") {
  TopologyConfig topology;
  LeafSpineConfig config{.leaves = 3, .spines = 2, .hosts_per_leaf = 4};
  config.host_link.rate = 100_Gbps;
  config.host_link.length = 3_m;
  config.fabric_link.rate = 400_Gbps;
  config.fabric_link.length = 30_m;
  add_leaf_spine(topology, config);

  REQUIRE(topology.links.size() == 12 + 3 * 2);
  for (std::size_t k = 1; k <= 12; ++k) {
    const LinkConfig& link = topology.links[k - 1];
    CHECK(link.a == NodeId{k - 1});
    CHECK(topology.nodes[link.b.index()].name == "leaf" + std::to_string((k + 3) / 4));
    CHECK(link.rate == 100_Gbps);
    CHECK(link.length == 3_m);
  }
  for (std::size_t i = 12; i < topology.links.size(); ++i) {
    CHECK(topology.links[i].rate == 400_Gbps);
    CHECK(topology.links[i].forward_way() == 150_ns);  // 30 m at 5 ns/m
  }
}

TEST_CASE("every leaf has its parallel links to every spine") {
  TopologyConfig topology;
  add_leaf_spine(topology, {.leaves = 3, .spines = 2, .hosts_per_leaf = 1, .links_per_pair = 2});

  std::multiset<std::pair<std::string, std::string>> pairs;
  for (const LinkConfig& link : topology.links) {
    pairs.emplace(topology.nodes[link.a.index()].name, topology.nodes[link.b.index()].name);
  }
  CHECK(pairs.size() == 3 + 3 * 2 * 2);
  for (const char* leaf : {"leaf1", "leaf2", "leaf3"}) {
    for (const char* spine : {"spine1", "spine2"}) CHECK(pairs.count({leaf, spine}) == 2);
  }
}

TEST_CASE("a second part is appended to the first, with ends of its own") {
  TopologyConfig topology;
  add_leaf_spine(topology, {.prefix = "a-", .leaves = 1, .spines = 1, .hosts_per_leaf = 2});
  add_leaf_spine(topology, {.prefix = "b-", .leaves = 1, .spines = 1, .hosts_per_leaf = 2});

  REQUIRE(topology.nodes.size() == 2 * 4);
  REQUIRE(topology.links.size() == 2 * 3);
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string prefix = i < 3 ? "a-" : "b-";
    CHECK(topology.nodes[topology.links[i].a.index()].name.starts_with(prefix));
    CHECK(topology.nodes[topology.links[i].b.index()].name.starts_with(prefix));
  }
}
