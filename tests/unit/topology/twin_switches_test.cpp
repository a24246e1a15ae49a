#include "topology/twin_switches.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <utility>

#include "small_topology.hpp"
#include "topology/families.hpp"
#include "topology/path_order.hpp"
#include "topology/routing.hpp"
#include "topology/valleys.hpp"

using namespace soya;
using soya::test::SmallTopology;

namespace {

/// Every switch with hosts by itself: the ways of all switches to it, nothing shared.
void check_against_one_by_one(const TopologyConfig& topology, const RoutingOptions& options) {
  const PortMap ports = build_ports(topology);
  const std::vector<std::uint64_t> seeds(ports.forwarder_count(), 7);
  const Routing routing{topology, seeds, options};
  PathFinder finder{topology, ports, options.order, options.dead};
  std::vector<PortId> expected;
  std::int64_t wrong = 0;
  for (std::size_t h = 0; h < ports.host_count(); ++h) {
    const PortLink& plug = ports.at({ports.node_of(HostId{h}), PortId{0U}});
    const bool is_dead = !options.dead.empty() && options.dead[plug.link.index()];
    const SwitchId edge = ports.switch_at(plug.peer);
    finder.aim_at(edge);
    for (std::size_t s = 0; s < ports.forwarder_count(); ++s) {
      const SwitchId at{s};
      expected.clear();
      if (is_dead) {
      } else if (at == edge) {
        expected = {plug.peer_port};
      } else if (finder.reaches(at) && !options.policies.empty() && options.policies[s] == RoutingPolicy::weighted) {
        finder.weighted_ports(at, expected);
      } else if (finder.reaches(at)) {
        finder.ports_towards(at, expected);
      }
      const auto found = routing.table(at).candidates(HostId{h});
      wrong += std::ranges::equal(found, expected) ? 0 : 1;
      // The port that a flow takes is one of them, and there is one where they are.
      const PortId port = routing.table(at).next_port(HostId{h}, 12'345 * h);
      wrong += (expected.empty() ? port.is_none() : std::ranges::count(expected, port) > 0) ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

std::size_t groups_of(const TopologyConfig& topology) {
  const Routing routing{topology, std::vector<std::uint64_t>(build_ports(topology).forwarder_count(), 7)};
  return routing.one_host_of_each_column().size();
}

template <class Family, class Add>
TopologyConfig made(const Family& family, Add add) {
  TopologyConfig topology;
  add(topology, family);
  return topology;
}

std::vector<TopologyConfig> fabrics() {
  return {made(LeafSpineConfig{.leaves = 5, .spines = 3, .hosts_per_leaf = 2, .links_per_pair = 2}, add_leaf_spine),
          made(FatTreeConfig{.k = 4}, add_fat_tree),
          made(RailOptimizedConfig{.servers = 4, .gpus_per_server = 3, .servers_per_block = 2, .spines = 2},
               add_rail_optimized),
          made(DragonflyConfig{.groups = 5, .routers_per_group = 2, .hosts_per_router = 1}, add_dragonfly),
          made(TorusConfig{.dimensions = {3, 4}}, add_torus),
          made(RingTopologyConfig{.switches = 5}, add_ring)};
}

}  // namespace

TEST_CASE("twins are the leaves of a leaf-spine, of a pod and of a rail's block, and no routers of a torus") {
  CHECK(groups_of(made(LeafSpineConfig{.leaves = 50, .spines = 3}, add_leaf_spine)) == 1);
  CHECK(groups_of(made(FatTreeConfig{.k = 6}, add_fat_tree)) == 6);
  CHECK(groups_of(made(RailOptimizedConfig{.servers = 8, .servers_per_block = 4}, add_rail_optimized)) == 1);
  CHECK(groups_of(made(RailOptimizedConfig{.servers = 8, .servers_per_block = 4, .rail_only = true},
                       add_rail_optimized)) == 8);
  CHECK(groups_of(made(TorusConfig{.dimensions = {3, 5}}, add_torus)) == 15);
}

TEST_CASE("a rate, a parallel link or a tier of its own makes a switch no twin") {
  const auto leaves = [](auto change) {
    SmallTopology t;
    t.switch_("s1").switch_("s2");
    for (const char* leaf : {"l1", "l2", "l3"}) t.switch_(leaf).host("h" + std::string{leaf});
    for (const char* leaf : {"l1", "l2", "l3"}) {
      t.link(leaf, "s1").link(leaf, "s2").link("h" + std::string{leaf}, leaf);
    }
    change(t);
    return groups_of(t.config);
  };
  CHECK(leaves([](SmallTopology&) {}) == 1);
  CHECK(leaves([](SmallTopology& t) { t.link("l1", "s1"); }) == 2);
  CHECK(leaves([](SmallTopology& t) { t.config.links[0].rate = 50_Gbps; }) == 2);
  CHECK(leaves([](SmallTopology& t) { t.config.links[0].reverse_rate = 50_Gbps; }) == 2);
  CHECK(leaves([](SmallTopology& t) { t.config.nodes[2].tier = 3; }) == 2);
}

TEST_CASE("tables of twins say what one by one they would say") {
  for (const TopologyConfig& topology : fabrics()) {
    CAPTURE(topology.nodes.back().name);
    const std::vector<RoutingPolicy> weighted(build_ports(topology).switch_count(), RoutingPolicy::weighted);
    for (const PathOrder order : {PathOrder::shortest, PathOrder::up_down}) {
      check_against_one_by_one(topology, {.order = order});
      check_against_one_by_one(topology, {.order = order, .policies = weighted});
      // Every link dead in turn, those of hosts, too.
      for (std::size_t link = 0; link < topology.links.size(); link += 3) {
        std::vector<bool> dead(topology.links.size(), false);
        dead[link] = true;
        check_against_one_by_one(topology, {.order = order, .policies = weighted, .dead = dead});
      }
    }
  }
}

TEST_CASE("tables of random graphs with twins say what one by one they would say") {
  std::size_t twins = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random{seed};
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    SmallTopology t;
    const unsigned switches = 4 + below(6);
    const auto name = [](const char* kind, unsigned i) { return kind + std::to_string(i); };
    for (unsigned s = 0; s < switches; ++s) t.switch_(name("s", s)).host(name("h", s));
    for (unsigned s = 0; s < switches; ++s) t.link(name("h", s), name("s", s));
    // The links of a switch are copied by the next one now and then, which is how twins come about.
    std::vector<unsigned> peers;
    for (unsigned s = 2; s < switches; ++s) {
      if (s == 2 || below(2) == 0) peers = {below(2), below(s)};
      for (const unsigned peer : peers) {
        if (peer == s) continue;
        t.link(name("s", s), name("s", peer));
        if (below(5) == 0) t.config.links.back().rate = 40_Gbps;
      }
    }
    twins += switches - groups_of(t.config);
    for (const PathOrder order : {PathOrder::shortest, PathOrder::up_down}) {
      check_against_one_by_one(t.config, {.order = order});
      check_against_one_by_one(
          t.config, {.order = order, .policies = std::vector<RoutingPolicy>(switches, RoutingPolicy::weighted)});
    }
  }
  CHECK(twins > 20);
}

TEST_CASE("frames of trees have no valley, those round a ring do") {
  const auto valleys = [](const TopologyConfig& topology) {
    return has_valleys(Routing{topology, std::vector<std::uint64_t>(build_ports(topology).forwarder_count(), 7)});
  };
  CHECK_FALSE(valleys(made(LeafSpineConfig{.leaves = 5, .spines = 3}, add_leaf_spine)));
  CHECK_FALSE(valleys(made(FatTreeConfig{.k = 4}, add_fat_tree)));
  CHECK(valleys(made(RingTopologyConfig{.switches = 4}, add_ring)));
  CHECK(valleys(made(TorusConfig{.dimensions = {3, 3}}, add_torus)));
  // l1 and l3 have a spine each, and only l2 has both: their frames for each other go down to l2 and up again.
  SmallTopology t;
  for (const char* spine : {"s1", "s2"}) t.switch_(spine);
  for (const char* leaf : {"l1", "l2", "l3"}) t.switch_(leaf).host("h" + std::string{leaf});
  for (const char* leaf : {"l1", "l2", "l3"}) t.link("h" + std::string{leaf}, leaf);
  t.link("l1", "s1").link("l2", "s1").link("l2", "s2").link("l3", "s2");
  CHECK(valleys(t.config));  // l1 > s1 > l2 > s2 > l3
  t.link("l1", "s2");
  CHECK_FALSE(valleys(t.config));
}
