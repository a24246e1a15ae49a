// Every family under load: everything arrives once, buffers end empty, and a run is the same when it is run again; a
// topology that is written reads back; and where paths go round, a run ends, by name, or routes go up and down.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "engine/simulation.hpp"
#include "property/dice.hpp"
#include "property/random_scenario.hpp"
#include "scenario/topology_files.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

std::string number(Dice& dice, int least, int most) {
  return std::to_string(dice.small(least, most));
}

/// A part of a few switches, by chance. Those whose shortest paths go round are the last three.
std::string any_part(Dice& dice, int family) {
  const std::string local = dice.chance(50) ? ", local: {rate: 400Gbps, length: 1m}" : "";
  switch (family) {
    case 0:
      return "leaf_spine: {leaves: " + number(dice, 2, 4) + ", spines: " + number(dice, 1, 3) +
             ", links_per_pair: " + number(dice, 1, 2) + ", hosts_per_leaf: " + number(dice, 1, 3) + "}";
    case 1:
      return "fat_tree: {k: " + std::to_string(2 * dice.small(1, 2)) + "}";
    case 2:
      return "clos: {tiers: " + number(dice, 2, 4) + ", radix: 4, hosts: " + number(dice, 2, 8) + "}";
    case 3:
      return "rail_optimized: {servers: " + number(dice, 2, 4) + ", gpus_per_server: " + number(dice, 1, 3) +
             ", servers_per_block: 2" + local + "}";
    case 4:
      return "multi_site: {shape: chain, long_link: {length: 1km}, sites: [{name: a, leaf_spine: {}}, {name: b, "
             "fat_tree: {k: 2}}, {name: c, rail_optimized: {servers: 2, gpus_per_server: 2" +
             local + "}}]}";
    case 5:
      return "dragonfly: {groups: " + number(dice, 2, 5) + ", routers_per_group: 2, hosts_per_router: 1}";
    case 6:
      return "torus: {dimensions: [" + number(dice, 1, 3) + ", " + number(dice, 2, 4) + "]}";
    default:
      return "ring: {switches: " + number(dice, 2, 5) + "}";
  }
}

/// Work for all hosts, little enough that no buffer fills: where paths go round, full ones can wait for each other.
std::string any_scenario(std::uint64_t seed, int family) {
  Dice dice{seed, "families"};
  const std::string part = any_part(dice, family);
  const std::string size = std::to_string(dice.between(0, 100'000)) + 'B';
  const std::string local = dice.chance(50) ? "true" : "false";
  return "seed: " + std::to_string(seed) + "\ntopology: {parts: [{" + part +
         "}]}\nworkload:\n  - all_reduce: {size: " + size + ", local_link: " + local +
         "}\n  - permutation: {shift: 1, size: " + size + "}\n";
}

/// The topology of a file that holds `text`.
TopologyConfig read_back(const std::string& name, const std::string& text) {
  const ScenarioFolder folder;
  folder.write(name, text);
  return read_topology_file(folder.path(name)).topology;
}

/// A ring, torus or dragonfly whose hosts all send to another one at once, many times what buffers of 100 kB a port or
/// so hold.
std::string round_scenario(std::uint64_t seed, int family, const std::string& order) {
  Dice dice{seed, "round"};
  std::string part;
  if (family == 0) part = "ring: {switches: " + number(dice, 4, 8) + "}";
  if (family == 1) part = "torus: {dimensions: [" + number(dice, 4, 5) + ", " + number(dice, 2, 4) + "]}";
  if (family == 2) {
    part = "dragonfly: {groups: " + number(dice, 3, 5) + ", routers_per_group: " + number(dice, 2, 3) +
           ", hosts_per_router: 2}";
  }
  return "seed: " + std::to_string(seed) + "\ntopology: {parts: [{" + part +
         "}]}\nfabric: {buffer: {size: 350KB, alpha: 1/8}, routing: {order: " + order +
         "}}\nstop: {stalled_after: 50ms}\nworkload: [{permutation: {flows_per_host: 3, size: 2MB}}]\n";
}

bool warns_of_circles(const Simulation& simulation) {
  return std::ranges::any_of(simulation.warnings(), [](const std::string& line) {
    return line.find("lossless frames may wait for each other in a circle") != std::string::npos;
  });
}

}  // namespace

TEST_CASE("every family delivers everything once and alike") {
  for (int family = 0; family < 8; ++family) {
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(property_seeds() / 16, 1); ++seed) {
      const std::string text = any_scenario(seed, family);
      CAPTURE(text);
      const Scenario scenario = scenario_of(text);
      const RunResults results = Simulation{scenario}.run();  // a run that is done has checked that buffers are empty
      CHECK(results.sound);
      CHECK(results.transfers.finished == results.transfers.count);
      std::int64_t sent = 0;
      std::int64_t received = 0;
      for (const HostRow& host : results.hosts) {
        sent += host.sent_payload_bytes;
        received += host.received_payload_bytes;
      }
      CHECK(sent == received);
      CHECK(sent >= results.transfers.payload_bytes);  // and clear-to-sends
      CHECK(Simulation{scenario}.run().fingerprint == results.fingerprint);
    }
  }
}

TEST_CASE("every family is the same after it was written in any format and read back") {
  for (int family = 0; family < 8; ++family) {
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(property_seeds() / 16, 1); ++seed) {
      const Scenario scenario = scenario_of(any_scenario(seed, family));
      const TopologyConfig& topology = scenario.topology;
      const std::string yaml = topology_yaml(topology);
      const std::string graphml = topology_graphml(topology);
      const std::string dot = topology_dot(topology);
      CAPTURE(yaml);
      CHECK(topology_yaml(read_back("t.yaml", yaml)) == yaml);
      // From one format to the next, all the way round.
      CHECK(topology_graphml(read_back("t.graphml", graphml)) == graphml);
      CHECK(topology_dot(read_back("t.graphml", graphml)) == dot);
      CHECK(topology_graphml(read_back("t.dot", dot)) == graphml);
      if (left_out_of_graphs(scenario).empty()) CHECK(topology_yaml(read_back("t.dot", dot)) == yaml);
    }
  }
}

TEST_CASE(
    "where paths go round, a run is sound or names the circle that it was warned of, and up and down it is sound") {
  for (int family = 0; family < 3; ++family) {
    CAPTURE(family);
    int stalled = 0;
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(property_seeds() / 10, 1); ++seed) {
      CAPTURE(seed);
      Simulation shortest{scenario_of(round_scenario(seed, family, "shortest"))};
      const bool warned = warns_of_circles(shortest);
      const RunResults results = shortest.run();
      CHECK(results.drops.lossless == 0);
      if (!results.sound) {
        ++stalled;
        CHECK(warned);
        REQUIRE(results.why_not.size() > 1);
        CHECK(results.why_not[0].starts_with("pause cycle "));
        CHECK(results.why_not[1].starts_with("stalled: at "));
      }
      Simulation up_down{scenario_of(round_scenario(seed, family, "up-down"))};
      CHECK_FALSE(warns_of_circles(up_down));
      const RunResults sound = up_down.run();
      CHECK(sound.sound);
      CHECK(sound.transfers.finished == sound.transfers.count);
    }
    if (property_seeds() >= 200) CHECK(stalled > 0);  // one seed in ten or so stalls
  }
}
