// Accelerators that cannot work, as users may write them, verbatim.
#include <doctest/doctest.h>

#include <string>

#include "engine/simulation.hpp"
#include "support/fabric_bench.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Complaints about two hosts with accelerators `x` and `y` between them, as file s.yaml.
std::string complaint(const std::string& nodes, const std::string& links = "[h, x], [x, y], [y, k]") {
  std::string list = links;
  for (std::size_t at = list.find('['); at != std::string::npos; at = list.find('[', at + 11)) {
    list.insert(at, "{between: ");
    list.insert(list.find(']', at) + 1, "}");
  }
  return errors_of("topology:\n  nodes: {h: host, k: host, " + nodes + "}\n  links: [" + list + "]\n");
}

}  // namespace

TEST_CASE("a pair of accelerators needs one to name the other") {
  CHECK(complaint("x: {kind: wan_accelerator, partner: y}, y: wan_accelerator") == "");
  CHECK(complaint("x: {kind: wan_accelerator, partner: y}, y: {kind: wan_accelerator, partner: x}") == "");
  CHECK(complaint("x: wan_accelerator, y: {kind: switch}") ==
        "s.yaml:2:29: topology.nodes.x: wan_accelerator \"x\" has no partner; name the one at the far end of its long "
        "link: {kind: wan_accelerator, partner: NAME}");
}

TEST_CASE("an accelerator has one partner, which is another accelerator") {
  CHECK(complaint("x: {kind: wan_accelerator, partner: x}, y: switch") ==
        "s.yaml:2:65: topology.nodes.x.partner: \"x\" cannot be its own partner; name the one at the far end of its "
        "long link");
  CHECK(complaint("x: {kind: wan_accelerator, partner: y}, y: switch") ==
        "s.yaml:2:65: topology.nodes.x.partner: \"y\" is a switch; expected a wan_accelerator");
  CHECK(complaint("x: {kind: wan_accelerator, partner: z}, y: wan_accelerator") ==
        "s.yaml:2:65: topology.nodes.x.partner: unknown wan_accelerator \"z\"; known: x, y");
  CHECK(
      complaint("x: {kind: wan_accelerator, partner: y}, y: wan_accelerator, z: {kind: wan_accelerator, partner: x}") ==
      "s.yaml:2:125: topology.nodes.z.partner: \"x\" has the partner \"y\" already; an accelerator has one");
}

TEST_CASE("an accelerator has two links, one to its partner and one to its site") {
  const std::string pair = "x: {kind: wan_accelerator, partner: y}, y: wan_accelerator, s: switch";
  CHECK(complaint(pair, "[h, x], [x, y], [y, k], [x, s]") ==
        "s.yaml:2:29: topology.nodes.x: wan_accelerator \"x\" has 3 links; it takes two, one to its partner and one to "
        "its site");
  CHECK(complaint(pair, "[h, x], [x, s], [s, y], [y, k]") ==
        "s.yaml:2:29: topology.nodes.x: no link joins wan_accelerator \"x\" and its partner \"y\"; add it to "
        "topology.links: {between: [x, y]}\n"
        "s.yaml:2:69: topology.nodes.y: no link joins wan_accelerator \"y\" and its partner \"x\"; add it to "
        "topology.links: {between: [y, x]}");
  CHECK(
      complaint(pair, "[h, s], [s, k], [x, y], [x, y]") ==
      "s.yaml:2:29: topology.nodes.x: wan_accelerator \"x\" has both links to its partner \"y\"; it takes two, one to "
      "its partner and one to its site\n"
      "s.yaml:2:69: topology.nodes.y: wan_accelerator \"y\" has both links to its partner \"x\"; it takes two, one to "
      "its partner and one to its site");
}

TEST_CASE("keys of an accelerator belong to an accelerator, and its buffer holds something") {
  CHECK(complaint("x: {kind: switch, buffer: 1MiB}, y: switch") ==
        "s.yaml:2:55: topology.nodes.x.buffer: a node of kind wan_accelerator has this key alone");
  CHECK(complaint("x: {kind: wan_accelerator, partner: y, buffer: 0B}, y: wan_accelerator") ==
        "s.yaml:2:76: topology.nodes.x.buffer: 0B is out of range; allowed: 1B to 1TiB");
  CHECK(complaint("x: {partner: y}, y: switch") ==
        "s.yaml:2:32: topology.nodes.x.kind: missing; expected one of host, switch, wan_accelerator, "
        "server");
  CHECK(complaint("x: accelerator, y: switch") ==
        "s.yaml:2:32: topology.nodes.x: expected host, switch, wan_accelerator or server, got \"accelerator\"");
}

TEST_CASE("a buffer that cannot take what comes after XOFF is refused with what it takes") {
  FabricBench bench;
  bench.hosts("h", 2);
  // auto headroom of the site's link = 2 x 1 us (25 000 B) + 4178 + 84 + 2 x 4158 = 37 578 B; two frames are 8316 B.
  bench.accelerators("x", "y", 45'893_B);
  bench.link("h1", "x");
  bench.link("x", "y");
  bench.link("y", "h2");
  bench.flow("h1", "h2", 4096_B);
  const auto refusal = [&]() -> std::string {
    try {
      const Simulation simulation{bench.scenario};
      return {};
    } catch (const ScenarioError& error) {
      return error.what();
    }
  };
  const std::string need =
      ": buffer 45 893 B is less than 37 578 B that may come after XOFF, and two frames; it takes "
      "at least 45894B";
  CHECK(refusal() == "wan_accelerator x" + need + "\nwan_accelerator y" + need);
  for (AcceleratorConfig& one : bench.scenario.topology.accelerators) one.buffer = 45'894_B;
  CHECK(refusal() == "");
}
