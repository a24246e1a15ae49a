// --set, variants and extends: paths that lead nowhere, and mistakes told at the place that wrote them.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

std::string set(const std::string& assignment) {
  const std::string text = two_hosts + std::string{"workload: [{incast: {receiver: h1, size: 1B}}]\n"};
  return errors_of(text, ReadOptions{.sets = {assignment}});
}

}  // namespace

TEST_CASE("--set that says nothing") {
  CHECK(set("nothing") == "--set: expected key=value, such as fabric.headroom.size=64KiB, got \"nothing\"");
  CHECK(set("=5") == "--set: expected key=value, such as fabric.headroom.size=64KiB, got \"=5\"");
  CHECK(set("seed=") == "--set: seed: expected a value behind the =, got nothing");
  CHECK(set("seed=~") == "--set: seed: expected a whole number, got nothing");
  CHECK(set("a..b=1") == "--set: \"a..b\" is not a key path: a key is empty");
  CHECK(set("seed=[1") == "--set: seed: YAML: end of sequence flow not found; the file ends too early, in \"[1\"");
}

TEST_CASE("--set with bytes that are no text gives no advice for files") {
  CHECK(set("name=\xff") == "--set: name: not UTF-8 (byte 0xFF), in \"\\xff\"");
  CHECK(set("name=a\x04") == "--set: name: control character 0x04, in \"a\\x04\"");
}

TEST_CASE("--set on paths that lead nowhere") {
  CHECK(set("fabric.headrom.size=2KiB") == "--set: fabric.headrom: unknown key; did you mean \"headroom\"?");
  CHECK(set("fabirc.mtu=1") == "--set: fabirc: unknown key; did you mean \"fabric\"?");
  CHECK(set("workload[1].incast.size=2B") == "--set: workload[1].incast.size: the list has one item, [0]");
  CHECK(set("topology.links[7].rate=1Gbps") == "--set: topology.links[7].rate: the list has items [0] to [1]");
  CHECK(set("workload.incast.size=2B") ==
        "--set: workload.incast.size: is a list: name an item, such as [0]; the list has one item, [0]");
  CHECK(set("workload[0].incast.size.x=2B") == "--set: workload[0].incast.size.x: \"1B\" has no key \"x\"");
  CHECK(set("topology[0]=2B") == "--set: topology[0]: only a list has items [0]");
  CHECK(set("faults[0].hold.until=1s") == "--set: faults[0].hold.until: the list is empty");
  CHECK(set("topology.nodes.h9=host") ==
        "--set: topology.nodes.h9: there is no \"h9\" to change; did you mean \"h1\"?");
  CHECK(set("topology.link_types.haul.length=1km") ==
        "--set: topology.link_types.haul.length: there is no \"haul\" to change");
  CHECK(set("switches.s9.latency=1us") == "--set: switches.s9: unknown switch \"s9\"; did you mean \"s1\"?");
  CHECK(set("extends=a.yaml") == "--set: extends: belongs into a file; a variant or --set cannot change it");
  CHECK(set("variants.x.seed=1") == "--set: variants: belongs into a file; a variant or --set cannot change it");
  CHECK(set("topology=nowhere.yaml") == "--set: topology: no such file: nowhere.yaml");
}

TEST_CASE("--set with a wrong value says so as a file does") {
  CHECK(set("fabric.headroom.size=64") ==
        "--set: fabric.headroom.size: expected a size such as 64KiB or 1MB, got \"64\"");
  CHECK(set("fabric={mtu: 512, mtu: 256}") ==
        "--set: fabric.mtu: duplicate key; it is already given at line 1, in \"{mtu: 512, mtu: 256}\"");
  CHECK(set("nic={<<: 5, queue_depth: 0}") ==
        "--set: nic.<<: a merge key takes a mapping or a list of mappings, got \"5\", in \"{<<: 5, queue_depth: 0}\"\n"
        "--set: nic.queue_depth: 0 is out of range; allowed: 1 to 1000000");
  CHECK(set("fabric={mtu: 0}") == "--set: fabric.mtu: 0 is out of range; allowed: 1 to 1000000 bytes");
  CHECK(set("workload[0].incast.receiver=h7") ==
        "--set: workload[0].incast.receiver: unknown host \"h7\"; did you mean \"h1\"?");
}

TEST_CASE("variants are checked when the base is read") {
  const std::string text = two_hosts + std::string{
                                           "variants:\n"
                                           "  a: {fabric.headrom.size: 1MB}\n"
                                           "  b: {fabric.mtu: 0, expect: maybe}\n"
                                           "  c: {\"workload[0].flows.name\": x}\n"
                                           "  d: {fabric.mtu: 1024}\n"};
  CHECK(errors_of(text) ==
        "s.yaml:3:7: fabric.headrom: unknown key; did you mean \"headroom\"? (in variant \"a\")\n"
        "s.yaml:4:19: fabric.mtu: 0 is out of range; allowed: 1 to 1000000 bytes (in variant \"b\")\n"
        "s.yaml:4:30: expect: expected one of sound, unsound, got \"maybe\" (in variant \"b\")\n"
        "s.yaml:5:7: workload[0].flows.name: the list is empty (in variant \"c\")");
  ReadOptions options;
  options.variant = "d";
  CHECK(errors_of(text, options) == "");
  options.variant = "b";
  CHECK(errors_of(text, options) ==
        "s.yaml:4:19: fabric.mtu: 0 is out of range; allowed: 1 to 1000000 bytes\n"
        "s.yaml:4:30: expect: expected one of sound, unsound, got \"maybe\"");
}

TEST_CASE("variants nobody has declared") {
  ReadOptions options;
  options.variant = "x";
  CHECK(errors_of(two_hosts, options) == "s.yaml: variants: unknown variant \"x\"; the scenario has none");
  CHECK(errors_of(two_hosts + std::string{"variants: {a: {seed: 2}, b: {seed: 3}}\n"}, options) ==
        "s.yaml: variants: unknown variant \"x\"; known: a, b");
}

TEST_CASE("a mistake stays at the file that made it") {
  const ScenarioFolder folder;
  folder.write("t.yaml", "nodes: {a: host, b: host}\nlinks:\n  - {between: [a, b], rate: fast}\n");
  folder.write("base.yaml", "topology: t.yaml\nfabric: {mtu: 0}\n");
  folder.write("top.yaml", "extends: base.yaml\nnic: {queue_depth: 0}\n");
  CHECK(folder.errors("top.yaml") ==
        "top.yaml:2:20: nic.queue_depth: 0 is out of range; allowed: 1 to 1000000\n"
        "base.yaml:2:15: fabric.mtu: 0 is out of range; allowed: 1 to 1000000 bytes\n"
        "t.yaml:3:29: topology.links[0].rate: expected a rate such as 100Gbps or 12.5GB/s, got \"fast\"; allowed: "
        "1Mbps to 100Tbps");
}
