// Keys: duplicate, unknown, misplaced, merged, missing, and of the wrong kind.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Case {
  std::string text;  ///< after line 1, which is `two_hosts`
  std::string message;
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(errors_of(two_hosts + c.text) == c.message);
  }
}

}  // namespace

TEST_CASE("an item of a list that says nothing is refused, a mapping that says nothing is empty") {
  check({
      {"workload: [~]\n", "s.yaml:2:12: workload[0]: expected a mapping of keys, got nothing"},
      {"workload:\n  - flows:\n      - {from: h1, to: h2, size: 1B}\n      - ~\n",
       "s.yaml:5:9: workload[0].flows.list[1]: expected a mapping of keys, got nothing"},
      {"workload: [{flows: [~]}]\n", "s.yaml:2:21: workload[0].flows.list[0]: expected a mapping of keys, got nothing"},
      {"faults: [~]\n", "s.yaml:2:10: faults[0]: expected a mapping of keys, got nothing"},
      {"nic: ~\nhosts: {h1: ~}\nswitches: {s1: }\nfabric: {buffer: }\nstop:\nworkload:\nfaults:\n", ""},
  });
  CHECK(errors_of("topology: {nodes: {s1: switch}, links: [~]}\n") ==
        "s.yaml:1:41: topology.links[0]: expected a mapping of keys, got nothing");
}

TEST_CASE("duplicate keys name both lines") {
  check({
      {"seed: 1\nseed: 1\n", "s.yaml:3:1: seed: duplicate key; it is already given at line 2"},
      {"fabric: {buffer: {size: 16MiB,\n  size: 32MiB}}\n",
       "s.yaml:3:3: fabric.buffer.size: duplicate key; it is already given at line 2"},
      {"workload:\n  - flows: []\n  - flows: []\n    flows: []\n",
       "s.yaml:5:5: workload[1].flows: duplicate key; it is already given at line 4"},
      {"switches:\n  s1: {}\n  s1: {}\n", "s.yaml:4:3: switches.s1: duplicate key; it is already given at line 3"},
  });
}

TEST_CASE("unknown keys name the nearest known one, their place, or the keys there are") {
  check({
      {"fabric: {headrom: {}}\n", "s.yaml:2:10: fabric.headrom: unknown key; did you mean \"headroom\"?"},
      {"fabric: {buffer: {aplha: 1}}\n", "s.yaml:2:19: fabric.buffer.aplha: unknown key; did you mean \"alpha\"?"},
      {"nic: {tx_depth: 1}\n", "s.yaml:2:7: nic.tx_depth: unknown key; did you mean \"queue_depth\"?"},
      {"varients: {}\n", "s.yaml:2:1: varients: unknown key; did you mean \"variants\"?"},
      {"mtu: 4096\n", "s.yaml:2:1: mtu: unknown key; \"mtu\" is a key of fabric"},
      {"switches: {s1: {mtu: 4096}}\n", "s.yaml:2:17: switches.s1.mtu: unknown key; \"mtu\" is a key of fabric"},
      {"switches: {s1: {pfc: {}}}\n", "s.yaml:2:17: switches.s1.pfc: unknown key; \"pfc\" is a key of fabric"},
      {"stop: {zzz: 1}\n", "s.yaml:2:8: stop.zzz: unknown key; the keys here are after, stalled_after"},
      {"workload: [{flows: [{from: h1, to: h2, size: 1B, prio: 3}]}]\n",
       "s.yaml:2:50: workload[0].flows.list[0].prio: unknown key; did you mean \"priority\"?"},
      {"workload: [{dpp: {}}]\n", "s.yaml:2:13: workload[0].dpp: unknown key; did you mean \"ddp\"?"},
      {"faults: [{linkdown: {}}]\n", "s.yaml:2:11: faults[0].linkdown: unknown key; did you mean \"link_down\"?"},
      {"hosts: {h1: {\"a.b\": 1}}\n",
       "s.yaml:2:14: hosts.h1.\"a.b\": unknown key; the keys here are queue_depth, ack_every, ack_priority, "
       "timeout_exponent, "
       "timeout, retry_count, max_unacked, initial_psn, retransmission, reorder_window, reorder_timeout, adaptive_retransmission, "
       "max_reads, receive_queue, rnr_timer, rnr_retry, completion_queue, ack_delay, message_rate, receive"},
  });
  CHECK(errors_of("topology: {nodes: {a: host, b: host}, links: [{between: [a, b], bandwith: 100Gbps}]}\n") ==
        "s.yaml:1:65: topology.links[0].bandwith: unknown key; did you mean \"rate\"?");
}

