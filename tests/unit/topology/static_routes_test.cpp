#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/check.hpp"
#include "small_topology.hpp"
#include "topology/families.hpp"
#include "topology/route_loops.hpp"
#include "topology/routing.hpp"

using namespace soya;
using soya::test::SmallTopology;

namespace {

Routing routing_of(const TopologyConfig& topology) {
  std::vector<std::uint64_t> seeds;
  for (const NodeConfig& node : topology.nodes) {
    if (node.kind == NodeKind::switch_) seeds.push_back(ecmp_hash_seed(1, node.name, 0));
  }
  return Routing{topology, seeds};
}

/// A triangle of switches, two links between each pair, with two hosts on s1 and one on each other switch.
SmallTopology triangle() {
  SmallTopology t;
  t.host("h1").host("h1b").host("h2").host("h3").switch_("s1").switch_("s2").switch_("s3");
  t.link("h1", "s1").link("h1b", "s1").link("h2", "s2").link("h3", "s3");
  for (int k = 0; k < 2; ++k) t.link("s1", "s2").link("s2", "s3").link("s3", "s1");
  return t;
}

HostId host_of(const SmallTopology& t, const Routing& routing, const std::string& name) {
  return routing.ports().host_at(t.id(name));
}

/// "h1 s1 s2 s3": the nodes that send a frame on its way.
std::string path_text(const SmallTopology& t, const Routing& routing, const std::string& from, const std::string& to,
                      std::uint64_t flow) {
  std::string text;
  for (const PortRef& hop : routing.path({host_of(t, routing, from), host_of(t, routing, to)}, flow)) {
    text += (text.empty() ? "" : " ") + t.config.nodes[hop.node.index()].name;
  }
  return text;
}

std::string problems_of(const TopologyConfig& topology) {
  std::string text;
  for (const Diagnostic& one : route_problems(topology, routing_of(topology))) {
    text += (text.empty() ? "" : "\n") + one.text();
  }
  return text;
}

}  // namespace

TEST_CASE("a static route leads its host's frames away from the shortest path, at its switch and nowhere else") {
  SmallTopology t = triangle();
  t.route("s1", {"h3"}, "s2");
  const Routing routing = routing_of(t.config);
  for (std::uint64_t flow = 0; flow < 20; ++flow) {
    CHECK(path_text(t, routing, "h1", "h3", flow) == "h1 s1 s2 s3");
    CHECK(path_text(t, routing, "h1b", "h3", flow) == "h1b s1 s2 s3");
    CHECK(path_text(t, routing, "h2", "h3", flow) == "h2 s2 s3");
    CHECK(path_text(t, routing, "h3", "h1", flow) == "h3 s3 s1");
    CHECK(path_text(t, routing, "h1", "h2", flow) == "h1 s1 s2");
  }
  CHECK(problems_of(t.config) == "");
}

TEST_CASE("a route to one host leaves its neighbours on the same switch alone") {
  SmallTopology t = triangle();
  t.route("s3", {"h1"}, "s2").route("s2", {"h1b"}, "s3");
  const Routing routing = routing_of(t.config);
  CHECK(path_text(t, routing, "h3", "h1", 1) == "h3 s3 s2 s1");
  CHECK(path_text(t, routing, "h3", "h1b", 1) == "h3 s3 s1");
  CHECK(path_text(t, routing, "h2", "h1", 1) == "h2 s2 s1");
  CHECK(path_text(t, routing, "h2", "h1b", 1) == "h2 s2 s3 s1");
  // To each of the two its own port of s1.
  CHECK(routing.table(SwitchId{0U}).candidates(host_of(t, routing, "h1"))[0] == PortId{0U});
  CHECK(routing.table(SwitchId{0U}).candidates(host_of(t, routing, "h1b"))[0] == PortId{1U});
}

