// What can be known before time zero: names, ends, ranks, times that contradict each other.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Case {
  std::string text;
  std::string message;
};

void check(const std::string& before, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(errors_of(before + c.text) == c.message);
  }
}

}  // namespace

TEST_CASE("topologies that cannot be") {
  check("topology:\n",
        {
            {"  nodes: {a: host, s: switch}\n  links: [{between: [a, s]}, {between: [a, s]}]\n",
             "s.yaml:2:11: topology.nodes.a: host \"a\" has 2 links; a host has one NIC with one port, so exactly one "
             "link"},
            {"  nodes: {a: host, s: switch}\n",
             "s.yaml:2:11: topology.nodes.a: host \"a\" has no link; a host has one NIC with one port, so exactly one "
             "link"},
            {"  nodes: {s: switch}\n  links: [{between: [s, s]}]\n",
             "s.yaml:3:21: topology.links[0].between: a link from \"s\" to itself"},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, u1]}]\n",
             "s.yaml:3:25: topology.links[0].between[1]: unknown node \"u1\"; known: s, t"},
            {"  nodes: {s: switch}\n  links: [{between: [s]}]\n",
             "s.yaml:3:21: topology.links[0].between: expected the two ends, such as [a, b], got a list"},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], length: 0m}]\n",
             "s.yaml:3:11: topology.links[0]: a link needs a positive delay, and this one has length 0m and delay 0s; "
             "give it a length or a delay"},
            {"  link_types: {x: {length: 0m}}\n  nodes: {s: switch, t: switch}\n"
             "  links: [{between: [s, t], type: x, count: 2}, {between: [t, s], type: x}]\n",
             "s.yaml:2:19: topology.link_types.x: a link needs a positive delay, and this one has length 0m and delay "
             "0s; give it a length or a delay"},
            {"  link_types: {x: {delay: 1ns}}\n  nodes: {s: switch, t: switch}\n"
             "  links: [{between: [s, t], type: x, length: 0m, delay: 0s}]\n",
             "s.yaml:4:11: topology.links[0]: a link needs a positive delay, and this one has length 0m and delay 0s; "
             "give it a length or a delay"},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], reverse_length: 0km}]\n",
             "s.yaml:3:11: topology.links[0]: a link needs a positive delay each way, and this one has reverse_length "
             "0m and reverse_delay 0s; give it a length or a delay"},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], length: -3km}]\n",
             "s.yaml:3:37: topology.links[0].length: -3km is out of range; allowed: 0m to 1000000km"},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], loss: 2}]\n",
             "s.yaml:3:35: topology.links[0].loss: expected a probability from 0 to 1, such as 1e-5, or keys such as "
             "{packets: 1e-5, burst: 8}, got \"2\""},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], loss: {packets: -0.1}}]\n",
             "s.yaml:3:45: topology.links[0].loss.packets: expected a probability from 0 to 1, such as 1e-5, got "
             "\"-0.1\""},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], loss: {bits: nan}}]\n",
             "s.yaml:3:42: topology.links[0].loss.bits: expected a probability from 0 to 1, such as 1e-5, got \"nan\""},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], loss: {packets: 0.1, burst: 1/2}}]\n",
             "s.yaml:3:57: topology.links[0].loss.burst: expected a mean of at least 1 frame, such as 8, got \"1/2\""},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], loss: {packets: 0.9, burst: 4}}]\n",
             "s.yaml:3:45: topology.links[0].loss.packets: expected at most 0.8, as bursts of 4 frames on average have "
             "a frame between them, got \"0.9\""},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], loss: {packet: 0.9}}]\n",
             "s.yaml:3:36: topology.links[0].loss.packet: unknown key; did you mean \"packets\"?"},
            {"  link_types: {haul: {}}\n  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], type: hual}]\n",
             "s.yaml:4:35: topology.links[0].type: unknown link type \"hual\"; did you mean \"haul\"?"},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], type: haul}]\n",
             "s.yaml:3:35: topology.links[0].type: unknown link type \"haul\"; topology.link_types has none"},
            {"  nodes: {s: switch, t: switch}\n  links: [{between: [s, t], type: [a]}]\n",
             "s.yaml:3:35: topology.links[0].type: expected the name of a link type, got a list"},
            {"  nodes: {}\n", "s.yaml:2:3: topology: has no nodes; give it parts or nodes"},
            {"  parts: [{}]\n",
             "s.yaml:2:11: topology.parts[0]: expected a family: leaf_spine, fat_tree, clos, rail_optimized, "
             "dragonfly, torus, ring, multi_site"},
            {"  parts: [{leaf_spine: {leaves: 0}}]\n",
             "s.yaml:2:33: topology.parts[0].leaf_spine.leaves: 0 is out of range; allowed: 1 to 100000"},
            {"  parts: [{leaf_spine: {leaves: 1e5, spines: 1e5, hosts_per_leaf: 1e5}}]\n",
             "s.yaml:2:24: topology.parts[0].leaf_spine: makes a topology of 10000200000 nodes and 20000000000 links; "
             "allowed: 1000000 nodes and 10000000 links"},
        });
}

