// fabric.routing, switch_down and reorder_timeout: what a file can get wrong, verbatim, and what only the fabric shows.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "support/build_refusal.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Lines 1 to 3: two leaves below two spines. What a test adds begins in line 4.
const std::string fabric =
    "topology:\n"
    "  nodes: {h1: host, h2: host, l1: switch, l2: switch, s1: switch, s2: switch}\n"
    "  links: [{between: [h1, l1]}, {between: [h2, l2]}, {between: [l1, s1]}, {between: [l1, s2]}, {between: [s1, "
    "l2]}, "
    "{between: [s2, l2]}]\n";
const std::string workload = "workload: [{flows: [{from: h1, to: h2, size: 1KB}]}]\n";

std::string errors_with(const std::string& text) {
  return errors_of(fabric + text);
}

std::vector<std::string> build_warnings_of(const std::string& text) {
  const ScenarioFolder folder;
  folder.write("s.yaml", text);
  const Simulation simulation{folder.read("s.yaml")};
  std::vector<std::string> out;
  for (const std::string& warning : simulation.warnings()) out.push_back(folder.shortened(warning));
  return out;
}

}  // namespace

TEST_CASE("the fabric's routing holds for all switches, and a switch may differ") {
  const Scenario scenario = scenario_of(
      fabric +
      "fabric: {routing: {policy: spray, spray: random, hash_seeds: same, order: up-down, reconvergence: 20ms}}\n"
      "switches: {s1: {routing: {policy: flowlet, flowlet_gap: 50us, flowlet: least-queued}}}\n");
  CHECK(scenario.routing.hash_seeds == HashSeeds::same);
  CHECK(scenario.routing.order == PathOrder::up_down);
  CHECK(scenario.routing.reconvergence == 20_ms);
  CHECK(scenario.switches[0].routing == RoutingConfig{.policy = RoutingPolicy::spray, .spray = SprayOrder::random});
  CHECK(scenario.switches[2].routing ==
        RoutingConfig{RoutingPolicy::flowlet, SprayOrder::random, 50_us, FlowletChoice::least_queued});
  const Scenario plain = scenario_of(fabric + "fabric: {routing: {reconvergence: never}}\n");
  CHECK(plain.switches[0].routing == RoutingConfig{});
  CHECK_FALSE(plain.routing.reconvergence.has_value());
  CHECK(scenario_of(fabric).routing.reconvergence == 150_ms);
}

TEST_CASE("a key of another policy, and a key of the fabric at one switch, are refused") {
  CHECK(errors_with("fabric: {routing: {policy: ecmp, spray: random}}\n") ==
        "s.yaml:4:41: fabric.routing.spray: is of the policy spray only; it takes policy: spray");
  CHECK(errors_with("fabric: {routing: {flowlet_gap: 1us}}\n") ==
        "s.yaml:4:33: fabric.routing.flowlet_gap: is of the policy flowlet only; it takes policy: flowlet");
  CHECK(errors_with("switches: {s1: {routing: {order: shortest}}}\n") ==
        "s.yaml:4:27: switches.s1.routing.order: unknown key; \"order\" is a key of fabric.routing");
  CHECK(errors_with("fabric: {routing: {policy: sprai}}\n") ==
        "s.yaml:4:28: fabric.routing.policy: expected one of ecmp, spray, flowlet, adaptive, weighted, got \"sprai\"; "
        "did you mean \"spray\"?");
}

TEST_CASE("a reorder time-out of a NIC that goes back is refused") {
  CHECK(errors_with("nic: {reorder_timeout: 10us}\n") ==
        "s.yaml:4:24: nic.reorder_timeout: is of selective repeat only; it takes retransmission: selective-repeat");
  CHECK(errors_with("nic: {retransmission: selective-repeat}\nhosts: {h1: {reorder_timeout: 10us}}\n") == "");
}

TEST_CASE("switch_down names a switch, and ends after it begins") {
  CHECK(errors_with("faults: [{switch_down: {switch: s3, at: 1ms}}]\n") ==
        "s.yaml:4:33: faults[0].switch_down.switch: unknown switch \"s3\"; did you mean \"s1\"?");
  CHECK(errors_with("faults: [{switch_down: {switch: h1}}]\n") ==
        "s.yaml:4:33: faults[0].switch_down.switch: \"h1\" is a host; expected a switch");
  CHECK(errors_with("faults: [{switch_down: {switch: s1, at: 2ms, until: 1ms}}]\n") ==
        "s.yaml:4:53: faults[0].switch_down.until: until 1ms is not after at 2ms");
  CHECK(errors_with("faults: [{switch_down: {at: 2ms}}]\n") ==
        "s.yaml:4:24: faults[0].switch_down.switch: missing; expected a name");
  const Scenario scenario = scenario_of(fabric + "faults: [{switch_down: {switch: s2, at: 1ms, until: 5ms}}]\n");
  const auto& fault = std::get<SwitchDownFault>(scenario.faults.at(0));
  CHECK(scenario.topology.nodes[fault.node.index()].name == "s2");
  CHECK(fault.down == Time{0} + 1_ms);
  CHECK(fault.up == Time{0} + 5_ms);
}

