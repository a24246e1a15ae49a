// Nodes of kind server: what a file can get wrong, verbatim.
#include <doctest/doctest.h>

#include <string>

#include "engine/simulation.hpp"
#include "support/build_refusal.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

std::string errors_with(const std::string& server) {
  return errors_of("topology:\n  nodes:\n    w: " + server + "\n");
}

/// Line 1 of a scenario: two GPUs, one NIC, a link inside the server, and a host beside it.
const std::string shared =
    "topology: {nodes: {w: {kind: server, gpus: 2, nics: 1, local: {rate: 400Gbps}}, h: host, s: switch}, links: "
    "[{between: [w-gpu1, s]}, {between: [h, s]}]}\n";

}  // namespace

TEST_CASE("servers that cannot be") {
  CHECK(errors_with("{kind: server, gpus: 8, nics: 3}") ==
        "s.yaml:3:38: topology.nodes.w.nics: 3 NICs do not divide 8 GPUs evenly; expected a divisor of 8");
  CHECK(errors_with("{kind: server, gpus: 2, nics: 4}") ==
        "s.yaml:3:38: topology.nodes.w.nics: 4 NICs do not divide 2 GPUs evenly; expected a divisor of 2");
  CHECK(errors_with("{kind: server, gpus: 8, nics: 4}") ==
        "s.yaml:3:38: topology.nodes.w.nics: 4 NICs for 8 GPUs leave 4 without one, which need the server's own link: "
        "give local, such as {rate: 256Gbps}");
  CHECK(errors_with("{kind: server, gpus: 0}") ==
        "s.yaml:3:29: topology.nodes.w.gpus: 0 is out of range; allowed: 1 to 1024");
  CHECK(errors_with("{kind: server, gpus: 1, tier: 2}") ==
        "s.yaml:3:38: topology.nodes.w.tier: a server has no such key; its GPUs are hosts");
  CHECK(errors_with("{kind: switch, gpus: 8}") ==
        "s.yaml:3:29: topology.nodes.w.gpus: a node of kind server has this key alone");
  CHECK(errors_with("{kind: server, gpus: 1, local: nvlink}") ==
        "s.yaml:3:39: topology.nodes.w.local: unknown link type \"nvlink\"; topology.link_types has none");
  CHECK(errors_with("server") ==
        "s.yaml:3:5: topology.nodes.w: host \"w-gpu1\" has no link; a host has one NIC with one port, so exactly one "
        "link\n"
        "s.yaml:3:5: topology.nodes.w: host \"w-gpu2\" has no link; a host has one NIC with one port, so exactly one "
        "link\n"
        "s.yaml:3:5: topology.nodes.w: host \"w-gpu3\" has no link; a host has one NIC with one port, so exactly one "
        "link\n"
        "s.yaml:3:5: topology.nodes.w: host \"w-gpu4\" has no link; a host has one NIC with one port, so exactly one "
        "link\n"
        "s.yaml:3:5: topology.nodes.w: host \"w-gpu5\" has no link; a host has one NIC with one port, so exactly one "
        "link\n"
        "s.yaml:3:5: topology.nodes.w: host \"w-gpu6\" has no link; a host has one NIC with one port, so exactly one "
        "link\n"
        "s.yaml:3:5: topology.nodes.w: host \"w-gpu7\" has no link; a host has one NIC with one port, so exactly one "
        "link\n"
        "s.yaml:3:5: topology.nodes.w: host \"w-gpu8\" has no link; a host has one NIC with one port, so exactly one "
        "link");
}

TEST_CASE("work that servers cannot do") {
  CHECK(
      build_refusal(shared + "workload: [{all_reduce: {hosts: [w, h], size: 1MB}}]\n") ==
      "s.yaml:2:25: workload[0].all_reduce: w-gpu1 and w-gpu2 use one NIC, that of w-gpu1, and no frame leaves it for "
      "itself; local_link: true lets the ranks of a ring talk inside the server");
  CHECK(build_refusal(shared + "workload: [{all_reduce: {hosts: [w, h], size: 1MB, local_link: true}}]\n").empty());
  CHECK(errors_of(shared + "workload: [{all_reduce: {hosts: [w, w-gpu2], size: 1MB}}]\n") ==
        "s.yaml:2:37: workload[0].all_reduce.hosts[1]: host \"w-gpu2\" is listed twice");
  CHECK(
      errors_of(shared + "workload: [{flows: [{from: w-gpu1-local, to: h, size: 1MB}]}]\n") ==
      "s.yaml:2:28: workload[0].flows.list[0].from: \"w-gpu1-local\" is a GPU's port inside its server; name the GPU, "
      "\"w-gpu1\"");
  CHECK(errors_of(shared + "workload: [{incast: {receiver: h, senders: 3, size: 1MB}}]\n") ==
        "s.yaml:2:44: workload[0].incast.senders: asks for 3 hosts; the topology has 2 besides the receiver");
}

TEST_CASE("all hosts are GPUs and hosts, without the ports inside servers") {
  const Scenario scenario = scenario_of(shared + "workload: [{all_reduce: {size: 1MB}}]\n");
  CHECK(std::get<AllReduceConfig>(scenario.jobs.front()).hosts.size() == 3);
  CHECK(scenario.nics.size() == 4);
  CHECK(scenario.warnings.empty());
}

TEST_CASE("a server has a name of its own, as a list of hosts may name either") {
  CHECK(errors_of("topology:\n  parts: [{leaf_spine: {}}]\n  nodes:\n    host1: {kind: server, gpus: 1}\n"
                  "  links: [{between: [host1-gpu1, leaf1]}]\n") ==
        "s.yaml:4:5: topology.nodes.host1: server \"host1\" exists already, from s.yaml:2 "
        "(topology.parts[0].leaf_spine); give one of them another name or prefix");
  CHECK(errors_of("topology:\n  parts: [{rail_optimized: {servers: 2, gpus_per_server: 2, local: {rate: 1Tbps}}}]\n"
                  "  nodes:\n    server2: switch\n  links: [{between: [server2, block1-rail1]}]\n") ==
        "s.yaml:2:28: topology.parts[0].rail_optimized: server \"server2\" exists already, from s.yaml:4 "
        "(topology.nodes.server2); give one of them another name or prefix");
}

TEST_CASE("local_link: true without a local link to use is warned of") {
  const std::string local = "local: {rate: 400Gbps}";
  const auto warnings = [&](const std::string& server, const std::string& hosts) {
    return warnings_of("topology: {nodes: {w: {kind: server, gpus: 2" + server +
                       "}, h: host, s: switch}, links: [{between: [w-gpu1, s]}, {between: [w-gpu2, s]}, {between: "
                       "[h, s]}]}\nworkload:\n  - all_reduce: {size: 1MB, local_link: true, hosts: " +
                       hosts + "}\n");
  };
  const std::string idle =
      "s.yaml:3:17: workload[0].all_reduce: local_link: true has no effect: no two neighbours in the ring are GPUs of "
      "one server that has a link of its own (topology.nodes.*.local)";
  CHECK(warnings("", "all") == idle);  // the server has none
  CHECK(warnings(", " + local, "all").empty());
  CHECK(warnings(", " + local, "[w-gpu2, h, w-gpu1]").empty());  // the last is a neighbour of the first
  CHECK(warnings(", " + local, "[w-gpu2, h]").ends_with(idle));
}