TEST_CASE("nodes that exist twice name both places") {
  CHECK(errors_of("topology:\n  parts: [{leaf_spine: {prefix: a-}},\n    {leaf_spine: {prefix: a-}}]\n") ==
        "s.yaml:3:18: topology.parts[1].leaf_spine: node \"a-host1\" exists already, from s.yaml:2 "
        "(topology.parts[0].leaf_spine); "
        "give one of them another name or prefix");
  CHECK(
      errors_of("topology:\n  parts: [{leaf_spine: {}}]\n  nodes: {leaf1: switch}\n") ==
      "s.yaml:3:11: topology.nodes.leaf1: node \"leaf1\" exists already, from s.yaml:2 (topology.parts[0].leaf_spine); "
      "give one of them another name or prefix");
}

TEST_CASE("names nobody has, and names of the wrong kind") {
  check(two_hosts,
        {
            {"workload: [{flows: [{from: h1, to: h3, size: 1B}]}]\n",
             "s.yaml:2:36: workload[0].flows.list[0].to: unknown host \"h3\"; did you mean \"h1\"?"},
            {"workload: [{flows: [{from: s1, to: h2, size: 1B}]}]\n",
             "s.yaml:2:28: workload[0].flows.list[0].from: \"s1\" is a switch; expected a host"},
            {"workload: [{flows: [{from: [h1], to: h2, size: 1B}]}]\n",
             "s.yaml:2:28: workload[0].flows.list[0].from: expected the name of a host, got a list"},
            {"switches: {s2: {}}\n", "s.yaml:2:12: switches.s2: unknown switch \"s2\"; did you mean \"s1\"?"},
            {"switches: {h1: {}}\n", "s.yaml:2:12: switches.h1: \"h1\" is a host; expected a switch"},
            {"hosts: {server: {}}\n", "s.yaml:2:9: hosts.server: unknown host \"server\"; known: h1, h2"},
            {"hosts: {s1: {}}\n", "s.yaml:2:9: hosts.s1: \"s1\" is a switch; expected a host"},
            {"faults: [{link_down: {between: [h1, x9]}}]\n",
             "s.yaml:2:37: faults[0].link_down.between[1]: unknown node \"x9\"; known: h1, h2, s1"},
        });
}

TEST_CASE("a permutation in which somebody would send to himself") {
  check(two_hosts,
        {
            {"workload: [{permutation: {hosts: 1, size: 1B}}]\n",
             "s.yaml:2:34: workload[0].permutation.hosts: expected at least two hosts, and there is one: "
             "nobody to send to"},
            {"workload: [{permutation: {shift: 4, size: 1B}}]\n",
             "s.yaml:2:34: workload[0].permutation.shift: a shift of 4 among 2 hosts sends to oneself; give "
             "one that is no "
             "multiple of 2"},
            {"workload: [{permutation: {shift: 0, size: 1B}}]\n",
             "s.yaml:2:34: workload[0].permutation.shift: 0 is out of range; allowed: random, or 1 to 1000000"},
            {"workload: [{permutation: {hosts: [h1, h3], size: 1B}}]\n",
             "s.yaml:2:39: workload[0].permutation.hosts[1]: unknown host \"h3\"; did you mean \"h1\"?"},
        });
}

