#include <doctest/doctest.h>

#include <cstring>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

ReadOptions sets(std::vector<std::string> assignments) {
  return ReadOptions{.sets = std::move(assignments)};
}

Bytes buffer(const Scenario& scenario) {
  return scenario.switches.at(0).buffer.size;
}

}  // namespace

TEST_CASE("a topology file is relative to the file that names it, wherever that is") {
  const ScenarioFolder folder;
  folder.write("topologies/t.yaml", two_hosts + std::strlen("topology: "));
  folder.write("scenarios/s.yaml", "topology: ../topologies/t.yaml\n");
  CHECK(folder.read("scenarios/s.yaml").topology.nodes.size() == 3);
  folder.write("what-if/deep/w.yaml", "extends: ../../scenarios/s.yaml\nfabric: {buffer: {size: 1MiB}}\n");
  const Scenario what_if = folder.read("what-if/deep/w.yaml");
  CHECK(what_if.topology.nodes.size() == 3);
  CHECK(buffer(what_if) == 1_MiB);
  CHECK(what_if.name == "w");
}

TEST_CASE("extends merges mappings and replaces lists and scalars") {
  const ScenarioFolder folder;
  folder.write("a.yaml", std::string{two_hosts} +
                             "name: base\nfabric: {mtu: 1024, buffer: {size: 2MiB, reserved: 1KiB}}\n"
                             "workload: [{flows: [{from: h1, to: h2, size: 1B}]}]\n");
  folder.write("b.yaml", "extends: a.yaml\nfabric: {buffer: {size: 3MiB}}\n");
  folder.write("c.yaml", "extends: b.yaml\nname: c\nworkload: [{all_reduce: {size: 4B}}]\n");
  const Scenario c = folder.read("c.yaml");
  CHECK(c.name == "c");
  CHECK(folder.read("b.yaml").name == "base");
  CHECK(c.frame.mtu == 1024_B);
  CHECK(buffer(c) == 3_MiB);
  CHECK(c.switches[0].buffer.reserved == 1_KiB);
  REQUIRE(c.jobs.size() == 1);
  CHECK(std::holds_alternative<AllReduceConfig>(c.jobs[0]));
}

TEST_CASE("a file that extends another may reach into it by key paths") {
  const ScenarioFolder folder;
  folder.write("a.yaml",
               "topology: {parts: [{leaf_spine: {leaves: 2, spines: 2}}], link_types: {l: {}}}\n"
               "workload: [{flows: [{from: host1, to: host4, size: 1B}]}]\n");
  folder.write("b.yaml",
               "extends: a.yaml\ntopology.parts[0].leaf_spine.spines: 4\nfabric.mtu: 512\n"
               "workload[0].flows[0].size: 2B\n");
  // Keys of the file itself are laid below its paths, and files further up see the result of both.
  folder.write("c.yaml", "extends: b.yaml\nfabric: {mtu: 256}\n");
  const Scenario b = folder.read("b.yaml");
  CHECK(b.topology.nodes.size() == 4 + 2 + 4);  // hosts, leaves, spines
  CHECK(b.frame.mtu == 512_B);
  CHECK(std::get<FlowsConfig>(b.jobs[0]).flows[0].size == 2_B);
  CHECK(folder.read("c.yaml").frame.mtu == 256_B);
  CHECK(folder.read("c.yaml").topology.nodes.size() == 4 + 2 + 4);
  folder.write("wrong.yaml", "extends: a.yaml\ntopology.parts[1].leaf_spine.spines: 4\n");
  CHECK(folder.errors("wrong.yaml") ==
        "wrong.yaml:2:1: topology.parts[1].leaf_spine.spines: the list has one item, [0]");
  folder.write("alone.yaml", "topology: {}\nfabric.mtu: 512\n");
  CHECK(folder.errors("alone.yaml").find("alone.yaml:2:1: \"fabric.mtu\": unknown key") == 0);
}

TEST_CASE("a topology named by a file replaces the one below, its keys change it") {
  const ScenarioFolder folder;
  folder.write("t1.yaml",
               "link_types: {l: {length: 1km}}\nnodes: {h1: host, h2: host}\nlinks: [{between: [h1, h2], type: l}]\n");
  folder.write("t2.yaml", "nodes: {x: host, y: host}\nlinks: [{between: [x, y]}]\n");
  folder.write("a.yaml", "topology: t1.yaml\n");
  folder.write("b.yaml", "extends: a.yaml\ntopology: t2.yaml\n");
  folder.write("c.yaml", "extends: a.yaml\ntopology: {link_types: {l: {length: 2km}}}\n");
  CHECK(folder.read("b.yaml").topology.nodes.size() == 2);
  CHECK(folder.read("b.yaml").topology.nodes[0].name == "x");
  CHECK(folder.read("c.yaml").topology.links[0].length == 2_km);
  CHECK(folder.read("a.yaml", sets({"topology.link_types.l.length=3km"})).topology.links[0].length == 3_km);
  CHECK(folder.read("a.yaml", sets({"topology=" + folder.path("t2.yaml")})).topology.nodes[0].name == "x");
}

