#include "topology/describe.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include "topology/families.hpp"

using namespace soya;

namespace {

constexpr std::int64_t gbps = 1'000'000'000;

TopologyConfig leaf_spine(int leaves, int spines, int hosts, int parallel, std::int64_t host_rate, std::int64_t rate) {
  TopologyConfig topology;
  LeafSpineConfig config;
  config.leaves = leaves;
  config.spines = spines;
  config.hosts_per_leaf = hosts;
  config.links_per_pair = parallel;
  config.host_link.rate = Rate{host_rate * gbps};
  config.fabric_link.rate = Rate{rate * gbps};
  config.fabric_link.length = Length{30'000};
  add_leaf_spine(topology, config);
  return topology;
}

NodeId add(TopologyConfig& topology, const std::string& name, NodeKind kind) {
  topology.nodes.push_back({name, kind});
  return NodeId{topology.nodes.size() - 1};
}

void join(TopologyConfig& topology, NodeId a, NodeId b, std::int64_t metres = 3) {
  LinkConfig link;
  link.a = a;
  link.b = b;
  link.length = Length{metres * 1000};
  topology.links.push_back(link);
}

/// A ring of `count` switches with a host each, hosts first.
TopologyConfig ring(std::size_t count) {
  TopologyConfig topology;
  std::vector<NodeId> hosts;
  std::vector<NodeId> switches;
  for (std::size_t i = 0; i < count; ++i) hosts.push_back(add(topology, "h" + std::to_string(i), NodeKind::host));
  for (std::size_t i = 0; i < count; ++i) switches.push_back(add(topology, "s" + std::to_string(i), NodeKind::switch_));
  for (std::size_t i = 0; i < count; ++i) {
    join(topology, hosts[i], switches[i]);
    join(topology, switches[i], switches[(i + 1) % count], 1000);
  }
  return topology;
}

}  // namespace

TEST_CASE("a leaf-spine: counts, bisection, diameter, paths and oversubscription by formula") {
  struct Size {
    int leaves, spines, hosts, parallel;
    std::int64_t host_rate, rate;
  };
  for (const Size& z : {Size{2, 2, 2, 1, 100, 100}, Size{4, 2, 8, 1, 100, 400}, Size{8, 4, 16, 2, 100, 100},
                        Size{6, 3, 5, 1, 25, 100}, Size{16, 8, 4, 4, 400, 100}}) {
    CAPTURE(z.leaves);
    const TopologyDescription got = describe(leaf_spine(z.leaves, z.spines, z.hosts, z.parallel, z.host_rate, z.rate));
    CHECK(got.hosts == static_cast<std::size_t>(z.leaves * z.hosts));
    CHECK(got.switches == static_cast<std::size_t>(z.leaves + z.spines));
    CHECK(got.components == 1);
    REQUIRE(got.tiers.size() == 3);
    CHECK(got.tiers[2].nodes == static_cast<std::size_t>(z.spines));
    REQUIRE(got.bisection);
    // Half the leaves send: what their hosts or their uplinks hold, whichever is less.
    const std::int64_t half = z.leaves / 2 * std::min(z.hosts * z.host_rate, z.spines * z.parallel * z.rate);
    CHECK(got.bisection->there == Rate{half * gbps});
    CHECK(got.bisection->back == Rate{half * gbps});
    REQUIRE(got.diameter);
    CHECK(got.diameter->links == 4);
    REQUIRE(got.farthest);
    // 3 m at each end and 30 m twice, 5 ns a metre
    CHECK(got.farthest->one_way == Duration{(3 + 30 + 30 + 3) * 5'000});
    REQUIRE(got.paths);
    const auto ways = static_cast<std::uint64_t>(z.spines * z.parallel * z.parallel);
    CHECK(got.paths->least == ways);
    CHECK(got.paths->median == ways);
    CHECK(got.paths->most == ways);
    CHECK(got.paths->pairs == static_cast<std::size_t>(z.leaves * (z.leaves - 1)));
    REQUIRE(got.oversubscription.size() == 1);
    CHECK(got.oversubscription[0].down == Rate{z.leaves * z.hosts * z.host_rate * gbps});
    CHECK(got.oversubscription[0].up == Rate{z.leaves * z.spines * z.parallel * z.rate * gbps});
    CHECK(got.bridges.empty());
  }
}

TEST_CASE("a ring: two links through the middle, half way round and two to the hosts") {
  for (const std::size_t count : {4U, 5U, 6U, 9U, 16U}) {
    CAPTURE(count);
    const TopologyDescription got = describe(ring(count));
    // Of an odd number the host in the middle is in neither half, and two links are still all there is.
    CHECK(got.bisection->there == Rate{200 * gbps});
    CHECK(got.diameter->links == count / 2 + 2);
    CHECK(got.farthest->one_way == Duration{static_cast<std::int64_t>(count / 2 * 1000 + 6) * 5'000});
    CHECK(got.paths->most == (count % 2 == 0 ? 2 : 1));
    CHECK(got.paths->median == 1);
    CHECK(got.oversubscription.empty());
    CHECK(got.bridges.empty());
  }
}

TEST_CASE("links of rates that differ by direction") {
  TopologyConfig topology = leaf_spine(2, 1, 1, 1, 100, 100);
  for (LinkConfig& link : topology.links) {
    if (topology.nodes[link.a.index()].name == "leaf1") link.reverse_rate = Rate{40 * gbps};
  }
  const TopologyDescription got = describe(topology);
  CHECK(got.bisection->there == Rate{100 * gbps});
  CHECK(got.bisection->back == Rate{40 * gbps});
  REQUIRE(got.groups.size() == 3);  // host links, and each leaf's own kind of link to the spine
  CHECK(got.groups[1].up == Rate{100 * gbps});
  CHECK(got.groups[1].down == Rate{40 * gbps});
  CHECK(got.groups[2].down == Rate{100 * gbps});
}

TEST_CASE("a link without a twin is told, a pair of parallel ones is not") {
  TopologyConfig topology;
  const NodeId h1 = add(topology, "h1", NodeKind::host);
  const NodeId h2 = add(topology, "h2", NodeKind::host);
  const NodeId s1 = add(topology, "s1", NodeKind::switch_);
  const NodeId s2 = add(topology, "s2", NodeKind::switch_);
  const NodeId s3 = add(topology, "s3", NodeKind::switch_);
  join(topology, h1, s1);
  join(topology, s1, s2);
  join(topology, s1, s2);
  join(topology, s2, s3);
  join(topology, h2, s3);
  const TopologyDescription got = describe(topology);
  REQUIRE(got.bridges.size() == 1);
  CHECK(got.bridges[0] == LinkId{3U});
  CHECK(got.paths->most == 2);
  CHECK(got.bisection->there == Rate{100 * gbps});
}

TEST_CASE("parts without a link between them, and two hosts on one cable") {
  TopologyConfig topology;
  const NodeId h1 = add(topology, "h1", NodeKind::host);
  const NodeId h2 = add(topology, "h2", NodeKind::host);
  join(topology, h1, h2, 7);
  add(topology, "s1", NodeKind::switch_);
  const TopologyDescription got = describe(topology);
  CHECK(got.components == 2);
  CHECK(got.diameter->links == 1);
  CHECK(got.farthest->one_way == Duration{35'000});
  CHECK(got.bisection->there == Rate{100 * gbps});
  CHECK(got.bisection->hosts == 1);
  CHECK_FALSE(got.paths);
}

TEST_CASE("a map without hosts has no paths between them") {
  TopologyConfig topology;
  const NodeId s1 = add(topology, "s1", NodeKind::switch_);
  const NodeId s2 = add(topology, "s2", NodeKind::switch_);
  join(topology, s1, s2);
  const TopologyDescription got = describe(topology);
  CHECK(got.switches == 2);
  CHECK_FALSE(got.bisection);
  CHECK_FALSE(got.diameter);
  CHECK_FALSE(got.paths);
  CHECK(got.bridges.size() == 1);
}

TEST_CASE("the inner switch of a server is no part of the fabric") {
  TopologyConfig topology = leaf_spine(2, 1, 2, 1, 100, 100);
  ServerConfig server;
  server.gpus = {NodeId{0U}, NodeId{1U}};
  server.nics = server.gpus;
  const NodeId inner = add(topology, "w1-local", NodeKind::switch_);
  for (const char* name : {"w1-gpu1-local", "w1-gpu2-local"}) {
    server.local_ports.push_back(add(topology, name, NodeKind::host));
    join(topology, server.local_ports.back(), inner);
  }
  topology.servers.push_back(server);
  const TopologyDescription got = describe(topology);
  CHECK(got.hosts == 4);
  CHECK(got.switches == 3);
  CHECK(got.components == 1);
  CHECK(got.links == 6);
}