TEST_CASE("who misses a node or link says nothing where the topology has told why it is not there") {
  const std::string work =
      "workload:\n"
      "  - flows: [{from: h1, to: h2, size: 1B}]\n"
      "  - incast: {receiver: h1, senders: 2, size: 1B}\n"
      "  - all_reduce: {size: 1MB}\n"
      "faults: [{link_down: {between: [h1, s1]}}]\n"
      "hosts: {h2: {}}\n"
      "switches: {s1: {}}\n";
  const std::string nodes = "nodes: {h1: host, h2: host, s1: switch}";
  const std::string links = "links: [{between: [h1, s1]}, {between: [h2, s1]}]";
  CHECK(errors_of(work) == "s.yaml:1:1: topology: missing; expected the path of a topology file, or its keys");
  CHECK(errors_of("topology: [a]\n" + work) == "s.yaml:1:11: topology: expected a mapping of keys, got a list");
  CHECK(errors_of("topology: {node: {h1: host}}\n" + work) ==
        "s.yaml:1:12: topology.node: unknown key; did you mean \"nodes\"?");
  CHECK(errors_of("topology: {nodes: [h1, h2, s1], " + links + "}\n" + work) ==
        "s.yaml:1:19: topology.nodes: expected a mapping such as {h1: host, s1: switch}, got a list");
  CHECK(errors_of("topology: {nodes: {h1: hst, h2: host, s1: switch}, " + links + "}\n" + work) ==
        "s.yaml:1:24: topology.nodes.h1: expected host, switch, wan_accelerator or server, got \"hst\"");
  CHECK(errors_of("topology: {parts: [{leaf_spine: {prefix: h, hosts_per_lef: 8}}], " + links + "}\n" + work) ==
        "s.yaml:1:45: topology.parts[0].leaf_spine.hosts_per_lef: unknown key; did you mean \"hosts_per_leaf\"?");
  CHECK(errors_of("topology: {parts: [{fat_tree: {link: {}}}], " + links + "}\n" + work) ==
        "s.yaml:1:32: topology.parts[0].fat_tree.link: unknown key; did you mean \"host_link\" or \"fabric_link\" or "
        "\"core_link\"?");
  // Links that are no list leave the nodes: a host that nobody has is still one.
  CHECK(errors_of("topology: {" + nodes + ", links: {}}\n" + work) ==
        "s.yaml:1:60: topology.links: expected a list, got a mapping\n"
        "s.yaml:4:37: workload[1].incast.senders: asks for 2 hosts; the topology has 1 besides the receiver");
  CHECK(errors_of("topology: {" + nodes + ", links: {}}\nhosts: {h3: {}}\n") ==
        "s.yaml:1:60: topology.links: expected a list, got a mapping\n"
        "s.yaml:2:9: hosts.h3: unknown host \"h3\"; did you mean \"h1\"?");
}

