#include <doctest/doctest.h>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Paths and values, a line each, without origins.
std::string values(const Scenario& scenario) {
  std::string out;
  for (const EffectiveKey& key : scenario.effective) out += key.path + " = " + key.value + '\n';
  return out;
}

const EffectiveKey& key(const Scenario& scenario, const std::string& path) {
  for (const EffectiveKey& candidate : scenario.effective) {
    if (candidate.path == path) return candidate;
  }
  FAIL("no key " << path);
  return scenario.effective.front();
}

/// Uses every section, names that need quotes, and values in odd spellings.
const char* const everything =
    "name: \"odd: name\"\n"
    "seed: 0x10\n"
    "topology:\n"
    "  name: t\n"
    "  link_types: {\"long haul\": {rate: 0.1Tbps, reverse_rate: 50Gbps, length: 300km}}\n"
    "  parts: [{leaf_spine: {prefix: 札幌-, host_link: {rate: 25Gbps}, fabric_link: long haul}}]\n"
    "  nodes: {h.1: host, \"s 1\": switch, \"null\": switch}\n"
    "  links:\n"
    "    - {between: [h.1, s 1], length: 5m}\n"
    "    - {between: [s 1, 札幌-leaf1], type: long haul, count: 2, delay: 1us}\n"
    "    - {between: [s 1, \"null\"]}\n"
    "  routes: [{at: s 1, to: [札幌-host3, 札幌-host1], via: 札幌-leaf1}, {via: s 1, at: \"null\", to: all}]\n"
    "  switches: {s 1: {latency: 0.6us}}\n"
    "fabric:\n"
    "  mtu: 1KiB\n"
    "  buffer: {size: 1048576B, threshold: 64KiB, cell: 208B}\n"
    "  pfc: {priorities: [4, 3], response: 1us, refresh: 0.25}\n"
    "  scheduler: {weights: [1, 2, 3, 4, 5, 6, 7, 8]}\n"
    "switches: {札幌-leaf1: {headroom: {size: 100KB}}}\n"
    "nic: {timeout: 100us, receive: {rate: 50Gbps}}\n"
    "hosts: {h.1: {receive: none}, 札幌-host1: {queue_depth: 3, receive: {xon: 1KiB}}}\n"
    "workload:\n"
    "  - flows: [{name: \"a, b\", from: h.1, to: 札幌-host1, size: 1Mb, operation: send}, {from: 札幌-host2, to: h.1, "
    "size: 0B}]\n"
    "  - flows: {name: more, list: []}\n"
    "  - incast: {receiver: h.1, senders: [札幌-host1], size: 1MB}\n"
    "  - incast: {receiver: h.1, senders: 2, size: 1MB, priority: 0}\n"
    "  - all_reduce: {size: 1MiB, dtype: bfloat16, ring: {channels: 1}}\n"
    "  - ddp: {hosts: [h.1, 札幌-host1], model: {tensors: [{name: w, elements: 10, backward: 1us}]}}\n"
    "  - ddp: {model: {parameters: 1e6, tensors: 3}, backward: 3ms}\n"
    "faults:\n"
    "  - link_down: {between: [s 1, 札幌-leaf1], link: 1, at: 1ms}\n"
    "  - drop: {between: [h.1, s 1], data: 5}\n"
    "  - hold: {between: [s 1, h.1], until: 20us}\n"
    "stop: {after: 1s}\n"
    "measure: {sample: 25us}\n"
    "expect: unsound\n";

}  // namespace

TEST_CASE("the effective scenario reads back to the same scenario") {
  const ScenarioFolder folder;
  folder.write("s.yaml", everything);
  const Scenario first = folder.read("s.yaml");
  folder.write("again.yaml", effective_yaml(first));
  CHECK(folder.errors("again.yaml") == "");
  const Scenario second = folder.read("again.yaml");
  CHECK(values(second) == values(first));
  CHECK(second.name == "odd: name");
  CHECK(second.seed == 16);
  CHECK(second.expect == Expectation::unsound);
  CHECK(second.topology.links.size() == first.topology.links.size());
  CHECK(key(second, "topology.routes[0]").value == "{at: \"s 1\", to: [札幌-host3, 札幌-host1], via: 札幌-leaf1}");
  CHECK(key(second, "topology.routes[1]").value == "{at: \"null\", to: all, via: \"s 1\"}");
  CHECK(second.jobs.size() == 7);
  CHECK(second.faults.size() == 3);
  CHECK(second.nics[0].receive.has_value() == first.nics[0].receive.has_value());
  CHECK(std::get<StaticThreshold>(second.switches[0].buffer.threshold).size == 64_KiB);
  // Nothing is left to defaults the second time but what an override leaves to the section it overrides.
  for (const EffectiveKey& effective : second.effective) {
    if (effective.path.find(".links[") == std::string::npos)
      CHECK(effective.origin.find("default") == std::string::npos);
  }
}

TEST_CASE("the effective scenario of defaults alone reads back too") {
  const ScenarioFolder folder;
  folder.write("s.yaml", two_hosts);
  const Scenario first = folder.read("s.yaml");
  folder.write("again.yaml", effective_yaml(first));
  CHECK(values(folder.read("again.yaml")) == values(first));
}

