#include "topology/path_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "core/hash.hpp"
#include "small_topology.hpp"
#include "topology/families.hpp"
#include "topology/routing.hpp"
#include "topology/tiers.hpp"

using namespace soya;
using soya::test::SmallTopology;

namespace {

std::vector<std::uint64_t> seeds(const TopologyConfig& topology) {
  std::size_t switches = 0;
  for (const NodeConfig& node : topology.nodes) switches += node.kind == NodeKind::switch_ ? 1 : 0;
  return std::vector<std::uint64_t>(switches, 7);
}

Routing routing_of(const TopologyConfig& topology, const RoutingOptions& options) {
  return Routing{topology, seeds(topology), options};
}

/// The peers of a switch's candidates towards a host, once for each candidate.
std::multiset<std::string> next_names(const SmallTopology& t, const Routing& routing, const std::string& at,
                                      const std::string& to) {
  const PortMap& ports = routing.ports();
  std::multiset<std::string> names;
  for (const PortId port : routing.table(ports.switch_at(t.id(at))).candidates(ports.host_at(t.id(to)))) {
    names.insert(t.config.nodes[ports.at({t.id(at), port}).peer.index()].name);
  }
  return names;
}

using Names = std::multiset<std::string>;

/// Whether buffers can wait for each other in a circle: link a waits for link b where some destination's frames come
/// in by a and may leave by b. Ports are the vertices.
bool has_cycle(const Routing& routing) {
  const PortMap& ports = routing.ports();
  std::map<std::pair<std::size_t, std::size_t>, std::set<std::pair<std::size_t, std::size_t>>> waits;
  for (std::size_t h = 0; h < ports.host_count(); ++h) {
    for (std::size_t s = 0; s < ports.switch_count(); ++s) {
      const NodeId node = ports.node_of(SwitchId{s});
      for (const PortId port : routing.table(SwitchId{s}).candidates(HostId{h})) {
        const NodeId peer = ports.at({node, port}).peer;
        if (ports.is_host(peer)) continue;
        for (const PortId next : routing.table(ports.switch_at(peer)).candidates(HostId{h})) {
          waits[{node.index(), port.index()}].insert({peer.index(), next.index()});
        }
      }
    }
  }
  // Take away what waits for nothing until nothing is left, or only circles are.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = waits.begin(); at != waits.end();) {
      std::erase_if(at->second, [&](const auto& next) { return !waits.contains(next); });
      changed |= at->second.empty();
      at = at->second.empty() ? waits.erase(at) : std::next(at);
    }
  }
  return !waits.empty();
}

/// Switches s1 … sN in a circle, a host h1 … hN on each.
SmallTopology ring(int switches) {
  SmallTopology t;
  const auto name = [](char kind, int i) { return kind + std::to_string(i); };
  for (int i = 1; i <= switches; ++i) t.host(name('h', i)).switch_(name('s', i));
  for (int i = 1; i <= switches; ++i) {
    t.link(name('h', i), name('s', i)).link(name('s', i), name('s', i % switches + 1));
  }
  return t;
}

}  // namespace

TEST_CASE("shortest paths round a ring can wait in a circle, up-down paths cannot") {
  for (const int n : {3, 4, 5, 8, 12, 25}) {  // s10 sorts before s2
    const SmallTopology t = ring(n);
    // With 3 switches everyone is a neighbour, so that no frame crosses two links between switches.
    CHECK(has_cycle(routing_of(t.config, {})) == (n > 3));
    const Routing up_down = routing_of(t.config, {.order = PathOrder::up_down});
    CHECK_FALSE(has_cycle(up_down));
    // The ring's names sort s1 first, the top: what is between two switches on the other side goes over it.
    for (int a = 1; a <= n; ++a) {
      for (int b = 1; b <= n; ++b) {
        const HostPair ends{HostId{static_cast<std::size_t>(a - 1)}, HostId{static_cast<std::size_t>(b - 1)}};
        CHECK((a == b || !up_down.path(ends, 1).empty()));
      }
    }
  }
}

TEST_CASE("with tiers, up-down paths of random graphs wait in no circle and pass no switch twice") {
  int with_cycle = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    std::mt19937 random{seed};
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    SmallTopology t;
    const unsigned switches = 3 + below(9);
    const auto name = [](const char* kind, unsigned i) { return kind + std::to_string(i); };
    for (unsigned s = 0; s < switches; ++s) t.switch_(name("s", s)).in_tier(static_cast<std::uint8_t>(1 + below(3)));
    for (unsigned h = 0; h < switches; ++h) t.host(name("h", h)).link(name("h", h), name("s", h));
    for (unsigned k = 0; k < switches * 2; ++k) {
      const unsigned a = below(switches);
      const unsigned b = below(switches);
      if (a != b) t.link(name("s", a), name("s", b));
    }
    with_cycle += has_cycle(routing_of(t.config, {})) ? 1 : 0;
    const Routing routing = routing_of(t.config, {.order = PathOrder::up_down});
    CHECK_FALSE(has_cycle(routing));
    const auto tiers = tiers_of(t.config);
    for (std::size_t a = 0; a < switches; ++a) {
      for (std::size_t b = 0; b < switches; ++b) {
        bool went_down = false;
        for (const PortRef& hop : routing.path({HostId{a}, HostId{b}}, a * 64 + b)) {
          const NodeId peer = routing.ports().at(hop).peer;
          if (routing.ports().is_host(hop.node) || routing.ports().is_host(peer)) continue;
          went_down |= tiers[peer.index()] < tiers[hop.node.index()];
          CHECK_FALSE((went_down && tiers[peer.index()] > tiers[hop.node.index()]));
        }
      }
    }
  }
  CHECK(with_cycle > 20);
}