TEST_CASE("work that cannot be done") {
  check(two_hosts,
        {
            {"workload: [{flows: [{from: h1, to: h1, size: 1B}]}]\n",
             "s.yaml:2:36: workload[0].flows.list[0].to: a flow from \"h1\" to itself"},
            {"workload: [{flows: [{from: h1, to: h2, size: 1B, priority: 8}]}]\n",
             "s.yaml:2:60: workload[0].flows.list[0].priority: 8 is out of range; allowed: lossless, or 0 to 7"},
            {"workload: [{incast: {receiver: h1, senders: [h2, h1], size: 1B}}]\n",
             "s.yaml:2:45: workload[0].incast.senders: the receiver \"h1\" is among the senders"},
            {"workload: [{incast: {receiver: h1, senders: 2, size: 1B}}]\n",
             "s.yaml:2:45: workload[0].incast.senders: asks for 2 hosts; the topology has 1 besides the receiver"},
            {"workload: [{all_reduce: {hosts: 32, size: 1MB}}]\n",
             "s.yaml:2:33: workload[0].all_reduce.hosts: asks for 32 hosts; the topology has 2"},
            {"workload: [{all_reduce: {hosts: 0, size: 1MB}}]\n",
             "s.yaml:2:33: workload[0].all_reduce.hosts: expected all, a number of hosts from 1, or a list of hosts, "
             "got \"0\""},
            {"workload: [{all_reduce: {hosts: [], size: 1MB}}]\n",
             "s.yaml:2:33: workload[0].all_reduce.hosts: the list of hosts is empty"},
            {"workload: [{all_reduce: {hosts: [h1, h1], size: 1MB}}]\n",
             "s.yaml:2:38: workload[0].all_reduce.hosts[1]: host \"h1\" is listed twice"},
            {"workload: [{flows: [{from: h1, to: h2, size: 1TiB, messages: 1048577}]}]\n",
             "s.yaml:2:62: workload[0].flows.list[0].messages: 1048577 messages of 1TiB are more than 1048576TiB"},
            {"workload: [{all_reduce: {size: 8B, element: 4B, dtype: float32}}]\n",
             "s.yaml:2:56: workload[0].all_reduce.dtype: element and dtype exclude each other; give one"},
            {"workload: [{flows: {name: a, list: []}}, {incast: {name: a, receiver: h1, size: 1B}}]\n",
             "s.yaml:2:58: workload[1].incast.name: another job is named \"a\""},
            {"workload: [{flows: {name: \"\", list: []}}]\n",
             "s.yaml:2:27: workload[0].flows.name: expected a name, got \"\""},
        });
}

TEST_CASE("models that do not say what they are") {
  const auto model = [](const std::string& text, const std::string& more = ", backward: 1s") {
    return errors_of(two_hosts + ("workload: [{ddp: {model: " + text + more + "}}]\n"));
  };
  CHECK(model("{}") == "s.yaml:2:26: workload[0].ddp.model: expected parameters or a file");
  CHECK(model("gpt2") == "s.yaml:2:26: workload[0].ddp.model: expected a mapping of keys, got \"gpt2\"");
  CHECK(model("{parameters: 5, file: m.csv}") ==
        "s.yaml:2:26: workload[0].ddp.model: parameters, a list of tensors and file exclude each other; give one");
  CHECK(model("{parameters: 5}") == "s.yaml:2:26: workload[0].ddp.model.tensors: 5 parameters do not fill 40 tensors");
  CHECK(model("{parameters: 0}") ==
        "s.yaml:2:39: workload[0].ddp.model.parameters: 0 is out of range; allowed: 1 to 1000000000000000");
  CHECK(model("{file: m.csv}") == "s.yaml:2:33: workload[0].ddp.model.file: no such file: m.csv");
  CHECK(model("{tensors: []}") == "s.yaml:2:36: workload[0].ddp.model.tensors: the list of tensors is empty");
  CHECK(model("{parameters: 40, dtype: fp32}") ==
        "s.yaml:2:50: workload[0].ddp.model.dtype: expected one of float32, bfloat16, float16, float64, got \"fp32\"");
  CHECK(model("{tensors: [{elements: 1e15}, {elements: 1}]}") ==
        "s.yaml:2:26: workload[0].ddp.model: the tensors have 1000000000000001 elements; allowed: up to "
        "1000000000000000");
  CHECK(model("{tensors: [{elements: 1, backward: 2592000s}, {elements: 1, backward: 1s}]}", "") ==
        "s.yaml:2:26: workload[0].ddp.model: the tensors' times add up to 2592001s; allowed: up to 2592000s");
  CHECK(model("{tensors: [{elements: 1, backward: 1us}, {name: b, elements: 1}]}") ==
        "s.yaml:2:26: workload[0].ddp.model: tensor \"b\" has no backward time, others have; give all tensors one or "
        "none");
  CHECK(model("{tensors: [{elements: 1, backward: 1us}]}", ", backward: 2us") ==
        "s.yaml:2:79: workload[0].ddp.backward: 2us differs from the sum of the tensors' times, 1us; leave one out");
}

