#include "topology/routing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "core/check.hpp"
#include "small_topology.hpp"
#include "topology/families.hpp"
#include "topology/graph.hpp"

using namespace soya;
using soya::test::SmallTopology;

namespace {

std::vector<std::uint64_t> seeds_by_name(const TopologyConfig& topology, std::uint64_t scenario_seed) {
  std::vector<std::uint64_t> seeds;
  for (const NodeConfig& node : topology.nodes) {
    if (node.kind == NodeKind::switch_) seeds.push_back(ecmp_hash_seed(scenario_seed, node.name, 0));
  }
  return seeds;
}

Routing routing_of(const TopologyConfig& topology) {
  return Routing{topology, seeds_by_name(topology, 1)};
}

TopologyConfig leaf_spine(const LeafSpineConfig& config) {
  TopologyConfig topology;
  add_leaf_spine(topology, config);
  return topology;
}

/// Node names along a path, its last node included, with the ordinal among parallel links where there are several.
std::vector<std::string> named_path(const TopologyConfig& topology, const Routing& routing, HostPair ends,
                                    std::uint64_t flow_hash) {
  std::vector<std::string> names;
  for (const PortRef& hop : routing.path(ends, flow_hash)) {
    const auto links = routing.ports().ports_of(hop.node);
    const NodeId peer = links[hop.port.index()].peer;
    const auto earlier =
        std::ranges::count_if(links.first(hop.port.index()), [&](const PortLink& link) { return link.peer == peer; });
    names.push_back(topology.nodes[hop.node.index()].name + "#" + std::to_string(earlier));
    if (hop == routing.path(ends, flow_hash).back()) names.push_back(topology.nodes[peer.index()].name);
  }
  return names;
}

}  // namespace

TEST_CASE("a switch sends to its own hosts by their ports, and elsewhere by every spine link") {
  const TopologyConfig topology = leaf_spine({.leaves = 3, .spines = 4, .hosts_per_leaf = 2, .links_per_pair = 2});
  const Routing routing = routing_of(topology);
  const PortMap& ports = routing.ports();

  for (std::size_t i = 0; i < 6; ++i) {
    const HostId host{i};
    const SwitchId own{i / 2};
    const NodeId node = ports.node_of(host);
    for (std::size_t s = 0; s < ports.switch_count(); ++s) {
      const auto candidates = routing.table(SwitchId{s}).candidates(host);
      const bool is_leaf = s < 3;
      if (SwitchId{s} == own) {
        REQUIRE(candidates.size() == 1);
        CHECK(ports.at({ports.node_of(own), candidates[0]}).peer == node);
        CHECK(routing.table(own).next_port(host, 12345) == candidates[0]);
      } else {
        CHECK(candidates.size() == (is_leaf ? 4 * 2 : 2));
      }
    }
  }
}

TEST_CASE("every candidate leads one link closer, and all such ports are candidates, on random graphs") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random{seed};
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    SmallTopology t;
    const unsigned switches = 2 + below(9);
    for (unsigned s = 0; s < switches; ++s) t.switch_("s" + std::to_string(s));
    for (unsigned h = 0; h < switches; ++h) {
      t.host("h" + std::to_string(h)).link("h" + std::to_string(h), "s" + std::to_string(below(switches)));
    }
    for (unsigned k = 0; k < switches * 2; ++k) {
      const unsigned a = below(switches);
      const unsigned b = below(switches);
      if (a != b) t.link("s" + std::to_string(a), "s" + std::to_string(b));
    }
    const Routing routing = routing_of(t.config);
    const PortMap& ports = routing.ports();
    const SwitchGraph graph{t.config, ports};

    for (unsigned h = 0; h < switches; ++h) {
      const HostId host{h};
      const SwitchId home = ports.switch_at(ports.ports_of(ports.node_of(host))[0].peer);
      const auto distances = graph.distances_to(home);
      for (unsigned s = 0; s < switches; ++s) {
        if (SwitchId{s} == home) continue;
        std::set<PortId> expected;
        const auto links = ports.ports_of(ports.node_of(SwitchId{s}));
        for (std::size_t p = 0; p < links.size(); ++p) {
          if (ports.is_host(links[p].peer) || !distances[s]) continue;
          if (distances[ports.switch_at(links[p].peer).index()] == *distances[s] - 1) expected.insert(PortId{p});
        }
        const auto candidates = routing.table(SwitchId{s}).candidates(host);
        CHECK(std::set<PortId>(candidates.begin(), candidates.end()) == expected);
        CHECK(candidates.size() == expected.size());
        for (std::uint64_t flow = 0; flow < 20 && !expected.empty(); ++flow) {
          CHECK(expected.contains(routing.table(SwitchId{s}).next_port(host, mix(flow))));
        }
      }
    }
  }
}

