#include "sweep/point_plan.hpp"

#include <doctest/doctest.h>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

TEST_CASE("packet-hops are packets times links, acknowledges included") {
  const ScenarioFolder folder;
  folder.write("s.yaml", std::string{two_hosts} +
                             "fabric: {mtu: 4096}\nnic: {ack_every: 1}\n"
                             "workload: [{flows: [{from: h1, to: h2, size: 4096000B, operation: send}]}]\n");
  // 1000 full packets and as many acknowledges, each over two links.
  CHECK(static_cast<double>(estimated_packet_hops(folder.read("s.yaml"))) ==
        doctest::Approx(2 * 2 * 1000).epsilon(0.001));
}

TEST_CASE("closed forms are those of the port with the largest budget") {
  const ScenarioFolder folder;
  folder.write(
      "s.yaml",
      "topology:\n"
      "  nodes: {h1: host, h2: host, s: switch}\n"
      "  links: [{between: [h1, s], rate: 100Gbps, length: 300km}, {between: [h2, s], rate: 100Gbps, length: 5m}]\n"
      "fabric: {mtu: 4096, buffer: {size: 1GiB}}\n"
      "workload: [{flows: [{from: h1, to: h2, size: 1B, operation: send}]}]\n");
  double automatic = 0;
  for (const auto& [name, value] : closed_forms(folder.read("s.yaml"))) {
    if (name == "plan.headroom_auto_bytes") automatic = value;
  }
  // There and back 37 500 000 B, the frame that the PAUSE waits for 4178, itself 84, response 25 216, two frames.
  CHECK(automatic == 37'500'000 + 4178 + 84 + 394 * 64 + 2 * 4158);
}