TEST_CASE("merge keys are applied, and refused where they cannot be") {
  const std::string flows = "workload: [{flows: [&f {from: h1, to: h2, size: 1B}, {<<: *f, size: 2B}]}]\n";
  const Scenario scenario = scenario_of(two_hosts + flows);
  CHECK(std::get<FlowsConfig>(scenario.jobs[0]).flows[1].size == 2_B);
  CHECK(std::get<FlowsConfig>(scenario.jobs[0]).flows[1].to == HostId{1U});
  check({
      {"fabric: {<<: 5}\n", "s.yaml:2:14: fabric.<<: a merge key takes a mapping or a list of mappings, got \"5\""},
      {"fabric: {<<: [{mtu: 1}, 2]}\n", "s.yaml:2:25: fabric.<<[1]: a merge key's list holds mappings only, got \"2\""},
      // The rest of the file is judged all the same, what the good ones of the list bring included.
      {"fabric: {<<: 5}\nnic: {<<: [{queue_depth: 0}, 2]}\nsede: 1\n",
       "s.yaml:2:14: fabric.<<: a merge key takes a mapping or a list of mappings, got \"5\"\n"
       "s.yaml:3:26: nic.queue_depth: 0 is out of range; allowed: 1 to 1000000\n"
       "s.yaml:3:30: nic.<<[1]: a merge key's list holds mappings only, got \"2\"\n"
       "s.yaml:4:1: sede: unknown key; did you mean \"seed\"?"},
      {"nic: {<<: {zzzz: 1}}\n",
       "s.yaml:2:12: nic.zzzz: unknown key; the keys here are queue_depth, ack_every, ack_priority, "
       "timeout_exponent, timeout, retry_count, max_unacked, initial_psn, retransmission, reorder_window, reorder_timeout, "
       "adaptive_retransmission, max_reads, receive_queue, rnr_timer, rnr_retry, completion_queue, ack_delay, "
       "message_rate, receive"},
  });
}