TEST_CASE("in a map of one tier every pair has an up-down path, whatever the names") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random{seed};
    SmallTopology t;
    const auto switches = static_cast<unsigned>(2 + random() % 30);
    const auto name = [](const char* kind, unsigned i) { return kind + std::to_string(i * 7919 % 1009); };
    for (unsigned s = 0; s < switches; ++s) {
      t.switch_(name("s", s)).host(name("h", s)).link(name("h", s), name("s", s));
      // A tree of chance, so that all are joined, and a few links across it.
      if (s > 0) t.link(name("s", s), name("s", static_cast<unsigned>(random() % s)));
    }
    for (unsigned k = 0; k < switches / 3; ++k) {
      const auto a = static_cast<unsigned>(random() % switches);
      const auto b = static_cast<unsigned>(random() % switches);
      if (a != b) t.link(name("s", a), name("s", b));
    }
    const Routing routing = routing_of(t.config, {.order = PathOrder::up_down});
    CHECK_FALSE(has_cycle(routing));
    for (std::size_t a = 0; a < switches; ++a) {
      for (std::size_t b = 0; b < switches; ++b) CHECK((a == b || !routing.path({HostId{a}, HostId{b}}, 1).empty()));
    }
  }
}

TEST_CASE("within a tier up leads towards the switch that has a link to a higher one") {
  // Three leaves in a row, of which the last has the uplink; the spine has a leaf of its own.
  SmallTopology t;
  t.host("h1").host("h4").switch_("l1").switch_("l2").switch_("l3").switch_("l4").switch_("spine").in_tier(2);
  t.link("h1", "l1").link("h4", "l4");
  t.link("l1", "l2").link("l2", "l3").link("l3", "spine").link("l4", "spine");
  for (std::size_t node = 2; node < 6; ++node) t.config.nodes[node].tier = 1;
  const Routing up_down = routing_of(t.config, {.order = PathOrder::up_down});
  CHECK(next_names(t, up_down, "l1", "h4") == Names{"l2"});
  CHECK(next_names(t, up_down, "l2", "h4") == Names{"l3"});
  CHECK(next_names(t, up_down, "l3", "h1") == Names{"l2"});
}

TEST_CASE("up-down leaves a pair without a path where one would have to go down and up again") {
  // Two leaves each below a spine of its own; the spines meet below, at a switch of tier 1.
  SmallTopology t;
  t.host("h1").host("h2").host("h3");
  t.switch_("l1").in_tier(1).switch_("l2").in_tier(1).switch_("low").in_tier(1);
  t.switch_("s1").in_tier(2).switch_("s2").in_tier(2);
  t.link("h1", "l1").link("h2", "l2").link("h3", "low");
  t.link("l1", "s1").link("l2", "s2").link("s1", "low").link("s2", "low");
  CHECK(next_names(t, routing_of(t.config, {}), "l1", "h2") == Names{"s1"});
  const Routing up_down = routing_of(t.config, {.order = PathOrder::up_down});
  CHECK(next_names(t, up_down, "l1", "h2").empty());
  CHECK(up_down.path({HostId{0U}, HostId{1U}}, 1).empty());
  CHECK(next_names(t, up_down, "l1", "h3") == Names{"s1"});
}

TEST_CASE("in a leaf-spine fabric up-down and shortest are the same") {
  TopologyConfig topology;
  add_leaf_spine(topology, {.leaves = 4, .spines = 3, .hosts_per_leaf = 2, .links_per_pair = 2});
  const Routing shortest = routing_of(topology, {});
  const Routing up_down = routing_of(topology, {.order = PathOrder::up_down});
  for (std::size_t s = 0; s < 7; ++s) {
    for (std::size_t h = 0; h < 8; ++h) {
      CHECK(std::ranges::equal(shortest.table(SwitchId{s}).candidates(HostId{h}),
                               up_down.table(SwitchId{s}).candidates(HostId{h})));
    }
  }
}

