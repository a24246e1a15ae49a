// topology.parts: what follows from what is given, and back from the effective scenario.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::literals;
using namespace soya::test;

namespace {

Scenario with_part(const std::string& part) {
  return scenario_of(
      "topology:\n  link_types: {fast: {rate: 400Gbps, reverse_rate: 200Gbps, length: 30m}}\n  parts:\n    - " + part +
      "\n");
}

std::size_t count_named(const Scenario& scenario, const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      scenario.topology.nodes, [&](const NodeConfig& node) { return node.name.find(text) != std::string::npos; }));
}

std::string value_of(const Scenario& scenario, const std::string& path) {
  const auto found = std::ranges::find(scenario.effective, path, &EffectiveKey::path);
  return found == scenario.effective.end() ? "" : found->value;
}

}  // namespace

TEST_CASE("oversubscription gives a leaf-spine its spines, or the links of each pair") {
  // 16 hosts at 100 Gbps are 1600 Gbps; 2 to 1 is 800 Gbps upwards: 8 links of 100, or 2 of 400.
  const Scenario spines = with_part("leaf_spine: {leaves: 4, hosts_per_leaf: 16, oversubscription: 2}");
  CHECK(count_named(spines, "spine") == 8);
  CHECK(spines.topology.links.size() == 4 * 16 + 4 * 8);
  CHECK(value_of(spines, "topology.parts[0].leaf_spine.spines") == "8");
  const Scenario fast = with_part("leaf_spine: {hosts_per_leaf: 16, oversubscription: 2, fabric_link: fast}");
  CHECK(count_named(fast, "spine") == 2);
  const Scenario links = with_part("leaf_spine: {leaves: 4, hosts_per_leaf: 16, spines: 2, oversubscription: 2}");
  CHECK(links.topology.links.size() == 4 * 16 + 4 * 2 * 4);
  CHECK(value_of(links, "topology.parts[0].leaf_spine.links_per_pair") == "4");
  const Scenario pairs = with_part("leaf_spine: {hosts_per_leaf: 16, links_per_pair: 4, oversubscription: 2}");
  CHECK(count_named(pairs, "spine") == 2);
  // 3 hosts over 2 uplinks; what is given thrice agrees.
  const Scenario all =
      with_part("leaf_spine: {hosts_per_leaf: 3, spines: 2, links_per_pair: 1, oversubscription: 3/2}");
  CHECK(count_named(all, "spine") == 2);
}

TEST_CASE("a link type's rate is the way up, and its reverse rate the way down") {
  const Scenario scenario = with_part("fat_tree: {k: 4, fabric_link: fast}");
  const TopologyConfig& topology = scenario.topology;
  for (const LinkConfig& link : topology.links) {
    const NodeConfig& low = topology.nodes[link.a.index()];
    if (low.kind == NodeKind::host) {
      CHECK(link.rate == 100_Gbps);
      continue;
    }
    // core_link is the same as fabric_link where it is not given.
    CHECK(*low.tier + 1 == *topology.nodes[link.b.index()].tier);
    CHECK(link.rate_from(link.a) == 400_Gbps);
    CHECK(link.rate_from(link.b) == 200_Gbps);
  }
  CHECK(value_of(scenario, "topology.parts[0].fat_tree.core_link") == "same");
  const Scenario core = with_part("fat_tree: {k: 4, core_link: fast}");
  CHECK(core.topology.links.back().rate == 400_Gbps);
}

TEST_CASE("a Clos splits its radix by the oversubscription, and is full unless it counts hosts") {
  // 3 to 1 of 64 ports: 48 down and 16 up; 64 leaves below 16 spines.
  const Scenario full = with_part("clos: {tiers: 2, radix: 64, oversubscription: 3}");
  CHECK(count_named(full, "host") == 48 * 64);
  CHECK(count_named(full, "leaf") == 64);
  CHECK(count_named(full, "spine") == 16);
  // 100 hosts take 3 leaves of 48.
  const Scenario some = with_part("clos: {tiers: 2, radix: 64, oversubscription: 3, hosts: 100}");
  CHECK(count_named(some, "host") == 100);
  CHECK(count_named(some, "leaf") == 3);
}

TEST_CASE("rails without other words are one block with as many spines as servers") {
  const Scenario scenario = with_part("rail_optimized: {servers: 4, gpus_per_server: 2}");
  CHECK(count_named(scenario, "gpu") == 8);
  CHECK(count_named(scenario, "rail") == 2);
  CHECK(count_named(scenario, "spine") == 4);
  CHECK(count_named(with_part("rail_optimized: {servers: 4, gpus_per_server: 2, rail_only: true}"), "spine") == 0);
  // Two blocks of two servers: two spines above each of two rails.
  const Scenario only =
      with_part("rail_optimized: {servers: 4, gpus_per_server: 2, servers_per_block: 2, rail_only: true}");
  CHECK(count_named(only, "spine") == 4);
}

