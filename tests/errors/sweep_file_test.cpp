// What a user can get wrong in the file of a sweep, verbatim.
#include <doctest/doctest.h>

#include <string>

#include "errors/sweep_faults.hpp"

using namespace soya;
using namespace soya::test;

namespace {

std::string axis(const std::string& text) {
  return faults("scenario: s.yaml\naxes:\n  " + text + "\n");
}

}  // namespace

TEST_CASE("an axis that names no key") {
  CHECK(axis("fabric.headrom.size: [1KiB]") ==
        "w.yaml:3:3: axes: unknown key \"fabric.headrom.size\"; did you mean fabric.headroom.size?");
  CHECK(axis("headroom.size: [1KiB]") ==
        "w.yaml:3:3: axes: unknown key \"headroom.size\"; did you mean fabric.headroom.size?");
  CHECK(axis("colour: [red]") == "w.yaml:3:3: axes: unknown key \"colour\"; `soya explain` lists the keys");
  CHECK(axis("seed: [1, 2]") == "w.yaml:3:3: axes: seeds are no axis; write seeds: 5, or seeds: [1, 2, 7]");
}

TEST_CASE("a key that is misspelt in its group, and what may not vary in a sample either") {
  CHECK(axis("\"workload[0].flows[0].sise\": [1MB]") ==
        "w.yaml:3:3: axes: unknown key \"workload[0].flows[0].sise\"; did you mean workload[].flows[].size?");
  CHECK(axis("workload[0].incast.sise: [1MB]") ==
        "w.yaml:3:3: axes: unknown key \"workload[0].incast.sise\"; did you mean workload[].incast.size?");
  CHECK(faults("scenario: s.yaml\nsample: {points: 3, ranges: {seed: [1, 2]}}\n") ==
        "w.yaml:2:30: sample: seeds are no axis; write seeds: 5, or seeds: [1, 2, 7]");
}

TEST_CASE("a scenario where a sweep is expected") {
  CHECK(faults("topology: {}\nworkload: []\n")
            .starts_with("w.yaml:1:1: is a scenario, and a sweep is a file beside it that names it: scenario: w.yaml"));
}

TEST_CASE("a condition on combinations names columns by their ends, and says which are meant where it cannot") {
  const auto only = [](const std::string& text) {
    return faults("scenario: s.yaml\naxes: {nic.queue_depth: [1, 2], fabric.mtu: [512]}\nonly: " + text + "\n");
  };
  CHECK(only("queue_depth < 2 and mtu == 512B") == "");
  CHECK(only("depth < 2") ==
        "w.yaml:3:7: only: in \"depth < 2\": unknown column \"depth\"; the sweep's columns are nic.queue_depth, "
        "fabric.mtu, seed");
}

TEST_CASE("a sample of a ratio has no more decimals than ratios take") {
  // 1/64 to 1 has digits from the second decimal on, so six digits would be eight decimals; a ratio has six.
  const ScenarioFolder folder;
  folder.write("s.yaml", "topology: {nodes: {h1: host, h2: host}, links: [{between: [h1, h2]}]}\n");
  folder.write("w.yaml",
               "scenario: s.yaml\nsample: {points: 200, ranges: {fabric.buffer.alpha: {from: 1/64, to: 1}}}\n");
  const SweepConfig sweep = read_sweep(folder.path("w.yaml"), {});
  REQUIRE(sweep.factors.at(0).levels.size() == 200);
  for (const Level& level : sweep.factors[0].levels) {
    const std::string& text = level.values.at(0).text;
    CHECK_MESSAGE(text.size() - (text.find('.') + 1) <= 6, text);
  }
}

TEST_CASE("an axis whose path leads nowhere in this scenario") {
  CHECK(axis("topology.link_types.hall.length: [1km]") ==
        "w.yaml:3:37: topology.link_types.hall.length: there is no \"hall\" to change; did you mean \"haul\"?");
  CHECK(axis("workload[1].flows[0].size: [1MB]") ==
        "w.yaml:3:31: workload[1].flows[0].size: the list has one item, [0]");
}

