// Links by tiers, counted by hand.
#include "planning/tier_load.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/units_io.hpp"
#include "topology/families.hpp"
#include "topology/port_map.hpp"
#include "topology/servers.hpp"

using namespace soya;

namespace {

/// Two leaves, three spines, two hosts at each leaf: 4 + 6 links.
struct Fabric {
  TopologyConfig topology{[] {
    TopologyConfig config;
    LeafSpineConfig family;
    family.prefix = "tokyo-";
    family.leaves = 2;
    family.spines = 3;
    family.hosts_per_leaf = 2;
    add_leaf_spine(config, family);
    return config;
  }()};
  Routing routing{topology, std::vector<std::uint64_t>(5, 0)};
};

}  // namespace

TEST_CASE("tiers are called what their nodes' names share, and only upwards is there a choice") {
  const Fabric fabric;
  const std::vector<TierLinks> tiers = tier_links(fabric.topology, fabric.routing);
  REQUIRE(tiers.size() == 4);
  CHECK(tiers[0].from == "host");
  CHECK(tiers[0].to == "leaf");
  CHECK(tiers[0].directions.size() == 4);
  CHECK_FALSE(tiers[0].choice);
  CHECK(tiers[1].from == "leaf");
  CHECK(tiers[1].to == "host");
  CHECK(tiers[2].from == "leaf");
  CHECK(tiers[2].to == "spine");
  CHECK(tiers[2].directions.size() == 6);
  CHECK(tiers[2].choice);
  CHECK(tiers[3].from == "spine");
  CHECK_FALSE(tiers[3].choice);
}

TEST_CASE("what servers have inside is no tier of the network, and GPUs are called GPUs") {
  // Two servers of two GPUs, each with a NIC: four links to leaves, and four inside the servers.
  TopologyConfig topology;
  RailOptimizedConfig family;
  family.servers = 2;
  family.gpus_per_server = 2;
  family.spines = 0;
  family.rail_only = true;
  family.local = LinkConfig{};
  add_rail_optimized(topology, family);
  add_local_links(topology);
  const Routing routing{topology, std::vector<std::uint64_t>(build_ports(topology).forwarder_count(), 0)};
  const std::vector<TierLinks> tiers = tier_links(topology, routing);
  REQUIRE(tiers.size() == 4);
  CHECK(tiers[0].from == "gpu");
  CHECK(tiers[0].directions.size() == 4);
  CHECK(tiers[1].to == "gpu");
  CHECK(tiers[1].from == tiers[0].to);
  CHECK(tiers[2].from == "gpu");
  CHECK(tiers[2].to == "local switch");
  CHECK(tiers[2].directions.size() == 4);
  CHECK(tiers[3].from == "local switch");
  CHECK_FALSE(tiers[3].choice);
}

TEST_CASE("nodes whose names share nothing are hosts and tiers by number") {
  Fabric fabric;
  fabric.topology.nodes[0].name = "db";
  fabric.topology.nodes[4].name = "edge1";
  const std::vector<TierLinks> tiers = tier_links(fabric.topology, fabric.routing);
  CHECK(tiers[0].from == "hosts");
  CHECK(tiers[2].from == "tier 1");
  CHECK(tiers[2].to == "spine");
}

TEST_CASE("mean, largest, largest / mean and unused links of a tier") {
  const Fabric fabric;
  const TierLinks up = tier_links(fabric.topology, fabric.routing)[2];
  std::vector<Bytes> loads(2 * fabric.topology.links.size(), 0_B);
  loads[up.directions[0]] = 300_B;
  loads[up.directions[3]] = 100_B;
  const LoadSpread spread = spread_of(up, loads);
  CHECK(spread.unused == 4);
  CHECK(spread.mean == 67_B);  // 400 / 6, rounded
  CHECK(spread.max == 300_B);
  CHECK(spread.max_to_mean == doctest::Approx(4.5));
  CHECK(direction_name(fabric.topology, fabric.routing.ports(), up.directions[0]) == "tokyo-leaf1 > tokyo-spine1");
  CHECK(std::isnan(spread_of(up, std::vector<Bytes>(loads.size(), 0_B)).max_to_mean));
}
