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

namespace {

/// Complaints about `nodes` beside a host h and a switch s that joins h, a and b, and about `links` beside theirs.
std::string spelled(const std::string& nodes, const std::string& links = "") {
  return errors_of("topology:\n  links: [{between: [h, s]}, {between: [a, s]}, {between: [b, s]}" + links +
                   "]\n  nodes:\n    h: host\n    s: switch\n" + nodes);
}

const std::string gpu_a = "    a: {kind: host, server: w}\n";
const std::string gpu_b = "    b: {kind: host, server: w}\n";
const std::string inside = "    ws: {kind: switch, local_switch_of: w}\n    ap: {kind: host, local_port_of: a}\n";
const std::string port_b = "    bp: {kind: host, local_port_of: b}\n";

}  // namespace

TEST_CASE("servers given node by node") {
  CHECK(spelled(gpu_a + gpu_b).empty());
  CHECK(spelled(gpu_a + gpu_b + inside + port_b, ", {between: [ap, ws]}, {between: [ws, bp]}").empty());
  CHECK(spelled("    a: {kind: switch, server: w}\n" + gpu_b) ==
        "s.yaml:6:31: topology.nodes.a.server: a host has this key alone");
  CHECK(spelled("    a: {kind: host, local_switch_of: w}\n" + gpu_b) ==
        "s.yaml:6:38: topology.nodes.a.local_switch_of: a switch has this key alone");
  CHECK(spelled("    a: {kind: host, nic: b}\n" + gpu_b) ==
        "s.yaml:6:26: topology.nodes.a.nic: says whose NIC a GPU uses; give its server, too");
  CHECK(spelled("    a: {kind: host, server: w, local_port_of: b}\n" + gpu_b) ==
        "s.yaml:6:47: topology.nodes.a.local_port_of: the port of a GPU inside its server is no GPU itself; leave out "
        "server and nic");
  CHECK(spelled("    a: {kind: host, server: [w]}\n" + gpu_b) ==
        "s.yaml:6:29: topology.nodes.a.server: expected a name, got a list");
  CHECK(spelled("    a: {kind: host, server: w, nic: h}\n" + gpu_b) ==
        "s.yaml:6:37: topology.nodes.a.nic: \"h\" is no GPU of server \"w\"");
  CHECK(spelled("    a: {kind: host, server: w, nic: x}\n" + gpu_b) ==
        "s.yaml:6:37: topology.nodes.a.nic: unknown node \"x\"; known: h, s, a, b");
  CHECK(spelled("    a: {kind: host, server: w, nic: b}\n    b: {kind: host, server: w, nic: a}\n") ==
        "s.yaml:6:37: topology.nodes.a.nic: \"b\" has no NIC to lend; it uses that of \"a\"\n"
        "s.yaml:7:37: topology.nodes.b.nic: \"a\" has no NIC to lend; it uses that of \"b\"");
  CHECK(spelled("    a: {kind: host, server: w, nic: b}\n" + gpu_b) ==
        "s.yaml:6:37: topology.nodes.a.nic: a GPU without a NIC needs a switch of server \"w\"; give it one, {kind: "
        "switch, local_switch_of: w}");
  CHECK(spelled("    w: {kind: server, gpus: 1}\n" + gpu_a + gpu_b, ", {between: [w-gpu1, s]}") ==
        "s.yaml:7:29: topology.nodes.a.server: server \"w\" has all its GPUs already, from topology.nodes.w; give this "
        "host another server\n"
        "s.yaml:8:29: topology.nodes.b.server: server \"w\" has all its GPUs already, from topology.nodes.w; give this "
        "host another server");
  CHECK(spelled(gpu_a + gpu_b + "    w: {kind: server, gpus: 1}\n", ", {between: [w-gpu1, s]}") ==
        "s.yaml:8:8: topology.nodes.w: server \"w\" is there already, from topology.nodes.a; give one of them another "
        "name");
}