TEST_CASE("a value with a wrong unit, without one, or beyond what the key takes") {
  CHECK(axis("fabric.headroom.size: [1KiB, 5ms]") ==
        "w.yaml:3:32: fabric.headroom.size: expected a size such as 64KiB or 1MB, got \"5ms\"; allowed: auto, or 1B to "
        "1TiB");
  CHECK(axis("topology.link_types.haul.length: [300]") ==
        "w.yaml:3:37: topology.link_types.haul.length: expected a length such as 3m or 300km, got \"300\"");
  CHECK(axis("fabric.headroom.size: {from: 1KiB, to: 5km, points: 3}")
            .starts_with("w.yaml:3:42: fabric.headroom.size: expected a size such as 64KiB or 1MB, got \"5km\""));
  CHECK(axis("fabric.buffer.alpha: [1/8, half]") ==
        "w.yaml:3:30: fabric.buffer.alpha: expected a ratio such as 1/8, got \"half\"");
}

TEST_CASE("an axis that is no list, or a range that is none") {
  CHECK(axis("fabric.mtu: 1024") ==
        "w.yaml:3:15: fabric.mtu: expected a list of values or a range such as {from: …, to: …, points: 9}, got "
        "\"1024\"; "
        "a value that does not vary stands under set:");
  CHECK(axis("fabric.mtu: []") == "w.yaml:3:15: fabric.mtu: the list is empty, so the sweep has no points");
  CHECK(axis("fabric.mtu: [1024, 1KiB]") == "w.yaml:3:22: fabric.mtu: 1024 stands there twice");
  CHECK(axis("nic.queue_depth: {from: 8, to: 2, points: 3}") ==
        "w.yaml:3:27: nic.queue_depth: expected from below to, got \"8\" and \"2\"; a list may have any "
        "order: [8, 2]");
  CHECK(axis("nic.queue_depth: {from: 1, to: 3, points: 9}") ==
        "w.yaml:3:20: nic.queue_depth: so many points give 1 twice; take fewer");
  CHECK(axis("nic.queue_depth: {from: 1, to: 3}") ==
        "w.yaml:3:20: nic.queue_depth: a range has either points: 9 or step: …");
  CHECK(axis("nic.queue_depth: {from: 1, to: 3, pionts: 2}")
            .ends_with("w.yaml:3:37: nic.queue_depth: unknown key \"pionts\"; did you mean \"points\"?"));
  CHECK(axis("fabric.headroom.size: {from: 0B, to: 1MB, points: 3, scale: log}").find("allowed: auto, or 1B to 1TiB") !=
        std::string::npos);
  CHECK(axis("fabric.headroom.mode: {from: a, to: b, points: 2}") ==
        "w.yaml:3:25: fabric.headroom.mode: a range needs a key that takes numbers; list the values: [first, second]");
}

TEST_CASE("two axes that decide on the same key, and --set of one") {
  CHECK(
      faults("scenario: s.yaml\naxes: {fabric.mtu: [1024]}\nsample: {points: 3, ranges: {fabric.mtu: [256, 512]}}\n") ==
      "w.yaml:3:1: fabric.mtu: varies twice; one axis, case, zip or sample decides on a key");
  CHECK(faults("scenario: s.yaml\naxes: {fabric.mtu: [1024]}\n", {.sets = {"fabric.mtu=256"}}) ==
        "w.yaml: fabric.mtu: --set gives it, and the sweep varies it; leave --set out");
}

TEST_CASE("a zip of unequal lists, a case without values, an unknown variant") {
  CHECK(faults("scenario: s.yaml\nzip: {fabric.mtu: [256, 512], nic.queue_depth: [1]}\n") ==
        "w.yaml:2:48: zip: nic.queue_depth has 1 values and fabric.mtu has 2; axes that go together have as many");
  CHECK(faults("scenario: s.yaml\ncases: {mode: {a: 5}}\n") ==
        "w.yaml:2:19: cases.mode.a: expected a mapping of key paths to values, got \"5\"");
  CHECK(faults("scenario: s.yaml\ncases: {outcome: {a: {fabric.mtu: 256}}}\n") ==
        "w.yaml: cases: \"outcome\" is a column that every points.csv has; give the cases another name");
  CHECK(faults("scenario: s.yaml\nvariants: [bse]\n") ==
        "w.yaml:2:11: variants: unknown variant \"bse\"; known: base, small");
}

