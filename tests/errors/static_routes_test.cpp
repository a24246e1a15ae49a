// topology.routes: what a file can get wrong, verbatim, and what only the tables show.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "support/build_refusal.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Lines 1 to 4: a triangle of switches, and a fourth behind S3. The routes of a test are line 5.
const std::string fabric =
    "topology:\n"
    "  nodes: {H1: host, H2: host, H3: host, S1: switch, S2: switch, S3: switch, edge: switch}\n"
    "  links: [{between: [H1, S1]}, {between: [H2, S2]}, {between: [H3, S3]}, {between: [S1, S2]},\n"
    "    {between: [S2, S3]}, {between: [S3, S1]}, {between: [S3, edge]}]\n";

std::string errors_with(const std::string& routes) {
  return errors_of(fabric + "  routes: " + routes + "\n");
}

std::string with_routes(const std::string& routes) {
  return fabric + "  routes:\n" + routes + "workload: [{flows: [{from: H1, to: H3, size: 1KB}]}]\n";
}

std::vector<std::string> hosts_of(const Scenario& scenario, const StaticRoute& route) {
  std::vector<std::string> names;
  for (const NodeId host : route.to) names.push_back(scenario.topology.nodes[host.index()].name);
  return names;
}

}  // namespace

TEST_CASE("a route is to one host, a list, or all that are not at its switch") {
  const Scenario scenario = scenario_of(with_routes(
      "    - {at: S1, to: H3, via: S2}\n    - {at: S2, to: [H3, H1], via: S1}\n    - {at: S3, to: all, via: S2}\n"));
  const std::vector<StaticRoute>& routes = scenario.topology.routes;
  REQUIRE(routes.size() == 3);
  using Names = std::vector<std::string>;
  CHECK(hosts_of(scenario, routes[0]) == Names{"H3"});
  CHECK(hosts_of(scenario, routes[1]) == Names{"H3", "H1"});
  CHECK(hosts_of(scenario, routes[2]) == Names{"H1", "H2"});
  CHECK(scenario.topology.nodes[routes[0].at.index()].name == "S1");
  CHECK(scenario.topology.nodes[routes[0].via.index()].name == "S2");
  CHECK(routes[0].where.line == 6);
  CHECK(routes[0].where.path == "topology.routes[0]");
}

TEST_CASE("names nobody has, and names of the wrong kind") {
  CHECK(errors_with("[{at: S11, to: H3, via: S2}]") ==
        "s.yaml:5:17: topology.routes[0].at: unknown switch \"S11\"; did you mean \"S1\"?");
  CHECK(errors_with("[{at: S1, to: H33, via: S2}]") ==
        "s.yaml:5:25: topology.routes[0].to: unknown host \"H33\"; did you mean \"H3\"?");
  CHECK(errors_with("[{at: S1, to: H3, via: S22}]") ==
        "s.yaml:5:34: topology.routes[0].via: unknown node \"S22\"; did you mean \"S2\"?");
  CHECK(errors_with("[{at: S1, to: [H3, 4], via: S2}]") ==
        "s.yaml:5:30: topology.routes[0].to[1]: unknown host \"4\"; known: H1, H2, H3");
  CHECK(errors_with("[{at: H1, to: S3, via: S2}]") ==
        "s.yaml:5:17: topology.routes[0].at: \"H1\" is a host; expected a switch\n"
        "s.yaml:5:25: topology.routes[0].to: \"S3\" is a switch; expected a host");
}