TEST_CASE("parallel links to the neighbour share the flows, half each") {
  SmallTopology t = triangle();
  t.route("s1", {"h3"}, "s2");
  const Routing routing = routing_of(t.config);
  std::map<PortId, int> flows_of;
  for (std::uint64_t flow = 0; flow < 10'000; ++flow) {
    const PortId port = routing.table(SwitchId{0U}).next_port(host_of(t, routing, "h3"), flow);
    CHECK(routing.ports().at({t.id("s1"), port}).peer == t.id("s2"));
    ++flows_of[port];
  }
  REQUIRE(flows_of.size() == 2);
  // 5000 each; the standard deviation of a fair choice is sqrt(10 000 / 4) = 50.
  for (const auto& [port, flows] : flows_of) CHECK(std::abs(flows - 5'000) < 5 * 50);
}

TEST_CASE("a route straight to the host is the one there is anyway") {
  SmallTopology t = triangle();
  t.route("s1", {"h1"}, "h1");
  const Routing routing = routing_of(t.config);
  CHECK(path_text(t, routing, "h3", "h1", 1) == "h3 s3 s1");
  CHECK(routing.route_class(host_of(t, routing, "h1")) == routing.route_class(host_of(t, routing, "h1b")));
  CHECK(problems_of(t.config) == "");
}

TEST_CASE("hosts with the same static routes share their tables") {
  // 400 leaves of 8 hosts, 4 spines. At leaf1 all frames for other leaves go by spine1: 399 classes more, of 404 sets.
  TopologyConfig topology;
  add_leaf_spine(topology, {.leaves = 400, .spines = 4, .hosts_per_leaf = 8});
  const std::size_t plain = routing_of(topology).memory_bytes();
  StaticRoute route{NodeId{3200U}, {}, NodeId{3600U}, {}};
  REQUIRE(topology.nodes[3200].name == "leaf1");
  REQUIRE(topology.nodes[3600].name == "spine1");
  for (std::size_t host = 8; host < 3200; ++host) route.to.emplace_back(host);
  topology.routes.push_back(route);
  const Routing routing = routing_of(topology);
  CHECK(routing.memory_bytes() - plain <= 399 * 404 * 8 + sizeof(PortId));
  for (std::uint64_t flow = 0; flow < 50; ++flow) {
    CHECK(routing.path({HostId{0U}, HostId{3199U}}, flow)[2].node == NodeId{3600U});
  }
  CHECK(route_problems(topology, routing).empty());
}

TEST_CASE("the order of routes, and of hosts in them, changes nothing") {
  SmallTopology one = triangle();
  one.route("s1", {"h3"}, "s2").route("s3", {"h1", "h1b"}, "s2").route("s2", {"h1b"}, "s1");
  SmallTopology other = triangle();
  other.route("s2", {"h1b"}, "s1").route("s3", {"h1b"}, "s2").route("s1", {"h3"}, "s2").route("s3", {"h1"}, "s2");
  const Routing a = routing_of(one.config);
  const Routing b = routing_of(other.config);
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::size_t h = 0; h < 4; ++h) {
      CHECK(std::ranges::equal(a.table(SwitchId{s}).candidates(HostId{h}), b.table(SwitchId{s}).candidates(HostId{h})));
    }
  }
}

TEST_CASE("a loop is told once, from its first name on, with one host by name and the others counted") {
  SmallTopology two = triangle();
  two.route("s2", {"h3"}, "s1").route("s1", {"h3"}, "s2");
  CHECK(problems_of(two.config) == "frames for h3 go round s1 > s2 > s1");

  SmallTopology three = triangle();
  three.route("s3", {"h1", "h1b"}, "s2");
  three.route("s2", {"h1"}, "s3").route("s2", {"h1b"}, "s3");
  CHECK(problems_of(three.config) == "frames for h1 and 1 other host go round s2 > s3 > s2");

  // s1 itself sends its own host's frames away: s2 sends them back.
  SmallTopology own = triangle();
  own.route("s1", {"h1"}, "s2");
  CHECK(problems_of(own.config) == "frames for h1 go round s1 > s2 > s1");

  SmallTopology around = triangle();
  around.host("h4").switch_("s4").link("h4", "s4").link("s4", "s1");
  around.route("s1", {"h4"}, "s2").route("s2", {"h4"}, "s3");
  CHECK(problems_of(around.config) == "frames for h4 go round s1 > s2 > s3 > s1");
}

