#include "topology/partition_cuts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "topology/families.hpp"
#include "unit/topology/even_query.hpp"

using namespace soya;
using soya::test::even_query;

namespace {

LinkConfig of_length(std::int64_t metres) {
  LinkConfig link;
  link.length = Length{metres * 1000};
  return link;
}

TopologyConfig two_leaf_spines() {
  TopologyConfig topology;
  LeafSpineConfig site;
  site.leaves = 4;
  site.spines = 2;
  site.hosts_per_leaf = 4;
  site.host_link = of_length(5);
  site.fabric_link = of_length(30);
  site.prefix = "a-";
  add_leaf_spine(topology, site);
  site.prefix = "b-";
  add_leaf_spine(topology, site);
  return topology;
}

/// Every host with its only switch, and how many links are cut.
std::size_t check_cuts(const TopologyConfig& topology, const Cuts& cuts) {
  std::size_t cut = 0;
  for (const LinkConfig& link : topology.links) {
    const bool is_cut = cuts.part[link.a.index()] != cuts.part[link.b.index()];
    cut += is_cut ? 1U : 0U;
    if (is_cut) CHECK(cuts.lookahead <= std::min(link.forward_way(), link.reverse_way()));
    const bool has_host = topology.nodes[link.a.index()].kind == NodeKind::host ||
                          topology.nodes[link.b.index()].kind == NodeKind::host;
    if (has_host) CHECK_FALSE(is_cut);
  }
  CHECK(std::set(cuts.part.begin(), cuts.part.end()).size() == cuts.parts);
  return cut;
}

}  // namespace

TEST_CASE("two sites are cut at the long link, however many short ones there are") {
  TopologyConfig topology = two_leaf_spines();
  LinkConfig haul = of_length(300'000);
  haul.a = NodeId{16U};  // the first leaf of each site is behind its 16 hosts
  haul.b = NodeId{16U + 22U};
  topology.links.push_back(haul);
  REQUIRE(topology.nodes[haul.a.index()].kind == NodeKind::switch_);
  REQUIRE(topology.nodes[haul.b.index()].kind == NodeKind::switch_);
  const Cuts cuts = cuts_of(topology, even_query(topology, 2));
  CHECK(cuts.parts == 2);
  CHECK(check_cuts(topology, cuts) == 1);
  CHECK(cuts.lookahead == haul.forward_way());
  CHECK(cuts.balance == doctest::Approx(2));
  for (std::size_t n = 0; n < 22; ++n) CHECK(cuts.part[n] == cuts.part[0]);
}

TEST_CASE("pods of a fat tree stay whole, and parts are even") {
  TopologyConfig topology;
  FatTreeConfig config;
  config.k = 8;
  add_fat_tree(topology, config);
  for (const std::size_t parts : {2UL, 4UL}) {
    CAPTURE(parts);
    const Cuts cuts = cuts_of(topology, even_query(topology, parts));
    CHECK(cuts.parts == parts);
    // 8 pods of 16 hosts and 8 switches, 16 cores: 208 nodes, so a pod more or less is 0.115 of all.
    CHECK(cuts.balance >= 0.85 * static_cast<double>(parts));
    // Each of the 8 pods has 16 links to cores; no more than those are cut.
    CHECK(check_cuts(topology, cuts) <= 8 * 16);
  }
}

TEST_CASE("what has no length is never cut, and one part is no cut at all") {
  TopologyConfig topology = two_leaf_spines();
  CutQuery query = even_query(topology, 4);
  std::fill(query.shortest.begin(), query.shortest.end(), Duration{0});
  LinkConfig joint = of_length(5);
  joint.a = NodeId{16U};
  joint.b = NodeId{38U};
  topology.links.push_back(joint);
  query.shortest.push_back(Duration{0});
  CHECK(cuts_of(topology, query).parts == 1);
  CHECK(cuts_of(topology, even_query(topology, 1)).parts == 1);
}

TEST_CASE("hosts of a lone switch leave it where nothing else can be cut, and a server stays whole") {
  TopologyConfig topology;
  topology.nodes.push_back({"s", NodeKind::switch_, {}});
  for (std::uint32_t i = 1; i <= 4; ++i) {
    topology.nodes.push_back({"h" + std::to_string(i), NodeKind::host, {}});
    LinkConfig link = of_length(100);
    link.a = NodeId{i};
    link.b = NodeId{0U};
    topology.links.push_back(link);
  }
  topology.servers.push_back({"server", {NodeId{1U}, NodeId{2U}}, {NodeId{1U}, NodeId{1U}}, {}, NodeId::none(), {}, {}});
  const Cuts cuts = cuts_of(topology, even_query(topology, 3));
  CHECK(cuts.parts == 3);
  CHECK(cuts.part[1] == cuts.part[2]);
  CHECK(cuts.lookahead == of_length(100).forward_way());
}