TEST_CASE("a route leads to a neighbour, and through no host") {
  CHECK(errors_with("[{at: S1, to: H3, via: edge}]") ==
        "s.yaml:5:34: topology.routes[0].via: no link joins \"S1\" and \"edge\"; neighbours of \"S1\": H1, S2, S3");
  CHECK(errors_with("[{at: S1, to: H3, via: S1}]") ==
        "s.yaml:5:34: topology.routes[0].via: no link joins \"S1\" and \"S1\"; neighbours of \"S1\": H1, S2, S3");
  const std::string through =
      "topology.routes[0].via: \"H1\" is a host, which passes no frames on; expected a switch, or a route to \"H1\" "
      "alone";
  CHECK(errors_with("[{at: S1, to: H3, via: H1}]") == "s.yaml:5:34: " + through);
  CHECK(errors_with("[{at: S1, to: [H1, H3], via: H1}]") == "s.yaml:5:40: " + through);
  CHECK(errors_with("[{at: S1, to: H1, via: H1}]") == "");
  CHECK(errors_of("topology: {nodes: {s: switch, t: switch, a: host}, links: [{between: [a, t]}],\n"
                  "  routes: [{at: s, to: a, via: t}]}\n") ==
        "s.yaml:2:32: topology.routes[0].via: no link joins \"s\" and \"t\"; \"s\" has no link");
  std::string star = "topology: {nodes: {s: switch, t: switch";
  std::string links;
  for (int i = 1; i <= 9; ++i) {
    star += ", h" + std::to_string(i) + ": host";
    links += "{between: [s, h" + std::to_string(i) + "]}, ";
  }
  CHECK(errors_of(star + "}, links: [" + links + "],\n  routes: [{at: s, to: h1, via: t}]}\n") ==
        "s.yaml:2:33: topology.routes[0].via: no link joins \"s\" and \"t\"; neighbours of \"s\": h1, h2, h3, h4, h5, "
        "h6, "
        "h7, h8, … (9 in all)");
}

TEST_CASE("two routes of a switch to one host name both places") {
  CHECK(errors_of(with_routes("    - {at: S1, to: H3, via: S2}\n    - {at: S1, to: H3, via: S2}\n")) ==
        "s.yaml:7:20: topology.routes[1].to: \"S1\" has a route to \"H3\" already, from s.yaml:6 (topology.routes[0]); "
        "remove one of them");
  CHECK(errors_of(with_routes("    - {at: S1, to: [H2, H3], via: S2}\n    - {at: S1, to: all, via: S3}\n")) ==
        "s.yaml:7:20: topology.routes[1].to: \"S1\" has a route to \"H2\" already, from s.yaml:6 (topology.routes[0]); "
        "remove one of them");
  CHECK(errors_with("[{at: S1, to: [H3, H3], via: S2}]") ==
        "s.yaml:5:30: topology.routes[0].to[1]: host \"H3\" is listed twice");
  CHECK(errors_of(with_routes("    - {at: S1, to: H3, via: S2}\n    - {at: S2, to: H3, via: S3}\n")) == "");
}

TEST_CASE("routes that do not say what they are") {
  CHECK(errors_with("all") ==
        "s.yaml:5:11: topology.routes: expected a list of routes such as [{at: s1, to: h3, via: s2}], got \"all\"");
  CHECK(errors_with("[S1]") == "s.yaml:5:12: topology.routes[0]: expected a mapping of keys, got \"S1\"");
  CHECK(errors_with("[{}]") ==
        "s.yaml:5:12: topology.routes[0].at: missing; expected the name of a switch\n"
        "s.yaml:5:12: topology.routes[0].to: missing; expected the name of a host, a list of hosts, or all\n"
        "s.yaml:5:12: topology.routes[0].via: missing; expected the name of a neighbour of the switch");
  CHECK(errors_with("[{at: [S1], to: {H3: x}, via: {}}]") ==
        "s.yaml:5:17: topology.routes[0].at: expected the name of a switch, got a list\n"
        "s.yaml:5:27: topology.routes[0].to: expected the name of a host, a list of hosts, or all, got a mapping\n"
        "s.yaml:5:41: topology.routes[0].via: expected the name of a neighbour of the switch, got a mapping");
  CHECK(errors_with("[{at: S1, to: [], via: S2}]") == "s.yaml:5:25: topology.routes[0].to: the list of hosts is empty");
  CHECK(errors_with("[{at: S1, to: H3, next_hop: S2, via: S2}]") ==
        "s.yaml:5:29: topology.routes[0].next_hop: unknown key; did you mean \"via\"?");
  CHECK(errors_with("[]") == "");
  CHECK(errors_of("topology: {nodes: {s: switch, t: switch, a: host}, links: [{between: [a, s]}, {between: [s, t]}],\n"
                  "  routes: [{at: s, to: all, via: t}]}\n") ==
        "s.yaml:2:24: topology.routes[0].to: all hosts are plugged into \"s\" itself");
}

