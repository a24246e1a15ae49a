// topology.parts: what the families refuse, verbatim.
#include <doctest/doctest.h>

#include <string>

#include "engine/simulation.hpp"
#include "support/build_refusal.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// What is wrong with the family `text`, without the place and path of parts[0], which line 3 holds.
std::string errors_with(const std::string& text) {
  return errors_of("topology:\n  parts:\n    - " + text + "\n");
}

}  // namespace

TEST_CASE("a part is one family") {
  CHECK(errors_with("{ring: {}, torus: {}}") ==
        "s.yaml:3:7: topology.parts[0]: expected one family, got torus and ring");
  CHECK(
      errors_with("{fat_tre: {k: 4}}") ==
      "s.yaml:3:7: topology.parts[0]: expected a family: leaf_spine, fat_tree, clos, rail_optimized, dragonfly, torus, "
      "ring, multi_site\n"
      "s.yaml:3:8: topology.parts[0].fat_tre: unknown key; did you mean \"fat_tree\"?");
  CHECK(errors_with("{fat_tree: {kk: 4}}") ==
        "s.yaml:3:19: topology.parts[0].fat_tree.kk: unknown key; did you mean \"k\"?");
  CHECK(
      errors_with("{fat_tree: {k: 256}}") ==
      "s.yaml:3:18: topology.parts[0].fat_tree: makes a topology of 4276224 nodes and 12582912 links; allowed: 1000000 "
      "nodes and 10000000 links");
}

TEST_CASE("oversubscription of a leaf-spine that no links make") {
  // 16 x 100 over 3 are 533.3 Gbps: one 400 Gbps uplink is 4 to 1, two are 2 to 1.
  CHECK(errors_with("leaf_spine: {hosts_per_leaf: 16, oversubscription: 3, fabric_link: {rate: 400Gbps}}") ==
        "s.yaml:3:58: topology.parts[0].leaf_spine.oversubscription: 3 takes no whole number of uplinks of 400Gbps for "
        "16 hosts of 100Gbps; nearest: 4 (1 uplink) or 2 (2 uplinks)");
  // 16 x 100 over 8 x 100 are 2.
  CHECK(errors_with("leaf_spine: {hosts_per_leaf: 16, spines: 4, links_per_pair: 2, oversubscription: 3}") ==
        "s.yaml:3:88: topology.parts[0].leaf_spine.oversubscription: 3 contradicts 4 spines with 2 links per pair: 16 "
        "hosts of 100Gbps over 8 uplinks of 100Gbps are 2; leave one of the three out");
  CHECK(errors_with("leaf_spine: {hosts_per_leaf: 16, spines: 3, oversubscription: 2}") ==
        "s.yaml:3:69: topology.parts[0].leaf_spine.oversubscription: 2 takes 8 uplinks on each leaf, which 3 spines do "
        "not "
        "divide; leave spines or links_per_pair out");
  CHECK(errors_with("leaf_spine: {oversubscription: 3:1}") ==
        "s.yaml:3:38: topology.parts[0].leaf_spine.oversubscription: expected a ratio such as 1/8 or 4, got \"3:1\"; "
        "allowed: none, or above 0 up to 10000");
}

TEST_CASE("numbers that a fat tree or a Clos cannot have") {
  CHECK(errors_with("fat_tree: {k: 7}") ==
        "s.yaml:3:21: topology.parts[0].fat_tree.k: expected an even number, as half the ports of a switch lead up, "
        "got 7; "
        "nearest: 6 or 8");
  CHECK(errors_with("clos: {tiers: 3, radix: 7}") ==
        "s.yaml:3:31: topology.parts[0].clos.radix: expected an even number, as half the ports of a switch between "
        "leaves "
        "and spines lead up, got 7; nearest: 6 or 8");
  // 64 x 2/3 is 42.67: 42 over 22 are 21/11, 43 over 21.
  CHECK(errors_with("clos: {tiers: 2, oversubscription: 2}") ==
        "s.yaml:3:42: topology.parts[0].clos.oversubscription: 2 does not split the 64 ports of a leaf; nearest: 21/11 "
        "(42 "
        "down, 22 up) or 43/21 (43 down, 21 up)");
  CHECK(errors_with("clos: {tiers: 1, oversubscription: 3}") ==
        "s.yaml:3:42: topology.parts[0].clos.oversubscription: a single tier has no uplinks; leave it out, or give "
        "tiers: "
        "2");
  CHECK(
      errors_with("clos: {tiers: 2, radix: 64, hosts: 2049}") ==
      "s.yaml:3:42: topology.parts[0].clos.hosts: 2049 do not fit: 2 tiers of radix 64 have room for 2048; add a tier "
      "or ports");
}