TEST_CASE("a loop that only some flows would enter is a loop") {
  // spine1 sends frames for host1 down to leaf2, which spreads them over both spines.
  TopologyConfig topology;
  add_leaf_spine(topology, {.leaves = 2, .spines = 2, .hosts_per_leaf = 1});
  const auto node = [&](const std::string& name) {
    const auto found = std::ranges::find(topology.nodes, name, &NodeConfig::name);
    return NodeId{static_cast<std::size_t>(found - topology.nodes.begin())};
  };
  topology.routes.push_back({node("spine1"), {node("host1")}, node("leaf2"), {}});
  CHECK(problems_of(topology) == "frames for host1 go round leaf2 > spine1 > leaf2");
  topology.routes.push_back({node("leaf2"), {node("host1")}, node("spine2"), {}});
  CHECK(problems_of(topology) == "");
}

TEST_CASE("a route to where no link leads is told") {
  SmallTopology t = triangle();
  t.host("h8").host("h9").link("h8", "h9");
  t.route("s1", {"h9", "h8"}, "s3");
  CHECK(problems_of(t.config) == "frames for h8 and 1 other host find no way on from s3");
}

TEST_CASE("on random graphs a path ends at its host by way of every static route it meets, or a loop is told") {
  int sound = 0;
  int looping = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random{seed};
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const auto name = [](const char* stem, unsigned i) { return stem + std::to_string(i); };
    SmallTopology t;
    const unsigned switches = 3 + below(6);
    for (unsigned s = 0; s < switches; ++s) {
      t.switch_(name("s", s)).host(name("h", s)).link(name("h", s), name("s", s));
      if (s > 0) t.link(name("s", s), name("s", below(s)));
    }
    for (unsigned k = 0; k < switches; ++k) {
      const unsigned a = below(switches);
      const unsigned b = below(switches);
      if (a != b) t.link(name("s", a), name("s", b));
    }
    std::map<std::pair<NodeId, NodeId>, NodeId> via;
    const PortMap ports = build_ports(t.config);
    for (unsigned k = 0; k < 3; ++k) {
      const NodeId at = t.id(name("s", below(switches)));
      const NodeId to = t.id(name("h", below(switches)));
      const auto links = ports.ports_of(at);
      const NodeId peer = links[below(static_cast<unsigned>(links.size()))].peer;
      if (ports.is_host(peer) || !via.try_emplace({at, to}, peer).second) continue;
      t.config.routes.push_back({at, {to}, peer, {}});
    }
    if (problems_of(t.config) != "") {
      ++looping;
      continue;
    }
    ++sound;
    const Routing routing = routing_of(t.config);
    for (std::size_t from = 0; from < switches; ++from) {
      for (std::size_t to = 0; to < switches; ++to) {
        const NodeId host = ports.node_of(HostId{to});
        for (std::uint64_t flow = 0; flow < 10 && from != to; ++flow) {
          const std::vector<PortRef> path = routing.path({HostId{from}, HostId{to}}, flow);
          REQUIRE_FALSE(path.empty());
          CHECK(ports.at(path.back()).peer == host);
          for (const PortRef& hop : path) {
            const auto route = via.find({hop.node, host});
            if (route != via.end()) CHECK(ports.at(hop).peer == route->second);
          }
        }
      }
    }
  }
  CHECK(sound > 50);
  CHECK(looping > 10);
}

TEST_CASE("routes that the reader of the scenario refuses are refused here too") {
  SmallTopology twice = triangle();
  twice.route("s1", {"h3"}, "s2").route("s1", {"h3"}, "s3");
  CHECK_THROWS_AS((void)routing_of(twice.config), InternalError);
  SmallTopology apart = triangle();
  apart.switch_("s4").route("s1", {"h3"}, "s4");
  CHECK_THROWS_AS((void)routing_of(apart.config), InternalError);
  SmallTopology loop = triangle();
  loop.route("s1", {"h3"}, "s2").route("s2", {"h3"}, "s1");
  const Routing routing = routing_of(loop.config);
  CHECK_THROWS_AS((void)routing.path({HostId{0U}, HostId{3U}}, 1), InternalError);
}