TEST_CASE("a link that cannot be read makes no complaint about a route over it") {
  CHECK(
      errors_of("topology:\n  nodes: {s: switch, t: switch, a: host}\n  links: [{between: [a, s]}, {between: [s, u]}]\n"
                "  routes: [{at: s, to: a, via: t}, {at: x, to: a, via: t}]\n") ==
      "s.yaml:3:44: topology.links[1].between[1]: unknown node \"u\"; known: s, t, a\n"
      "s.yaml:4:41: topology.routes[1].at: unknown switch \"x\"; known: s, t");
}

TEST_CASE("--set changes a route, or all of them") {
  const std::string text = with_routes("    - {at: S1, to: H3, via: S2}\n");
  const auto via = [&](const std::string& set) {
    const Scenario scenario = scenario_of(text, ReadOptions{.sets = {set}});
    std::string names;
    for (const StaticRoute& route : scenario.topology.routes) {
      names += scenario.topology.nodes[route.via.index()].name + ' ';
    }
    return names;
  };
  CHECK(via("topology.routes[0].via=S3") == "S3 ");
  CHECK(via("topology.routes=[]") == "");
  CHECK(via("topology.routes=[{at: S2, to: all, via: S3}, {at: S1, to: H2, via: S2}]") == "S3 S2 ");
  CHECK(errors_of(text, ReadOptions{.sets = {"topology.routes[1].via=S3"}}) ==
        "--set: topology.routes[1].via: the list has one item, [0]");
  CHECK(errors_of(text, ReadOptions{.sets = {"topology.routes[0].via=H2"}}) ==
        "--set: topology.routes[0].via: no link joins \"S1\" and \"H2\"; neighbours of \"S1\": H1, S2, S3");
  CHECK(
      errors_of(text,
                ReadOptions{.sets = {"topology.routes=[{at: S1, to: H3, via: S2}, {at: S1, to: H3, via: S3}]"}}) ==
      "--set: topology.routes[1].to: \"S1\" has a route to \"H3\" already, from --set (topology.routes[0]); remove one "
      "of them");
}

TEST_CASE("routes that make a loop are refused at build, each loop at its first route") {
  CHECK(build_refusal(with_routes("    - {at: S2, to: H3, via: S1}\n    - {at: S1, to: H3, via: S2}\n")) ==
        "s.yaml:6:7: topology.routes[0]: frames for H3 go round S1 > S2 > S1");
  CHECK(build_refusal(with_routes("    - {at: S1, to: H1, via: S2}\n    - {at: S3, to: all, via: edge}\n")) ==
        "s.yaml:6:7: topology.routes[0]: frames for H1 go round S1 > S2 > S1\n"
        "s.yaml:7:7: topology.routes[1]: frames for H1 and 1 other host go round S3 > edge > S3");
  CHECK(build_refusal(with_routes("    - {at: S1, to: H3, via: S2}\n")) == "");
}

TEST_CASE("a loop and a buffer that is too small are told together") {
  // 60 012 288 B and 8 x 4174 B of shared memory.
  CHECK(build_refusal(with_routes("    - {at: edge, to: H3, via: S3}\n    - {at: S3, to: H3, via: edge}\n") +
                      "switches: {S1: {headroom: {size: 20MB}}}\n") ==
        "s.yaml:6:7: topology.routes[0]: frames for H3 go round S3 > edge > S3\n"
        "s.yaml:9:34: switches.S1.headroom.size: switch S1: headroom 60 000 000 + reserved 12 288 > buffer 33 554 432 "
        "(bytes; 3 ports x 1 lossless priority); 32MiB is the default, it takes at least fabric.buffer.size=60045680B");
}