TEST_CASE("numbers that rails, dragonflies, tori and rings cannot have") {
  CHECK(errors_with("rail_optimized: {rail_only: true, spines: 2}") ==
        "s.yaml:3:49: topology.parts[0].rail_optimized.spines: with rail_only a spine joins the switches of one rail, "
        "and "
        "4 servers in one block have one for each rail; leave it out, or give servers_per_block");
  CHECK(errors_with("dragonfly: {groups: 10}") ==
        "s.yaml:3:27: topology.parts[0].dragonfly.groups: 10 groups need 9 global links each, and 4 routers with 2 "
        "have 8; "
        "allowed: up to 9");
  CHECK(errors_with("torus: {dimensions: 4}") ==
        "s.yaml:3:27: topology.parts[0].torus.dimensions: expected a list of lengths such as [4, 4, 4], got \"4\"");
  CHECK(errors_with("torus: {dimensions: []}") ==
        "s.yaml:3:27: topology.parts[0].torus.dimensions: expected a list of lengths such as [4, 4, 4], got an empty "
        "list");
  CHECK(errors_with("torus: {dimensions: [4, 0, x]}") ==
        "s.yaml:3:31: topology.parts[0].torus.dimensions[1]: expected a whole number; allowed: 1 to 100000, got \"0\"\n"
        "s.yaml:3:34: topology.parts[0].torus.dimensions[2]: expected a whole number; allowed: 1 to 100000, got \"x\"");
  CHECK(errors_with("torus: {dimensions: [100000, 100000, 100000, 100000, 100000, 100000, 100000, 100000]}")
            .find("nodes and ") != std::string::npos);
  CHECK(errors_with("ring: {switches: 0}") ==
        "s.yaml:3:24: topology.parts[0].ring.switches: 0 is out of range; allowed: 1 to 100000");
}

TEST_CASE("sites that cannot be joined") {
  CHECK(errors_with("multi_site: {}") ==
        "s.yaml:3:19: topology.parts[0].multi_site.sites: expected a list of two sites or more, such as [{name: a, "
        "leaf_spine: {}}, {name: b, leaf_spine: {}}]");
  CHECK(errors_with("multi_site: {sites: [{name: a, ring: {}}]}") ==
        "s.yaml:3:27: topology.parts[0].multi_site.sites: expected a list of two sites or more, such as [{name: a, "
        "leaf_spine: {}}, {name: b, leaf_spine: {}}], got a list");
  CHECK(errors_with("multi_site: {sites: [{name: a, ring: {}}, {ring: {}}]}") ==
        "s.yaml:3:49: topology.parts[0].multi_site.sites[1].name: missing; expected a name");
  CHECK(errors_with("multi_site: {sites: [{name: a}, {name: b, ring: {}}]}") ==
        "s.yaml:3:28: topology.parts[0].multi_site.sites[0]: expected a family: leaf_spine, fat_tree, clos, "
        "rail_optimized, dragonfly, torus, ring");
  CHECK(errors_with("multi_site: {sites: [{name: a, ring: {}}, {name: b, ring: {}, gateways: [spine1]}]}") ==
        "s.yaml:3:49: topology.parts[0].multi_site.sites[1]: gateway \"spine1\": site \"b\" has no switch "
        "\"b-spine1\"; a "
        "gateway is named without the site's \"b-\"");
  CHECK(errors_with("multi_site: {sites: [{name: a, ring: {}}, {name: b, ring: {}, gateways: [switch1, switch1]}]}") ==
        "s.yaml:3:49: topology.parts[0].multi_site.sites[1]: gateway \"switch1\" is listed twice");
  CHECK(
      errors_with("multi_site: {dci: false, sites: [{name: a, ring: {}}, {name: b, leaf_spine: {}}]}") ==
      "s.yaml:3:61: topology.parts[0].multi_site.sites[1]: site \"b\" has 2 gateways and site \"a\" has 4; without dci "
      "the k-th of one has long links to the k-th of the other");
  CHECK(errors_with("multi_site: {dci: false, gateway_link: {}, sites: [{name: a, ring: {}}, {name: b, ring: {}}]}") ==
        "s.yaml:3:46: topology.parts[0].multi_site.gateway_link: leads to a DCI switch, and with dci: false there is "
        "none; "
        "leave it out");
  CHECK(errors_with("multi_site: {sites: [{name: a, ring: {}}, {name: a, ring: {}}]}") ==
        "s.yaml:3:56: topology.parts[0].multi_site.sites[1].name: another site is named \"a\"");
}

TEST_CASE("global ports that stay free are told") {
  CHECK(warnings_of("topology:\n  parts:\n    - dragonfly: {groups: 4}\n"
                    "workload: [{all_reduce: {size: 1KB}}]\n") ==
        "s.yaml:3:27: topology.parts[0].dragonfly.groups: 2 of the 8 global ports of each group stay free: they do not "
        "go "
        "round 3 other groups");
}

TEST_CASE("rails without a path between them") {
  const std::string topology =
      "topology: {parts: [{rail_optimized: {servers: 2, gpus_per_server: 2, rail_only: true}}]}\n";
  CHECK(build_refusal(topology + "workload: [{flows: [{from: server1-gpu1, to: server1-gpu2, size: 1KB}]}]\n") ==
        "s.yaml:2:21: workload[0].flows.list[0]: no path server1-gpu1 -> server1-gpu2 (components 1, 2)");
}