TEST_CASE("a pair without a way up and down is refused, with the pair") {
  // Tiers follow the distance from hosts: low has one, so that it stands below the two spines that meet there.
  const std::string valley =
      "topology:\n"
      "  nodes: {h1: host, h2: host, h3: host, l1: switch, l2: switch, low: switch, s1: switch, s2: switch}\n"
      "  links: [{between: [h1, l1]}, {between: [h2, l2]}, {between: [h3, low]}, {between: [l1, s1]}, {between: [l2, "
      "s2]}, {between: [s1, low]}, {between: [s2, low]}]\n" +
      workload;
  CHECK(build_refusal(valley) == "");
  CHECK(build_refusal(valley + "fabric: {routing: {order: up-down}}\n") ==
        "s.yaml:4:21: workload[0].flows.list[0]: no path h1 -> h2 goes up the tiers and then down, as "
        "fabric.routing.order=up-down wants; try fabric.routing.order=shortest");
  CHECK(build_refusal(fabric + "fabric: {routing: {order: up-down}}\n" + workload) == "");
}

TEST_CASE("accelerators see all frames of a flow, or the policy is refused") {
  CHECK(build_refusal(
            "topology:\n"
            "  nodes: {h1: host, h2: host, s1: switch, s2: switch, w1: {kind: wan_accelerator, partner: w2}, w2: "
            "wan_accelerator}\n"
            "  links: [{between: [h1, s1]}, {between: [h2, s2]}, {between: [s1, w1]}, {between: [s2, w2]}, {between: "
            "[w1, w2], length: 300km}]\n"
            "switches: {s2: {routing: {policy: adaptive}}}\n" +
            workload) ==
        "s.yaml:4:35: switches.s2.routing.policy: a wan_accelerator has to see all frames of a flow in order, and this "
        "policy spreads them over several ways; it takes policy: ecmp or weighted");
}

TEST_CASE("a static route that a failure makes a loop of is refused, with the instant") {
  // h1's frames from l2 go by s1. When l1 - s1 fails, s1 has only l2 to go on by, which sends them to s1.
  CHECK(build_refusal(fabric +
                      "  routes: [{at: l2, to: h1, via: s1}]\n"
                      "faults: [{link_down: {between: [l1, s1], at: 1ms}}]\n" +
                      workload) ==
        "s.yaml:4:12: topology.routes[0]: frames for h1 go round l2 > s1 > l2 from 151 ms on, when switches route "
        "without link l1 - s1; leave out the route, or try fabric.routing.reconvergence=never");
  CHECK(build_refusal(fabric +
                      "  routes: [{at: l2, to: h1, via: s1}]\n"
                      "fabric: {routing: {reconvergence: never}}\n"
                      "faults: [{link_down: {between: [l1, s1], at: 1ms}}]\n" +
                      workload) == "");
  // Its own link is dead: the route is withdrawn.
  CHECK(build_refusal(fabric +
                      "  routes: [{at: l2, to: h1, via: s1}]\n"
                      "faults: [{link_down: {between: [l2, s1], at: 1ms}}]\n" +
                      workload) == "");
}

TEST_CASE("NICs that take overtaking for loss are warned of, with what to write") {
  const std::string spray = "fabric: {routing: {policy: spray}}\n" + workload;
  CHECK(build_warnings_of(fabric + spray) ==
        std::vector<std::string>{
            "s.yaml:4:28: fabric.routing.policy: frames of a flow take several ways and may overtake each other, and 2 "
            "NICs take that for a loss and have packets sent again; try nic.retransmission=selective-repeat and "
            "nic.reorder_timeout=100us"});
  CHECK(
      build_warnings_of(fabric + "nic: {retransmission: selective-repeat, reorder_timeout: 100us}\n" + spray).empty());
  CHECK(build_warnings_of(fabric + "fabric: {routing: {policy: weighted}}\n" + workload).empty());
}
