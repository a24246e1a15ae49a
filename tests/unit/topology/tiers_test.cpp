#include "topology/tiers.hpp"

#include <doctest/doctest.h>

#include "small_topology.hpp"
#include "topology/families.hpp"

using namespace soya;
using soya::test::SmallTopology;

using Tiers = std::vector<std::uint8_t>;

TEST_CASE("hosts stand in tier 0, leaves in 1, spines in 2") {
  TopologyConfig topology;
  LeafSpineConfig config;
  config.leaves = 2;
  config.spines = 1;
  config.hosts_per_leaf = 1;
  add_leaf_spine(topology, config);
  CHECK(tiers_of(topology) == Tiers{0, 0, 1, 1, 2});
}

TEST_CASE("a tier that is given starts those beyond it, and a switch without hosts stands in tier 1") {
  SmallTopology t;
  t.host("h").switch_("leaf").switch_("border").switch_("beyond").switch_("alone");
  t.link("h", "leaf").link("leaf", "border").link("border", "beyond");
  CHECK(tiers_of(t.config) == Tiers{0, 1, 2, 3, 1});
  t.config.nodes[2].tier = 5;
  CHECK(tiers_of(t.config) == Tiers{0, 1, 5, 6, 1});
}

TEST_CASE("tiers end at 255, however long a chain is") {
  SmallTopology t;
  t.host("h").switch_("s1").link("h", "s1");
  for (int k = 2; k <= 300; ++k) {
    t.switch_("s" + std::to_string(k)).link("s" + std::to_string(k - 1), "s" + std::to_string(k));
  }
  const Tiers tiers = tiers_of(t.config);
  CHECK(tiers[255] == 255);  // s255
  CHECK(tiers.back() == 255);
}