TEST_CASE("routes go round dead links, and nowhere where none is left") {
  SmallTopology t;
  t.host("h1").host("h2").switch_("l1").switch_("l2").switch_("s1").switch_("s2");
  t.link("h1", "l1").link("h2", "l2");
  t.link("l1", "s1").link("l1", "s2").link("s1", "l2").link("s2", "l2");
  const auto without = [&](const std::vector<std::size_t>& links) {
    std::vector<bool> dead(t.config.links.size());
    for (const std::size_t link : links) dead[link] = true;
    return routing_of(t.config, {.dead = dead});
  };
  CHECK(next_names(t, without({}), "l1", "h2") == Names{"s1", "s2"});
  CHECK(next_names(t, without({2}), "l1", "h2") == Names{"s2"});
  CHECK(next_names(t, without({4}), "l1", "h2") == Names{"s2"});  // a link further on
  CHECK(next_names(t, without({4}), "s1", "h2") == Names{"l1"});  // back the way it came: what is there already
  const Routing cut = without({4, 5});
  CHECK(next_names(t, cut, "l1", "h2").empty());
  CHECK(cut.table(SwitchId{0U}).next_port(HostId{1U}, 1).is_none());
  const Routing no_host = without({1});
  CHECK(next_names(t, no_host, "l1", "h2").empty());
  CHECK(next_names(t, no_host, "l2", "h2").empty());
  CHECK(next_names(t, no_host, "l2", "h1") == Names{"s1", "s2"});
  CHECK(no_host.table(SwitchId{1U}).next_port(HostId{1U}, 1).is_none());
}

TEST_CASE("a static route is withdrawn when all links to its neighbour are dead") {
  SmallTopology t;
  t.host("h1").host("h2").switch_("l1").switch_("l2").switch_("s1").switch_("s2");
  t.link("h1", "l1").link("h2", "l2");
  t.link("l1", "s1").link("l1", "s1").link("l1", "s2").link("s1", "l2").link("s2", "l2");
  t.route("l1", {"h2"}, "s1");
  std::vector<bool> dead(t.config.links.size());
  CHECK(next_names(t, routing_of(t.config, {.dead = dead}), "l1", "h2") == Names{"s1", "s1"});
  dead[2] = true;
  CHECK(next_names(t, routing_of(t.config, {.dead = dead}), "l1", "h2") == Names{"s1"});
  dead[3] = true;
  CHECK(next_names(t, routing_of(t.config, {.dead = dead}), "l1", "h2") == Names{"s2"});
}

TEST_CASE("weights follow the rates: 300 and 100 Gbps carry 3 to 1 of 10 000 flows") {
  SmallTopology t;
  t.host("h1").host("h2").switch_("l1").switch_("l2").switch_("s1").switch_("s2");
  t.link("h1", "l1").link("h2", "l2");
  t.link("l1", "s1", 300_Gbps).link("l1", "s2", 100_Gbps).link("s1", "l2", 300_Gbps).link("s2", "l2", 100_Gbps);
  const Routing routing = routing_of(t.config, {.policies = {4, RoutingPolicy::weighted}});
  CHECK(next_names(t, routing, "l1", "h2") == Names{"s1", "s1", "s1", "s2"});
  const PortMap& ports = routing.ports();
  int over_s1 = 0;
  for (std::uint64_t flow = 0; flow < 10'000; ++flow) {
    const PortId port = routing.table(SwitchId{0U}).next_port(HostId{1U}, mix(flow));
    over_s1 += ports.at({t.id("l1"), port}).peer == t.id("s1") ? 1 : 0;
  }
  // 7500 expected; the standard deviation is sqrt(10 000 x 3/4 x 1/4) = 43.3, five of them are 217.
  CHECK(std::abs(over_s1 - 7500) < 217);
}

TEST_CASE("a weight is what the whole way can carry, not the first link alone") {
  // Both spines have two links of 100 Gbps to l1. Only one of s1's two links to l2 is left: what goes there is halved.
  SmallTopology t;
  t.host("h1").host("h2").switch_("l1").switch_("l2").switch_("s1").switch_("s2");
  t.link("h1", "l1").link("h2", "l2");
  for (int i = 0; i < 2; ++i) t.link("l1", "s1").link("l1", "s2").link("s1", "l2").link("s2", "l2");
  std::vector<bool> dead(t.config.links.size());
  dead[4] = true;
  const Routing routing = routing_of(t.config, {.policies = {4, RoutingPolicy::weighted}, .dead = dead});
  // s1: min(100, 100 x 100 / 200) = 50 each port, s2: 100 each.
  CHECK(next_names(t, routing, "l1", "h2") == Names{"s1", "s1", "s2", "s2", "s2", "s2"});
  CHECK(next_names(t, routing, "s2", "h2") == Names{"l2", "l2"});
}

TEST_CASE("weights without a small common measure are rounded to 512 entries") {
  SmallTopology t;
  t.host("h1").host("h2").switch_("l1").switch_("l2").switch_("s1").switch_("s2");
  t.link("h1", "l1").link("h2", "l2");
  t.link("l1", "s1", Rate{99'999'999'000}).link("l1", "s2", Rate{10'000'000}).link("s1", "l2").link("s2", "l2");
  const Routing routing = routing_of(t.config, {.policies = {4, RoutingPolicy::weighted}});
  // 512 x 99 999 999 / 100 009 999 = 511.95, and 0.05, which is at least 1.
  const Names names = next_names(t, routing, "l1", "h2");
  CHECK(names.count("s1") == 512);
  CHECK(names.count("s2") == 1);
}
