// The routes that plans and simulations share.
#include "engine/routes.hpp"

#include <doctest/doctest.h>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

TEST_CASE("the two ends of a connection hash their flows differently, and every identity does") {
  const ConnectionConfig one{HostId{0U}, HostId{1U}, Priority{3}, "a>b"};
  const ConnectionConfig other{HostId{0U}, HostId{1U}, Priority{3}, "a>b/1"};
  CHECK(flow_hash_of(one, true) != flow_hash_of(one, false));
  CHECK(flow_hash_of(one, true) != flow_hash_of(other, true));
}

TEST_CASE("routes go round dead links") {
  FabricBench bench;
  LeafSpineConfig config;
  config.leaves = 2;
  config.spines = 2;
  config.hosts_per_leaf = 1;
  bench.leaf_spine(config);
  std::vector<bool> dead(bench.scenario.topology.links.size(), false);
  dead[bench.link_between("leaf1", "spine1").index()] = true;
  const Routing routing = routing_of(bench.scenario, dead);
  for (std::uint64_t hash = 0; hash < 20; ++hash) {
    const auto path = routing.path({HostId{0U}, HostId{1U}}, hash);
    REQUIRE(path.size() == 4);
    CHECK(path[2].node == bench.node("spine2"));
  }
}

TEST_CASE("a pair of hosts that the workload joins and no path does is a complaint") {
  FabricBench bench;
  bench.hosts("h", 2);
  bench.flow("h1", "h2", 1_KB);
  CHECK(path_problems(bench.scenario).size() == 1);
  bench.link("h1", "h2");
  CHECK(path_problems(bench.scenario).empty());
}