TEST_CASE("values of the wrong kind") {
  check({
      {"fabric: 5\n", "s.yaml:2:9: fabric: expected a mapping of keys, got \"5\""},
      {"fabric: [1]\n", "s.yaml:2:9: fabric: expected a mapping of keys, got a list"},
      {"nic: {queue_depth: [1]}\n", "s.yaml:2:20: nic.queue_depth: expected a whole number, got a list"},
      {"nic: {queue_depth: {a: 1}}\n", "s.yaml:2:20: nic.queue_depth: expected a whole number, got a mapping"},
      {"nic: {queue_depth: }\n", "s.yaml:2:20: nic.queue_depth: expected a whole number, got nothing"},
      {"nic: {receive: fast}\n", "s.yaml:2:16: nic.receive: expected a mapping of keys, got \"fast\""},
      {"name: ~\n", "s.yaml:2:7: name: expected a name, got nothing"},
      {"name: {a: b}\n", "s.yaml:2:7: name: expected a name, got a mapping"},
      {"name: \"\"\n", "s.yaml:2:7: name: the name is empty"},
      {"name: a/b\n", "s.yaml:2:7: name: \"a/b\" cannot name a folder; leave out / and \\"},
      {"name: ..\n", "s.yaml:2:7: name: \"..\" cannot name a folder; leave out / and \\"},
      {"expect: unsond\n",
       "s.yaml:2:9: expect: expected one of sound, unsound, got \"unsond\"; did you mean \"unsound\"?"},
      {"fabric: {vlan: yes}\n", "s.yaml:2:16: fabric.vlan: expected true or false, got \"yes\""},
      {"fabric: {ip: 4}\n", "s.yaml:2:14: fabric.ip: expected one of ipv4, ipv6, got \"4\""},
      {"fabric: {headroom: {mode: none}}\n",
       "s.yaml:2:27: fabric.headroom.mode: none loses the frames that shared memory does not take; write loss_allowed: "
       "true beside it if that is meant"},
      {"fabric: {headroom: {mode: shared-pool, oversubscribe: 1/2}}\n",
       "s.yaml:2:55: fabric.headroom.oversubscribe: expected a ratio of at least 1, such as 4, got \"1/2\""},
      // A key of another mode is read like any other.
      {"fabric: {headroom: {cap: 64}}\n",
       "s.yaml:2:26: fabric.headroom.cap: expected a size such as 64KiB or 1MB, got \"64\""},
      {"fabric: {headroom: {mode: dsh, oversubscribe: 50%}}\n",
       "s.yaml:2:47: fabric.headroom.oversubscribe: expected a ratio such as 1/8 or 4, got \"50%\"; allowed: above 0 "
       "up to "
       "1000000"},
      {"fabric: {headroom: {oversubscribe: 1/2}}\n",
       "s.yaml:2:36: fabric.headroom.oversubscribe: expected a ratio of at least 1, such as 4, got \"1/2\""},
      {"fabric: {headroom: {mode: nun}}\n",
       "s.yaml:2:27: fabric.headroom.mode: expected one of per-queue, shared-pool, port-shared, dsh, none, got "
       "\"nun\""},
      {"fabric: {pfc: {priorities: 3}}\n",
       "s.yaml:2:28: fabric.pfc.priorities: expected a list of priorities such as [3, 4], got \"3\""},
      {"fabric: {pfc: {priorities: [8, 3, 3, x]}}\n",
       "s.yaml:2:29: fabric.pfc.priorities[0]: expected a priority from 0 to 7, got \"8\"\n"
       "s.yaml:2:35: fabric.pfc.priorities[2]: priority 3 is listed twice\n"
       "s.yaml:2:38: fabric.pfc.priorities[3]: expected a priority from 0 to 7, got \"x\""},
      {"fabric: {scheduler: {weights: [1, 2]}}\n",
       "s.yaml:2:31: fabric.scheduler.weights: expected a list of eight whole numbers, one for each priority, got a "
       "list of 2"},
      {"fabric: {scheduler: {weights: [1, 0, 1, 1, 1, 1, 1, a]}}\n",
       "s.yaml:2:35: fabric.scheduler.weights[1]: 0 is out of range; allowed: 1 to 10000\n"
       "s.yaml:2:53: fabric.scheduler.weights[7]: expected a whole number, got \"a\"; allowed: 1 to 10000"},
      {"switches: [s1]\n", "s.yaml:2:11: switches: expected a mapping of switch names, got a list"},
      {"hosts: h1\n", "s.yaml:2:8: hosts: expected a mapping of host names, got \"h1\""},
      {"workload: {flows: []}\n",
       "s.yaml:2:11: workload: expected a list of items, each one of ddp, all_reduce, flows, incast, permutation, perftest, got a mapping"},
      {"workload: [flows]\n", "s.yaml:2:12: workload[0]: expected a mapping of keys, got \"flows\""},
      {"workload: [{}]\n", "s.yaml:2:12: workload[0]: expected exactly one of ddp, all_reduce, flows, incast, permutation, perftest"},
      {"workload: [{flows: [], incast: {}}]\n",
       "s.yaml:2:12: workload[0]: expected exactly one of ddp, all_reduce, flows, incast, permutation, perftest, got flows and incast"},
      {"workload: [{flows: 1}]\n",
       "s.yaml:2:20: workload[0].flows: expected a mapping of keys, got \"1\"\n"
       "s.yaml:2:20: workload[0].flows.list: expected a list of flows"},
      {"faults: {}\n",
       "s.yaml:2:9: faults: expected a list of items, each one of link_down, drop, hold, loss_burst, "
       "protection, switch_down, got a mapping"},
      {"faults: [{}]\n",
       "s.yaml:2:10: faults[0]: expected exactly one of link_down, drop, hold, loss_burst, protection, switch_down"},
      {"variants: [a]\n", "s.yaml:2:11: variants: expected a mapping of names, got a list"},
      {"variants: {a: 1}\n", "s.yaml:2:15: variants.a: expected a mapping of key paths to values, got \"1\""},
  });
}