TEST_CASE("headroom keys that another mode reads stay in the effective scenario") {
  const ScenarioFolder folder;
  folder.write("s.yaml", std::string{two_hosts} + "fabric: {headroom: {cap: 64KiB, oversubscribe: 4, loss_allowed: true}}\n");
  const Scenario first = folder.read("s.yaml");
  folder.write("again.yaml", effective_yaml(first));
  const Scenario second = folder.read("again.yaml");
  CHECK(values(second) == values(first));
  CHECK(key(second, "fabric.headroom.cap").value == "64KiB");
  CHECK(key(second, "fabric.headroom.oversubscribe").value == "4");
  CHECK(key(second, "fabric.headroom.loss_allowed").value == "true");
  CHECK(second.warnings.size() == 3 + 1);  // of each key, and of the empty workload
}

TEST_CASE("values are spelled one way, whatever the file wrote") {
  const Scenario scenario = scenario_of(everything);
  CHECK(key(scenario, "topology.link_types.\"long haul\".rate").value == "100Gbps");
  CHECK(key(scenario, "fabric.mtu").value == "1024");
  CHECK(key(scenario, "fabric.buffer.size").value == "1MiB");
  CHECK(key(scenario, "fabric.pfc.priorities").value == "[3, 4]");
  CHECK(key(scenario, "fabric.pfc.refresh").value == "1/4");
  CHECK(key(scenario, "topology.switches.\"s 1\".latency").value == "600ns");
  CHECK(key(scenario, "workload[6].ddp.model.parameters").value == "1000000");
}

TEST_CASE("every key says where its value comes from") {
  const ScenarioFolder folder;
  folder.write("base.yaml", std::string{two_hosts} + "fabric: {mtu: 1024,\n  latency: 1us}\n");
  folder.write("s.yaml", "extends: base.yaml\nfabric: {latency: 2us}\n");
  ReadOptions options;
  options.sets = {"nic.queue_depth=4"};
  options.seed = 9;
  const Scenario scenario = folder.read("s.yaml", options);
  const auto origin = [&](const std::string& path) { return folder.shortened(key(scenario, path).origin); };
  CHECK(origin("fabric.mtu") == "base.yaml:2:15");
  CHECK(origin("fabric.latency") == "s.yaml:2:19");
  CHECK(origin("nic.queue_depth") == "--set");
  CHECK(origin("seed") == "--seed");
  CHECK(origin("name") == "default: name of the file");
  CHECK(origin("nic.retry_count") == "default: perftest and NCCL");
  // topology: {nodes: {h1: host, h2: host, s1: switch}, links: [{…: 10 + 9 + 31 + 2 + 7 + 1 columns before the brace.
  CHECK(origin("topology.links[0]") ==
        "base.yaml:1:61; default: count, rate, reverse_rate, length, reverse_length, per_kilometre, delay, "
        "reverse_delay, loss");
}

TEST_CASE("where() finds a key's place, an item's for keys inside it, and the file's for defaults") {
  const ScenarioFolder folder;
  folder.write("s.yaml", std::string{two_hosts} + "fabric: {latency: 2us}\n");
  ReadOptions options;
  options.sets = {"nic.queue_depth=4"};
  const Scenario scenario = folder.read("s.yaml", options);
  const auto text = [&](const std::string& path) {
    return folder.shortened(Diagnostic{scenario.where(path), "x"}.text());
  };
  CHECK(text("fabric.latency") == "s.yaml:2:19: fabric.latency: x");
  // The first link takes columns 61 to 79, a comma and a blank follow.
  CHECK(text("topology.links[1].rate") == "s.yaml:1:82: topology.links[1].rate: x");
  CHECK(text("nic.queue_depth") == "--set: nic.queue_depth: x");
  CHECK(text("fabric.headroom.size") == "s.yaml:1:1: fabric.headroom.size: x");
  CHECK(text("nothing") == "s.yaml:1:1: nothing: x");
  CHECK_FALSE(scenario.where_of_switch("s1", {"buffer.size", "headroom.size"}));
  CHECK(scenario.where_of_switch("s1", {"buffer.size", "latency"})->path == "fabric.latency");
}

TEST_CASE("the effective scenario is YAML in the order of the format") {
  const ScenarioFolder folder;
  folder.write("s.yaml",
               "topology: {nodes: {a: host, b: host}, links: [{between: [a, b]}]}\nmeasure: {sample: 1ms}\nseed: 2\n");
  const std::string text = folder.shortened(effective_yaml(folder.read("s.yaml")));
  const std::string head =
      "name: s  # default: name of the file\n"
      "seed: 2  # s.yaml:3:7\n"
      "expect: sound  # default: a lossless fabric\n"
      "topology:\n"
      "  name: topology  # default: any name\n"
      "  link_types: {}  # default: links describe themselves\n"
      "  parts: []  # default: no family\n"
      "  nodes:\n"
      "    a: host  # s.yaml:1:23\n"
      "    b: host  # s.yaml:1:32\n"
      "  links:\n"
      "    - {between: [a, b], count: 1, rate: 100Gbps, reverse_rate: same, length: 3m, "
      "reverse_length: same, per_kilometre: 5us, delay: 0s, reverse_delay: same, loss: none} "
      " # "
      "s.yaml:1:47; default: count, rate, reverse_rate, length, reverse_length, per_kilometre, delay, reverse_delay, "
      "loss\n"
      "  routes: []  # default: shortest paths\n"
      "  switches: {}  # default: all switches alike\n"
      "fabric:\n"
      "  mtu: 4096  # default: the largest RoCE MTU\n";
  CHECK(text.substr(0, head.size()) == head);
  const std::string tail = "measure:\n  sample: 1ms  # s.yaml:2:19\n";
  CHECK(text.substr(text.size() - tail.size()) == tail);
}