TEST_CASE("flows spread evenly over equal-cost paths, also where their hashes differ in few bits") {
  // 8 spines; 80 000 flows: 10 000 each. A fair choice has a standard deviation of sqrt(80 000 x 1/8 x 7/8) = 94;
  // five of them are 468.
  const TopologyConfig topology = leaf_spine({.leaves = 2, .spines = 8, .hosts_per_leaf = 1});
  const Routing routing = routing_of(topology);
  for (const bool consecutive : {true, false}) {
    std::map<PortId, int> flows_of;
    for (std::uint64_t flow = 0; flow < 80'000; ++flow) {
      const std::uint64_t hash = consecutive ? flow : flow << 40;
      ++flows_of[routing.table(SwitchId{0U}).next_port(HostId{1U}, hash)];
    }
    REQUIRE(flows_of.size() == 8);
    for (const auto& [port, flows] : flows_of) {
      CHECK(flows > 10'000 - 468);
      CHECK(flows < 10'000 + 468);
    }
  }
}

TEST_CASE("the second tier spreads what the first tier sent to it: switches hash with seeds of their own") {
  // a - {b1, b2} - {c1, c2} - d, with a full mesh between b and c: of the flows that a sends to b1, half go on to c1.
  SmallTopology t;
  t.host("x").host("y").switch_("a").switch_("b1").switch_("b2").switch_("c1").switch_("c2").switch_("d");
  t.link("x", "a").link("y", "d").link("a", "b1").link("a", "b2");
  for (const char* b : {"b1", "b2"}) t.link(b, "c1").link(b, "c2");
  t.link("c1", "d").link("c2", "d");
  const Routing routing = routing_of(t.config);

  std::map<std::string, int> flows_through;
  for (std::uint64_t flow = 0; flow < 40'000; ++flow) {
    const auto hops = routing.path({HostId{0U}, HostId{1U}}, flow);
    REQUIRE(hops.size() == 5);  // x, a, b, c, d
    ++flows_through[t.config.nodes[hops[2].node.index()].name + t.config.nodes[hops[3].node.index()].name];
  }
  REQUIRE(flows_through.size() == 4);
  // 10 000 each; standard deviation sqrt(40 000 x 1/4 x 3/4) = 87.
  for (const auto& [pair, flows] : flows_through) CHECK(std::abs(flows - 10'000) < 5 * 87);
}

TEST_CASE("a path does not depend on the order of nodes and links in the file") {
  const TopologyConfig original = leaf_spine({.leaves = 3, .spines = 4, .hosts_per_leaf = 2, .links_per_pair = 2});
  for (unsigned seed = 0; seed < 10; ++seed) {
    // The same nodes and links in another order; a link may also be written from its other end.
    std::mt19937 random{seed};
    std::vector<std::size_t> order(original.nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::shuffle(order, random);
    TopologyConfig shuffled;
    std::vector<NodeId> moved_to(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      moved_to[order[i]] = NodeId{i};
      shuffled.nodes.push_back(original.nodes[order[i]]);
    }
    shuffled.links = original.links;
    for (LinkConfig& link : shuffled.links) {
      link.a = moved_to[link.a.index()];
      link.b = moved_to[link.b.index()];
      if (random() % 2 == 0) std::swap(link.a, link.b);
    }
    std::ranges::shuffle(shuffled.links, random);

    const Routing before = routing_of(original);
    const Routing after = routing_of(shuffled);
    const PortMap& new_ports = after.ports();
    for (std::size_t from = 0; from < 6; ++from) {
      for (std::size_t to = 0; to < 6; ++to) {
        const std::uint64_t flow = mix(from, to);
        const HostPair old_ends{HostId{from}, HostId{to}};
        const HostPair new_ends{new_ports.host_at(moved_to[from]), new_ports.host_at(moved_to[to])};
        CHECK(named_path(original, before, old_ends, flow) == named_path(shuffled, after, new_ends, flow));
      }
    }
  }
}

TEST_CASE("a path goes up to a spine and down again, or turns at the leaf") {
  const TopologyConfig topology = leaf_spine({.leaves = 2, .spines = 1, .hosts_per_leaf = 2});
  const Routing routing = routing_of(topology);
  CHECK(named_path(topology, routing, {HostId{0U}, HostId{1U}}, 7) ==
        std::vector<std::string>{"host1#0", "leaf1#0", "host2"});
  CHECK(named_path(topology, routing, {HostId{0U}, HostId{3U}}, 7) ==
        std::vector<std::string>{"host1#0", "leaf1#0", "spine1#0", "leaf2#0", "host4"});
  CHECK(routing.path({HostId{0U}, HostId{0U}}, 7).empty());
}

TEST_CASE("two hosts on one cable need no switch, hosts apart have no path") {
  SmallTopology t;
  t.host("h1").host("h2").host("h3").host("h4").switch_("s1").link("h1", "h2").link("h3", "s1");
  const Routing routing = routing_of(t.config);
  CHECK(named_path(t.config, routing, {HostId{1U}, HostId{0U}}, 0) == std::vector<std::string>{"h2#0", "h1"});
  CHECK(routing.path({HostId{0U}, HostId{2U}}, 0).empty());
  CHECK(routing.path({HostId{2U}, HostId{0U}}, 0).empty());
  CHECK(routing.path({HostId{2U}, HostId{3U}}, 0).empty());
  CHECK(routing.path({HostId{3U}, HostId{2U}}, 0).empty());
  CHECK(routing.table(SwitchId{0U}).candidates(HostId{0U}).empty());
}

TEST_CASE("tables survive a move of the object that owns them") {
  const TopologyConfig topology = leaf_spine({.leaves = 2, .spines = 2, .hosts_per_leaf = 2});
  Routing first = routing_of(topology);
  const auto before = first.path({HostId{0U}, HostId{3U}}, 99);
  const Routing second = std::move(first);
  CHECK(second.path({HostId{0U}, HostId{3U}}, 99) == before);
}

TEST_CASE("an ECMP seed follows scenario seed, switch name and switch setting") {
  const std::set<std::uint64_t> seeds{ecmp_hash_seed(1, "leaf1", 0), ecmp_hash_seed(2, "leaf1", 0),
                                      ecmp_hash_seed(1, "leaf2", 0), ecmp_hash_seed(1, "leaf1", 1)};
  CHECK(seeds.size() == 4);
}

TEST_CASE("a host with two links is refused before routes are made") {
  SmallTopology t;
  t.host("h1").switch_("s1").link("h1", "s1").link("h1", "s1");
  CHECK_THROWS_AS((void)routing_of(t.config), InternalError);
}

TEST_CASE("tables grow with links and hosts, not with pairs of leaves") {
  // L leaves of 32 hosts, 32 spines. Of each host its place, 16 B; of each leaf one set and 32 ports, which lead to all
  // others; of each spine a set and a port for each leaf, 12 B; of each switch what a table is, 40 to 64 B.
  const auto bytes = [](int leaves) {
    const TopologyConfig topology = leaf_spine({.leaves = leaves, .spines = 32, .hosts_per_leaf = 32});
    const Routing routing = routing_of(topology);
    const HostId last{routing.ports().host_count() - 1};
    CHECK(routing.path({HostId{0U}, last}, 5).size() == 4);
    return static_cast<std::int64_t>(routing.memory_bytes());
  };
  const auto at_most = [](std::int64_t leaves) {
    return leaves * 32 * 16 + leaves * (8 + 32 * 4) + 32 * (8 + leaves * 12) + (leaves + 32) * 64;
  };
  CHECK(bytes(320) <= at_most(320));  // 10 240 hosts: 0.4 MB. A set for each switch and leaf would be 0.9 MB …
  CHECK(at_most(320) < 400'000);
  CHECK(bytes(3200) <= at_most(3200));  // … and 83 MB here, a port for each switch and host 1.3 GB
  CHECK(at_most(3200) < 4'000'000);
}
