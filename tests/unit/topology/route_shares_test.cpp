#include "topology/route_shares.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "small_topology.hpp"

using namespace soya;
using soya::test::SmallTopology;

namespace {

/// h1 - l1 = s1, s2 = m = t1, t2, t3 = l2 - h2: a choice of two, then one of three.
SmallTopology two_choices() {
  SmallTopology t;
  t.host("h1").host("h2");
  for (const char* name : {"l1", "s1", "s2", "m", "t1", "t2", "t3", "l2"}) t.switch_(name);
  t.link("h1", "l1").link("h2", "l2");
  for (const char* s : {"s1", "s2"}) t.link("l1", s).link(s, "m");
  for (const char* s : {"t1", "t2", "t3"}) t.link("m", s).link(s, "l2");
  return t;
}

constexpr HostPair there{HostId{0U}, HostId{1U}};

std::map<std::string, double> named(const SmallTopology& t, const Routing& routing, std::uint64_t flow_hash) {
  std::map<std::string, double> shares;
  for (const PortShare& one : route_shares(routing, there, flow_hash)) {
    const NodeId peer = routing.ports().at(one.port).peer;
    shares[t.config.nodes[one.port.node.index()].name + ">" + t.config.nodes[peer.index()].name] = one.share;
  }
  return shares;
}

}  // namespace

TEST_CASE("under ECMP a flow's own path carries all of it") {
  const SmallTopology t = two_choices();
  const Routing routing{t.config, std::vector<std::uint64_t>(8, 5)};
  for (std::uint64_t flow = 0; flow < 50; ++flow) {
    const std::vector<PortRef> path = routing.path(there, flow);
    std::vector<PortShare> expected;
    for (const PortRef& hop : path) expected.push_back({hop, 1.0});
    CHECK(path.size() == 6);
    CHECK(route_shares(routing, there, flow) == expected);
  }
}

TEST_CASE("where every switch spreads frames, each candidate carries as much") {
  const SmallTopology t = two_choices();
  for (const RoutingPolicy policy : {RoutingPolicy::spray, RoutingPolicy::flowlet, RoutingPolicy::adaptive}) {
    const Routing routing{t.config, std::vector<std::uint64_t>(8, 5), {.policies = {8, policy}}};
    const auto shares = named(t, routing, 1);
    CHECK(shares.size() == 2 + 2 * 2 + 3 * 2);
    CHECK(shares.at("h1>l1") == 1.0);
    for (const char* s : {"s1", "s2"}) {
      CHECK(shares.at(std::string{"l1>"} + s) == 0.5);
      CHECK(shares.at(std::string{s} + ">m") == 0.5);
    }
    for (const char* s : {"t1", "t2", "t3"}) {
      CHECK(shares.at(std::string{"m>"} + s) == doctest::Approx(1.0 / 3));
      CHECK(shares.at(std::string{s} + ">l2") == doctest::Approx(1.0 / 3));
    }
    CHECK(shares.at("l2>h2") == doctest::Approx(1.0));
  }
}

TEST_CASE("one spreading switch leaves the others their own choice") {
  const SmallTopology t = two_choices();
  std::vector<RoutingPolicy> policies(8, RoutingPolicy::ecmp);
  policies[3] = RoutingPolicy::spray;  // m
  const Routing routing{t.config, std::vector<std::uint64_t>(8, 5), {.policies = policies}};
  const auto shares = named(t, routing, 1);
  CHECK(shares.size() == 2 + 2 + 3 * 2);  // one of s1 and s2
  CHECK(shares.at("m>t2") == doctest::Approx(1.0 / 3));
}

TEST_CASE("no path has no shares") {
  const SmallTopology t = two_choices();
  std::vector<bool> dead(t.config.links.size());
  dead[1] = true;  // h2 - l2
  for (const RoutingPolicy policy : {RoutingPolicy::ecmp, RoutingPolicy::spray}) {
    const Routing routing{t.config, std::vector<std::uint64_t>(8, 5), {.policies = {8, policy}, .dead = dead}};
    CHECK(route_shares(routing, there, 1).empty());
    CHECK(route_shares(routing, {HostId{0U}, HostId{0U}}, 1).empty());
  }
}