TEST_CASE("values that contradict each other") {
  check(
      two_hosts,
      {
          {"fabric: {buffer: {alpha: 1/8, threshold: 64KiB}}\n",
           "s.yaml:2:42: fabric.buffer.threshold: alpha (dynamic) and threshold (static) exclude each other; give one"},
          {"nic: {receive: {xoff: 1KiB, xon: 2KiB}}\n", "s.yaml:2:34: nic.receive.xon: xon 2KiB is above xoff 1KiB"},
          {"nic: {receive: {xoff: 4MiB}}\n", "s.yaml:2:23: nic.receive.xoff: xoff 4MiB is above buffer 2MiB"},
          {"faults: [{link_down: {between: [h1, s1], at: 2ms, until: 2ms}}]\n",
           "s.yaml:2:58: faults[0].link_down.until: until 2ms is not after at 2ms"},
          {"faults: [{hold: {between: [s1, h1], from: 2us, until: 1us}}]\n",
           "s.yaml:2:55: faults[0].hold.until: until 1us is not after from 2us"},
          {"faults: [{link_down: {between: [h1, h2]}}]\n",
           "s.yaml:2:32: faults[0].link_down.between: no link joins \"h1\" and \"h2\""},
          {"faults: [{drop: {between: [h1, s1], link: 1, data: 1}}]\n",
           "s.yaml:2:43: faults[0].drop.link: there is no link 1 between \"h1\" and \"s1\"; they have one, link 0"},
          {"faults: [{drop: {between: [h1, s1], data: 1, acknowledge: 1}}]\n",
           "s.yaml:2:17: faults[0].drop: expected exactly one of data, acknowledge, pause: which frame is lost, "
           "counted from 1"},
          {"faults: [{drop: {between: [h1], data: 1}}]\n",
           "s.yaml:2:27: faults[0].drop.between: expected the two ends of a link, such as [a, b], got a list"},
      });
}

TEST_CASE("faults that say too little or too much") {
  check(
      two_hosts,
      {
          {"faults: [{loss_burst: {between: [h1, s1]}}]\n",
           "s.yaml:2:23: faults[0].loss_burst: expected exactly one of until, frames: how much is lost"},
          {"faults: [{loss_burst: {between: [h1, s1], until: 2us, frames: 3}}]\n",
           "s.yaml:2:23: faults[0].loss_burst: expected exactly one of until, frames: how much is lost"},
          {"faults: [{loss_burst: {between: [h1, s1], at: 2us, until: 2us}}]\n",
           "s.yaml:2:59: faults[0].loss_burst.until: until 2us is not after at 2us"},
          {"faults: [{protection: {between: [h1, s1], at: 2us}}]\n",
           "s.yaml:2:23: faults[0].protection: expected a length or a delay: the path that the link goes over to"},
          {"faults: [{protection: {between: [h1, s1], length: 4km}}]\n",
           "s.yaml:2:23: faults[0].protection.at: missing; expected a time such as 5us or 1.5ms"},
          {"faults: [{protection: {between: [h1, s1], at: 2us, until: 3us, length: 4km, outage: 1us}}]\n",
           "s.yaml:2:59: faults[0].protection.until: until 3us is not after at 2us and its outage"},
          {"faults: [{protection: {between: [h1, s1], at: 2us, length: 0m}}]\n",
           "s.yaml:2:23: faults[0].protection: a link needs a positive delay, on its other path, too; give it a length "
           "or a delay"},
          {"faults: [{protection: {between: [h1, s1], at: 2us, length: -4km}}]\n",
           "s.yaml:2:60: faults[0].protection.length: -4km is out of range; allowed: same, or 0m to 1000000km"},
          {"faults: [{protection: {between: [h1, s1], at: 1s, length: 4km}}, {protection: {between: [s1, h1], at: 2s, "
           "length: 4km}}]\n",
           "s.yaml:2:103: faults[1].protection.at: the link is on its other path from 1s on already, by another fault"},
      });
}