TEST_CASE("the file itself, and the scenario it names") {
  CHECK(faults("") == "w.yaml: file is empty");
  CHECK(faults("axes: {}\n") == "w.yaml:1:1: scenario: expected the file of the scenario that is swept");
  CHECK(faults("scenario: t.yaml\n") == "w.yaml:1:11: scenario: no such file: t.yaml");
  CHECK(faults("scenario: s.yaml\nname: null\n") == "w.yaml:2:7: name: expected a name, got nothing");
  CHECK(faults("scenario: s.yaml\nname: [a]\n") == "w.yaml:2:7: name: expected a name, got a list");
  CHECK(faults("scenario: s.yaml\nname: ../a\n").starts_with("w.yaml:2:7: name: "));
  CHECK(faults("scenario: s.yaml\nset: {seed: 18446744073709551615}\nseeds: 2\n") ==
        "w.yaml:3:8: seeds: counted from the scenario's seed 18446744073709551615 they go beyond the largest seed");
  CHECK(faults("scenario: s.yaml\nset: {seed: 18446744073709551614}\nseeds: 2\n") == "");
  CHECK(faults("scenario: s.yaml\nseed: 5\n").starts_with("w.yaml:2:1: unknown key \"seed\"; did you mean \"seeds\"?"));
  CHECK(faults("scenario: s.yaml\nseeds: 0\n") ==
        "w.yaml:2:8: seeds: expected a whole number from 1 to 1000000, got \"0\"");
  CHECK(faults("scenario: s.yaml\nseeds: [1, 1]\n") == "w.yaml:2:12: seeds: 1 stands there twice");
  CHECK(faults("scenario: s.yaml\nset: {fabric.mtv: 5}\n")
            .starts_with("w.yaml:2:7: set: unknown key \"fabric.mtv\"; did you mean fabric.mtu?"));
}

TEST_CASE("more combinations than anybody can count") {
  std::string keys = "scenario: s.yaml\naxes:\n";
  for (const char* key : {"fabric.headroom.size", "fabric.buffer.size", "fabric.buffer.reserved"}) {
    keys += std::string{"  "} + key + ": {from: 1KB, to: 1MB, points: 100000}\n";
  }
  CHECK(faults(keys) == "w.yaml:1:1: more than 10^12 combinations; take a sample: of them instead");
}

TEST_CASE("a search that cannot be halved, has no ends, or asks for what no run has") {
  const auto search = [](const std::string& text) { return faults("scenario: s.yaml\nsearch: {" + text + "}\n"); };
  CHECK(search("smallest: fabric.headroom.mode, from: 1, to: 2, such_that: drops.lossless == 0") ==
        "w.yaml:2:20: search: fabric.headroom.mode is no size, rate, duration, length or whole number, so it cannot be "
        "halved");
  CHECK(search("smallest: fabric.headroom.size, to: 1MB, such_that: drops.lossless == 0") ==
        "w.yaml:2:9: search: expected from: where the search begins");
  CHECK(search("smallest: fabric.headroom.size, from: 2MB, to: 1MB, such_that: drops.lossless == 0") ==
        "w.yaml:2:48: search: from is not below to, so there is nothing to search; both goals write the smaller end as "
        "from:");
  CHECK(search("smallest: fabric.headroom.size, from: 1KB, to: 1MB, such_that: drops.lost == 0")
            .starts_with("w.yaml:2:73: search.such_that: unknown quantity \"drops.lost\""));
  CHECK(search("smallest: fabric.headroom.size, from: 1KB, to: 1MB, such_that: drops.lossless = 0")
            .starts_with("w.yaml:2:73: search.such_that: "));
  CHECK(search("smallest: fabric.headroom.size, from: 1KB, to: 1km, such_that: drops.lossless == 0")
            .starts_with("w.yaml:2:57: search.to: expected a size such as 64KiB or 1MB, got \"1km\""));
}