TEST_CASE("switches and ports of servers given node by node") {
  CHECK(spelled(gpu_a + gpu_b + "    ap: {kind: host, local_port_of: a}\n", ", {between: [ap, s]}") ==
        "s.yaml:8:37: topology.nodes.ap.local_port_of: server \"w\" has no switch for this port; give it one, {kind: "
        "switch, local_switch_of: w}");
  CHECK(
      spelled(gpu_a + gpu_b + inside, ", {between: [ap, ws]}") ==
      "s.yaml:7:29: topology.nodes.b.server: server \"w\" has the switch \"ws\", and this GPU has no port there; give "
      "it one, {kind: host, local_port_of: b}");
  CHECK(spelled(gpu_a + gpu_b + inside + port_b, ", {between: [ap, s]}, {between: [bp, ws]}") ==
        "s.yaml:9:37: topology.nodes.ap.local_port_of: its link leads to \"s\", not to \"ws\", the switch of server "
        "\"w\"");
  CHECK(spelled(gpu_a + "    b: {kind: host, server: w, nic: a}\n" + inside, ", {between: [ap, ws]}") ==
        "s.yaml:7:37: topology.nodes.b.nic: its link leads to \"s\", not to \"ws\", the switch of server \"w\"");
  CHECK(spelled(gpu_a + "    b: {kind: host, server: w, nic: a}\n" + inside + port_b,
                ", {between: [ap, ws]}, {between: [bp, ws]}") ==
        "s.yaml:10:37: topology.nodes.bp.local_port_of: \"b\" uses the NIC of \"a\", so its own link leads to the "
        "server's switch, and it has no other port");
  CHECK(spelled(gpu_a + gpu_b + inside + "    bp: {kind: host, local_port_of: a}\n",
                ", {between: [ap, ws]}, {between: [bp, ws]}") ==
        "s.yaml:10:37: topology.nodes.bp.local_port_of: \"a\" has a port inside its server already, \"ap\"");
  CHECK(spelled(gpu_a + gpu_b + "    hp: {kind: host, local_port_of: h}\n", ", {between: [hp, s]}") ==
        "s.yaml:8:37: topology.nodes.hp.local_port_of: \"h\" is no GPU that says server: NAME");
  CHECK(spelled(gpu_a + gpu_b + "    x: {kind: switch, local_switch_of: v}\n") ==
        "s.yaml:8:40: topology.nodes.x.local_switch_of: no host says server: v, as the GPUs of this server do");
  CHECK(spelled(gpu_a + gpu_b + inside + port_b + "    x: {kind: switch, local_switch_of: w}\n",
                ", {between: [ap, ws]}, {between: [bp, ws]}") ==
        "s.yaml:11:40: topology.nodes.x.local_switch_of: server \"w\" has a switch already, \"ws\"");
  CHECK(spelled("    a: host\n    b: host\n    c: {kind: server, gpus: 1, server: w}\n", ", {between: [c-gpu1, s]}") ==
        "s.yaml:8:40: topology.nodes.c.server: a server has no such key; its GPUs are hosts");
}

TEST_CASE("a port inside a server is refused as a host of work, with its GPU's name") {
  const std::string nodes = gpu_a + gpu_b + inside + port_b;
  CHECK(errors_of("topology:\n  links: [{between: [h, s]}, {between: [a, s]}, {between: [b, s]}, {between: [ap, ws]}, "
                  "{between: [bp, ws]}]\n  nodes:\n    h: host\n    s: switch\n" +
                  nodes + "workload: [{flows: [{from: bp, to: h, size: 1MB}]}]\n") ==
        "s.yaml:11:28: workload[0].flows.list[0].from: \"bp\" is a GPU's port inside its server; name the GPU, \"b\"");
}

TEST_CASE("attributes of a map that say wrong things of servers are told with their line") {
  const ScenarioFolder folder;
  folder.write("m.dot",
               "graph {\n  a [kind=host, server=w];\n  b [kind=host, server=w, nic=c];\n  s;\n  p [local_port_of=a];\n"
               "  edge [rate=\"1Gbps\", length=\"1m\"];\n  a -- s;\n  b -- s;\n}\n");
  folder.write("s.yaml", "topology: m.dot\n");
  CHECK(folder.errors("s.yaml") == "m.dot:5:3: topology.nodes.p.local_port_of: a host has this key alone");
}

TEST_CASE("a flow has no ranks: it names a GPU, and nothing leads it inside a server") {
  CHECK(build_refusal(shared + "workload: [{flows: [{from: w-gpu1, to: w-gpu2, size: 1KB}]}]\n") ==
        "s.yaml:2:21: workload[0].flows.list[0]: w-gpu1 and w-gpu2 use one NIC, that of w-gpu1, and no frame leaves it "
        "for itself");
  CHECK(errors_of(shared + "workload: [{flows: [{from: w, to: h, size: 1KB}]}]\n") ==
        "s.yaml:2:28: workload[0].flows.list[0].from: \"w\" is a server; name one of its GPUs, such as \"w-gpu1\"");
}