TEST_CASE("keys that must be there") {
  check({
      {"workload: [{flows: [{}]}]\n",
       "s.yaml:2:21: workload[0].flows.list[0].from: missing; expected the name of a host\n"
       "s.yaml:2:21: workload[0].flows.list[0].to: missing; expected the name of a host\n"
       "s.yaml:2:21: workload[0].flows.list[0].size: missing; expected a size such as 64KiB or 1MB"},
      {"workload: [{incast: {}}]\n",
       "s.yaml:2:21: workload[0].incast.receiver: missing; expected the name of a host\n"
       "s.yaml:2:21: workload[0].incast.size: missing; expected a size such as 64KiB or 1MB"},
      {"workload: [{all_reduce: {}}]\n",
       "s.yaml:2:25: workload[0].all_reduce.size: missing; expected a size such as 64KiB or 1MB"},
      {"workload: [{ddp: {}}]\n",
       "s.yaml:2:18: workload[0].ddp.model: missing; expected {parameters: 1e9} or {file: model.csv}\n"
       "s.yaml:2:18: workload[0].ddp.backward: missing; expected a time such as 5us or 1.5ms, or a model whose tensors "
       "have times"},
      {"faults: [{hold: {between: [s1, h1]}}]\n",
       "s.yaml:2:17: faults[0].hold.until: missing; expected a time such as 5us or 1.5ms"},
      {"faults: [{drop: {between: [s1, h1]}}]\n",
       "s.yaml:2:17: faults[0].drop: expected exactly one of data, acknowledge, pause: which frame is lost, "
       "counted from 1"},
  });
  CHECK(errors_of("seed: 1\n") == "s.yaml:1:1: topology: missing; expected the path of a topology file, or its keys");
}

TEST_CASE("all errors of a file come together, in file order, a hundred at most") {
  CHECK(errors_of("fabric: {mtu: 0, latency: fast}\nseed: -1\ntopology: {nodes: {a: hots}}\n") ==
        "s.yaml:1:15: fabric.mtu: 0 is out of range; allowed: 1 to 1000000 bytes\n"
        "s.yaml:1:27: fabric.latency: expected a time such as 5us or 1.5ms, got \"fast\"; allowed: 0s to 1000s\n"
        "s.yaml:2:7: seed: -1 is out of range; allowed: 0 to 18446744073709551615\n"
        "s.yaml:3:23: topology.nodes.a: expected host, switch, wan_accelerator or server, got \"hots\"");
  std::string many = two_hosts + std::string{"workload:\n  - flows:\n"};
  for (int i = 0; i < 250; ++i) many += "      - {from: h1, to: h2, size: 5}\n";
  const std::string errors = errors_of(many);
  CHECK(std::count(errors.begin(), errors.end(), '\n') == 100);
  CHECK(errors.substr(errors.rfind('\n') + 1) == "and 150 more errors");
}

TEST_CASE("keys of a reliable connection say what they take and why") {
  const std::string order = " (beyond, the order of 24-bit packet sequence numbers is lost)";
  check({
      {"nic: {max_unacked: 8388608}\n",
       "s.yaml:2:20: nic.max_unacked: 8388608 is out of range; allowed: 1 to 8388607" + order},
      {"nic: {reorder_window: 8388608}\n",
       "s.yaml:2:23: nic.reorder_window: 8388608 is out of range; allowed: 1 to 8388607" + order},
      {"nic: {rnr_timer: 50us}\n",
       "s.yaml:2:18: nic.rnr_timer: 50us is no RNR time of InfiniBand; its neighbours are 40us and 60us"},
      {"nic: {rnr_timer: 1s}\n", "s.yaml:2:18: nic.rnr_timer: 1s is out of range; allowed: 10us to 655.36ms"},
      {"nic: {rnr_retry: 8}\n", "s.yaml:2:18: nic.rnr_retry: 8 is out of range; allowed: 0 to 7"},
      {"nic: {completion_queue: {depth: 4}}\n",
       "s.yaml:2:25: nic.completion_queue.handling: missing; expected a time such as 5us or 1.5ms"},
      {"nic: {message_rate: 0}\n",
       "s.yaml:2:21: nic.message_rate: 0 is out of range; allowed: none, or 1 to 1000000000000"},
      {"nic: {retransmission: selective}\n",
       "s.yaml:2:23: nic.retransmission: expected one of go-back-n, selective-repeat, got \"selective\""},
      {"nic: {outs: 4}\n", "s.yaml:2:7: nic.outs: unknown key; did you mean \"max_reads\"?"},
  });
}