TEST_CASE("--set reaches every key, list items too, the last one wins, and --seed is a key") {
  const ScenarioFolder folder;
  folder.write("s.yaml", std::string{two_hosts} + "workload: [{ddp: {model: {parameters: 40}, backward: 1s}}]\n");
  ReadOptions options =
      sets({"workload[0].ddp.backward=300ms", "fabric.headroom.size=2KiB", "fabric.pfc.priorities=[4, 5]",
            "topology.links[1].rate=10Gbps", "nic.queue_depth=7", "nic.queue_depth=8", "expect=unsound",
            "switches.s1.buffer={size: 1MiB, alpha: 1}", "seed=5"});
  options.seed = 18'446'744'073'709'551'615U;
  const Scenario scenario = folder.read("s.yaml", options);
  CHECK(std::get<DdpConfig>(scenario.jobs[0]).backward == 300_ms);
  CHECK(std::get<DdpConfig>(scenario.jobs[0]).priority == Priority{4});
  CHECK(scenario.switches[0].headroom.size == 2_KiB);
  CHECK(buffer(scenario) == 1_MiB);
  CHECK(scenario.topology.links[1].rate == 10_Gbps);
  CHECK(scenario.nics[0].queue_depth == 8);
  CHECK(scenario.expect == Expectation::unsound);
  CHECK(scenario.seed == 18'446'744'073'709'551'615U);
}

TEST_CASE("variants lie over the base and below --set") {
  const ScenarioFolder folder;
  folder.write("a.yaml", std::string{two_hosts} +
                             "variants:\n"
                             "  small: {fabric.buffer.size: 1MiB, expect: unsound}\n"
                             "  static: {fabric.buffer: {threshold: 64KiB}}\n");
  folder.write("b.yaml", "extends: a.yaml\nvariants: {late: {switches.s1.latency: 2us}, small: {fabric.mtu: 512}}\n");
  CHECK(variant_names(folder.path("a.yaml")) == std::vector<std::string>{"small", "static"});
  CHECK(variant_names(folder.path("b.yaml")) == std::vector<std::string>{"small", "static", "late"});
  CHECK(variant_names(folder.path("b.yaml"), sets({"seed=2"})).size() == 3);

  CHECK(buffer(folder.read("b.yaml")) == 32_MiB);
  ReadOptions options;
  options.variant = "small";
  const Scenario small = folder.read("b.yaml", options);
  CHECK(small.name == "b");
  CHECK(small.expect == Expectation::unsound);
  CHECK(buffer(small) == 1_MiB);
  CHECK(small.frame.mtu == 512_B);
  options.sets = {"fabric.buffer.size=4MiB"};
  CHECK(buffer(folder.read("b.yaml", options)) == 4_MiB);
  options.variant = "static";
  CHECK(std::get<StaticThreshold>(folder.read("b.yaml", options).switches[0].buffer.threshold).size == 64_KiB);
  options.variant = "late";
  CHECK(folder.read("b.yaml", options).switches[0].latency == 2_us);
}

TEST_CASE("a model file is relative to the file that names it, or to the current folder in --set") {
  const ScenarioFolder folder;
  folder.write("base/models/m.csv", "name,numel\na,5\n");
  folder.write("other.csv", "name,numel\na,6\n");
  folder.write("base/a.yaml",
               std::string{two_hosts} + "workload: [{ddp: {model: {file: models/m.csv}, backward: 1s}}]\n");
  folder.write("b.yaml", "extends: base/a.yaml\n");
  const auto elements = [](const Scenario& scenario) {
    return std::get<DdpConfig>(scenario.jobs[0]).tensors.at(0).elements;
  };
  CHECK(elements(folder.read("b.yaml")) == 5);
  CHECK(elements(folder.read("b.yaml", sets({"workload[0].ddp.model.file=" + folder.path("other.csv")}))) == 6);
  // A count of parameters takes the place of the file.
  const Scenario counted = folder.read("b.yaml", sets({"workload[0].ddp.model.parameters=80"}));
  CHECK(std::get<DdpConfig>(counted.jobs[0]).tensors.size() == 40);
}

TEST_CASE("CRLF files and files with a byte order mark read as others do") {
  const ScenarioFolder folder;
  folder.write(
      "s.yaml",
      "\xEF\xBB\xBFname: x\r\ntopology: {nodes: {h1: host, h2: host}, links: [{between: [h1, h2]}]}\r\nseed: 3\r\n");
  CHECK(folder.read("s.yaml").name == "x");
  CHECK(folder.read("s.yaml").seed == 3);
}