TEST_CASE("a dragonfly without a number of groups is the largest") {
  // a h + 1 = 6 x 3 + 1 groups.
  const Scenario scenario =
      with_part("dragonfly: {routers_per_group: 6, hosts_per_router: 3, global_links_per_router: 3}");
  CHECK(count_named(scenario, "router") == 19 * 6);
  CHECK(scenario.warnings.size() == 1);  // that the fabric has no work
}

TEST_CASE("the effective scenario of every family makes the same topology") {
  for (const char* part :
       {"leaf_spine: {hosts_per_leaf: 16, oversubscription: 2, host_link: fast, fabric_link: {rate: 800Gbps}}",
        "fat_tree: {k: 6, fabric_link: fast}", "clos: {tiers: 3, radix: 8, oversubscription: 3, hosts: 50}",
        "rail_optimized: {servers: 6, gpus_per_server: 2, servers_per_block: 2}",
        "rail_optimized: {servers: 6, gpus_per_server: 2, rail_only: true}", "dragonfly: {groups: 5}",
        "torus: {dimensions: [3, 2, 4], fabric_link: fast}", "ring: {switches: 5, hosts_per_switch: 2}",
        "multi_site: {prefix: jp-, shape: ring, long_link: {rate: 100Gbps, length: 300km}, sites: [{name: a, "
        "leaf_spine: "
        "{}}, {name: b, fat_tree: {}, gateways: [core1]}, {name: c, ring: {prefix: r-}}]}",
        "rail_optimized: {servers: 2, gpus_per_server: 2, local: {rate: 3600Gbps, length: 1m}}",
        "multi_site: {dci: false, sites: [{name: a, ring: {}}, {name: b, ring: {}}]}"}) {
    CAPTURE(part);
    const Scenario first = with_part(part);
    const Scenario second = scenario_of(effective_yaml(first));
    REQUIRE(first.topology.nodes.size() == second.topology.nodes.size());
    REQUIRE(first.topology.links.size() == second.topology.links.size());
    for (std::size_t n = 0; n < first.topology.nodes.size(); ++n) {
      CHECK(first.topology.nodes[n].name == second.topology.nodes[n].name);
      CHECK(first.topology.nodes[n].tier == second.topology.nodes[n].tier);
    }
    for (std::size_t l = 0; l < first.topology.links.size(); ++l) {
      const LinkConfig& one = first.topology.links[l];
      const LinkConfig& other = second.topology.links[l];
      CHECK(one.a == other.a);
      CHECK(one.b == other.b);
      CHECK(one.rate == other.rate);
      CHECK(one.reverse_rate == other.reverse_rate);
      CHECK(one.length == other.length);
    }
    CHECK(effective_yaml(second).size() > 0);
    CHECK(first.topology.servers.size() == second.topology.servers.size());
  }
}

TEST_CASE("sites carry their names before those of their nodes") {
  const Scenario scenario = with_part(
      "multi_site: {sites: [{name: 札幌, leaf_spine: {}}, {name: 稚内, leaf_spine: {}}], long_link: {length: 300km}}");
  CHECK(count_named(scenario, "札幌-host") == 4);
  CHECK(count_named(scenario, "稚内-dci") == 1);
  const LinkConfig& haul = scenario.topology.links.back();
  CHECK(haul.length == 300_km);
  CHECK(scenario.topology.nodes[haul.a.index()].name == "札幌-dci");
  CHECK(scenario.topology.nodes[haul.b.index()].name == "稚内-dci");
}

TEST_CASE("the effective scenario of a server makes the same server") {
  const std::string text =
      "topology:\n  link_types: {nvlink: {rate: 3600Gbps, length: 1m}}\n"
      "  nodes: {s: switch, w: {kind: server, gpus: 4, nics: 2, local: nvlink}}\n"
      "  links: [{between: [w-gpu1, s]}, {between: [w-gpu3, s]}]\n"
      "hosts: {w-gpu1: {queue_depth: 7}}\n";
  const Scenario first = scenario_of(text);
  const Scenario second = scenario_of(effective_yaml(first));
  REQUIRE(second.topology.servers.size() == 1);
  CHECK(second.topology.servers[0].nics == first.topology.servers[0].nics);
  CHECK(second.topology.servers[0].local_ports == first.topology.servers[0].local_ports);
  CHECK(second.topology.links.back().rate == first.topology.links.back().rate);
  // The GPU, the one that uses its NIC, and their ports inside the server are set up alike: w-gpu1, w-gpu2,
  // w-gpu1-local.
  for (const std::size_t host : {0U, 1U, 4U}) CHECK(second.nics[host].queue_depth == 7);
  CHECK(second.nics[2].queue_depth != 7);
}
