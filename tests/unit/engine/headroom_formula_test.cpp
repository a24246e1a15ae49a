// fabric.headroom.formula: what size: auto is computed with, and what is said of it.
#include <doctest/doctest.h>

#include <string>

#include "engine/headroom_auto.hpp"
#include "engine/simulation.hpp"
#include "support/scenario_folder.hpp"
#include "topology/port_map.hpp"

using namespace soya;
using namespace soya::literals;
using namespace soya::test;

namespace {

/// Two hosts on a switch over 400 m of fibre, 2 us, at `rate`; a WRITE of 4096 B makes frames of 4174 B.
Scenario scenario_with(const std::string& headroom, const std::string& rate = "100Gbps") {
  return scenario_of(
      "topology: {link_types: {l: {rate: " + rate +
      ", length: 400m}}, nodes: {h1: host, h2: host, s1: switch}, links: [{between: [h1, s1], type: l}, {between: [h2, "
      "s1], type: l}]}\nworkload: [{flows: [{from: h1, to: h2, size: 4096B}]}]\nfabric: {headroom: " +
      headroom + "}\n");
}

Bytes automatic_of(const Scenario& scenario) {
  return automatic_headroom(scenario, build_ports(scenario.topology)).at(0).at(0);
}

std::string refusal(const Scenario& scenario) {
  try {
    const Simulation simulation{scenario};
    return {};
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

std::string warnings_of(const Scenario& scenario) {
  const Simulation simulation{scenario};
  std::string all;
  for (const std::string& warning : simulation.warnings()) all += warning + "\n";
  return all;
}

}  // namespace

TEST_CASE("size: auto follows the formula") {
  // 2 x 2 us at 12.5 B/ns, waiting 4194, PAUSE 84, response 394 x 64, two frames of 4174.
  CHECK(automatic_of(scenario_with("{}")) == Bytes{50'000 + 4194 + 84 + 25'216 + 2 * 4174});
  CHECK(automatic_of(scenario_with("{formula: qdt}")) >= automatic_of(scenario_with("{}")));
  // 3 x 25 000; 2 x (25 000 + 4174) + 3840.
  CHECK(automatic_of(scenario_with("{formula: hpcc}")) == 75'000_B);
  CHECK(automatic_of(scenario_with("{formula: dsh}")) == Bytes{2 * (25'000 + 4174) + 3840});
  // (9100 + 400 x 100 000 / 792 + 819.2 + 3891.2) x 2 + 1024 = 129 654.9, up to 127 KiB.
  CHECK(automatic_of(scenario_with("{formula: sonic-msn2700}")) == 127_KiB);
}

TEST_CASE("a formula without a value for a rate is refused with what to choose") {
  const std::string said = refusal(scenario_with("{formula: cisco}", "200Gbps"));
  CHECK(said.substr(said.rfind('/') + 1) ==
        "s.yaml:3:30: fabric.headroom.formula: cisco has no value for switch s1 port h1: the table has 10, 25, 40 and "
        "100 Gbps, not 200 Gbps; choose soya, or give headroom.size");
  CHECK(refusal(scenario_with("{formula: cisco, size: 64KiB}", "200Gbps")) == "");
  CHECK(refusal(scenario_with("{formula: cisco}", "100Gbps")) == "");
}

TEST_CASE("a formula below the budget is a warning that names the formula") {
  CHECK(warnings_of(scenario_with("{}")) == "");
  const std::string said = warnings_of(scenario_with("{formula: dsh}"));
  // 62 188 B; the budget is 87 842 B.
  CHECK(
      said ==
      "switch s1 port h1 has 62 188 B of headroom, 87 842 B is the budget; 1 more port is below its own: frames may be "
      "lost after a PAUSE; try fabric.headroom.formula=soya\n");
}

TEST_CASE("a formula beside a size has no effect, and that is said") {
  const Scenario scenario = scenario_with("{formula: hpcc, size: 90000B}");
  REQUIRE(scenario.warnings.size() == 1);
  CHECK(scenario.warnings[0].message == "has no effect: size is given, and the formula is that of size: auto");
  CHECK(scenario_with("{mode: none, loss_allowed: true, formula: hpcc}").warnings.size() == 1);
}
