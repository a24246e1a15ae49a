// What stops a scenario before time zero, verbatim: every reason at once, with the numbers that do not fit.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "errors/two_hosts_bench.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {}  // namespace

TEST_CASE("headroom and reserved beyond the buffer are shown with every number") {
  TwoHostsBench bench;
  bench.defaults.buffer.size = 83'347_B;  // one byte less than 2 x 37 578 + 2 x 4096
  // It takes these and shared memory of which alpha = 1/8 is a frame: 83 348 + 8 x 4158 = 116 612 B.
  bench.build();
  CHECK(refusal(bench.scenario) ==
        "fabric.buffer.size: switch s1: headroom 75 156 + reserved 8 192 > buffer 83 347 (bytes; 2 ports x 1 lossless "
        "priority); it takes at least fabric.buffer.size=116612B");
}

TEST_CASE("a threshold below one frame is shown with the product") {
  // 83 348 + 33 263 = 116 611 B leave 33 263 B of shared, one byte less than 8 frames of 4158 B.
  TwoHostsBench bench;
  bench.defaults.buffer.size = 116'611_B;
  bench.build();
  CHECK(refusal(bench.scenario) ==
        "fabric.buffer.size: switch s1: threshold: alpha 1/8 x shared 33 263 = 4 157 < one frame of 4 158 (bytes); it "
        "takes at least fabric.buffer.size=116612B");
  bench.scenario.switches[0].buffer.size = 116'612_B;
  CHECK(refusal(bench.scenario) == "");
}

TEST_CASE("a static threshold below the headroom of dsh is refused at the threshold, which no buffer makes larger") {
  const ScenarioFolder folder;
  folder.write("s.yaml", std::string{two_hosts} +
                             "workload: [{flows: [{from: h1, to: h2, size: 1MB}]}]\n"
                             "fabric: {buffer: {size: 32MiB, threshold: 20KB}, headroom: {mode: dsh, size: 40KB}}\n");
  // A WRITE's first frame: 4096 + 62 + 16 B.
  CHECK(folder.shortened(refusal(folder.read("s.yaml"))) ==
        "s.yaml:3:43: fabric.buffer.threshold: switch s1: threshold: 20 000 < headroom 40 000 of dsh + one frame of 4 "
        "174 "
        "(bytes)");
}

TEST_CASE("a headroom that no switch can have is refused at its key") {
  TwoHostsBench bench;
  bench.defaults.headroom.size = 0_B;
  bench.build();
  CHECK(refusal(bench.scenario) ==
        "fabric.headroom.size: switch s1: headroom 0 of each lossless priority is not between 1 and "
        "1 099 511 627 776 (bytes)");
}

TEST_CASE("an automatic headroom that no switch can have is refused at the key of its largest part, with the port") {
  const ScenarioFolder folder;
  const auto refused = [&](const std::string& text) {
    folder.write("s.yaml", text + "workload: [{flows: [{from: h1, to: h2, size: 1MB}]}]\n");
    return folder.shortened(refusal(folder.read("s.yaml")));
  };
  // 1000 s at 100 Gbps are 12.5 x 10^12 B; 2 x 15 ns on 3 m of cable 375 B; 4194 + 84 + 2 x 4174 B: 12 626 + 375.
  CHECK(refused(std::string{two_hosts} + "fabric: {pfc: {response: 1000s}}\n") ==
        "s.yaml:2:26: fabric.pfc.response: switch s1: the largest part of an automatic headroom that is not between "
        "1 and 1 099 511 627 776 (bytes): 12 500 000 013 001 at port h1 of s1");
  // 2 x 100 s of delay at 100 Gbps are 2.5 x 10^12 B; the response of 394 quanta is 25 216 B.
  CHECK(refused("topology: {nodes: {h1: host, h2: host, s1: switch},\n"
                "  links: [{between: [h1, s1]},\n"
                "    {between: [h2, s1], delay: 100s}]}\n") ==
        "s.yaml:3:5: topology.links[1]: switch s1: the largest part of an automatic headroom that is not between "
        "1 and 1 099 511 627 776 (bytes): 2 500 000 038 217 at port h2 of s1");
  // A headroom that is only too large for the buffer: 1 s is 12.5 x 10^9 B, so 2 x 12 500 013 001 + 8 x 4174 + 8192 B.
  CHECK(refused(std::string{two_hosts} + "fabric: {pfc: {response: 1s}}\n") ==
        "s.yaml:1:1: fabric.buffer.size: switch s1: headroom 25 000 026 002 + reserved 8 192 > buffer 33 554 432 "
        "(bytes; 2 ports x 1 lossless priority); 32MiB is the default, it takes at least "
        "fabric.buffer.size=25000067586B; the largest part of the headroom is due to fabric.pfc.response");
}

TEST_CASE("every switch that cannot be built is listed") {
  TwoHostsBench bench;
  bench.defaults.buffer.size = 1_KB;
  bench.build();
  bench.add_switch("s2");
  bench.link("s1", "s2");
  // s1 has a third port now: 3 x (37 578 + 4096) + 8 x 4158 = 158 286 B. s2: one port, 41 674 + 33 264 = 74 938 B.
  CHECK(refusal(bench.scenario) ==
        "fabric.buffer.size: switch s1: headroom 112 734 + reserved 12 288 > buffer 1 000 (bytes; 3 ports x 1 lossless "
        "priority); it takes at least fabric.buffer.size=158286B\n"
        "fabric.buffer.size: switch s2: headroom 37 578 + reserved 4 096 > buffer 1 000 (bytes; 1 port x 1 lossless "
        "priority); it takes at least fabric.buffer.size=74938B");
}

TEST_CASE("a refused buffer points at the key in the file") {
  const ScenarioFolder folder;
  folder.write("s.yaml", std::string{two_hosts} +
                             "fabric: {buffer: {size: 10KB}, headroom: {size: 8KB}}\n"
                             "workload: [{flows: [{from: h1, to: h2, size: 1MB}]}]\n");
  // WRITE frames of 4096 + 62 + 16 B: 24 192 + 8 x 4174 = 57 584 B.
  CHECK(folder.shortened(refusal(folder.read("s.yaml"))) ==
        "s.yaml:2:25: fabric.buffer.size: switch s1: headroom 16 000 + reserved 8 192 > buffer 10 000 (bytes; 2 ports "
        "x 1 lossless priority); it takes at least fabric.buffer.size=57584B");
}

TEST_CASE("a refused buffer points at the key of the switch, and at its headroom where that alone is given") {
  const ScenarioFolder folder;
  folder.write("own.yaml", std::string{two_hosts} +
                               "switches: {s1: {buffer: {size: 10KB}}}\n"
                               "fabric: {buffer: {size: 1MB}, headroom: {size: 8KB}}\n");
  // Without work the largest frame is a Middle one of 4158 B: 24 192 + 8 x 4158 = 57 456 B.
  CHECK(folder.shortened(refusal(folder.read("own.yaml"))) ==
        "own.yaml:2:32: switches.s1.buffer.size: switch s1: headroom 16 000 + reserved 8 192 > buffer 10 000 (bytes; "
        "2 ports x 1 lossless priority); it takes at least switches.s1.buffer.size=57456B");
  folder.write("headroom.yaml", std::string{two_hosts} + "fabric: {headroom: {size: 32MB}}\n");
  CHECK(folder.shortened(refusal(folder.read("headroom.yaml"))) ==
        "headroom.yaml:2:27: fabric.headroom.size: switch s1: headroom 64 000 000 + reserved 8 192 > buffer 33 554 432 "
        "(bytes; 2 ports x 1 lossless priority); 32MiB is the default, it takes at least "
        "fabric.buffer.size=64041456B");  // 64 008 192 + 8 x 4158
}

TEST_CASE(
    "a buffer left at its default is told as such, once for all switches that are alike, those that need most first") {
  // Five leaves with two ports to 300 km of cable each, and one spine with five.
  const ScenarioFolder folder;
  folder.write(
      "far.yaml",
      "# Far away.\ntopology: {parts: [{leaf_spine: {leaves: 5, spines: 1, hosts_per_leaf: 1, host_link: {length: "
      "300km}, fabric_link: {length: 300km}}}]}\n");
  // auto = 2 x 1.5 ms x 12.5 B/ns + 4158 + 20 + 84 + 64 x 394 quanta + 2 x 4158 = 37 537 794 B a port;
  // reserved 4096 a port; 8 x 4158 B shared on top: 5 x 37 541 890 + 33 264 and 2 x 37 541 890 + 33 264 B.
  CHECK(
      folder.shortened(refusal(folder.read("far.yaml"))) ==
      "far.yaml:2:1: fabric.buffer.size: switch spine1: headroom 187 688 970 + reserved 20 480 > buffer 33 554 432 "
      "(bytes; 5 ports x 1 lossless priority); 32MiB is the default, it takes at least "
      "fabric.buffer.size=187742714B\n"
      "far.yaml:2:1: fabric.buffer.size: switches leaf1, leaf2, leaf3 and 2 more: headroom 75 075 588 + reserved 8 192 "
      "> buffer 33 554 432 (bytes; 2 ports x 1 lossless priority); 32MiB is the default, it takes at least "
      "fabric.buffer.size=75117044B");
  CHECK(refusal(folder.read("far.yaml", ReadOptions{.sets = {"fabric.buffer.size=187742714B"}})) == "");
  CHECK(refusal(folder.read("far.yaml", ReadOptions{.sets = {"fabric.buffer.size=187742713B"}})) != "");
}

TEST_CASE("of many different reasons eight are spelled out, the other switches are counted") {
  TwoHostsBench bench;
  bench.defaults.buffer.size = 1_KB;
  bench.build();
  // A chain of switches with 1, 2, 3, … hosts each, so that no two are alike.
  for (int s = 2; s <= 12; ++s) {
    const std::string name = "s" + std::to_string(s);
    bench.add_switch(name);
    for (int h = 0; h < s + 2; ++h) {
      const std::string host = name + "-h" + std::to_string(h);
      bench.host(host);
      bench.link(host, name);
    }
  }
  const std::string text = refusal(bench.scenario);
  CHECK(std::count(text.begin(), text.end(), '\n') == 8);
  CHECK(text.starts_with("fabric.buffer.size: switch s12: "));
  CHECK(text.ends_with("\nand 4 more switches with such buffers"));
}

TEST_CASE("a flow between hosts without a path is refused with both components") {
  TwoHostsBench bench;
  bench.build();
  bench.host("h3");
  bench.add_switch("s2");
  bench.link("h3", "s2");
  bench.flow("h1", "h3", 1_KB);
  bench.flow("h3", "h2", 1_KB);
  CHECK(refusal(bench.scenario) == "no path h1 -> h3 (components 1, 2)\nno path h3 -> h2 (components 2, 1)");
}

TEST_CASE("a ring over hosts without a path is refused") {
  TwoHostsBench bench;
  bench.build();
  bench.host("h3");
  bench.add_switch("s2");
  bench.link("h3", "s2");
  AllReduceConfig ring;
  ring.name = "ring";
  ring.hosts = {HostId{0U}, HostId{1U}, HostId{2U}};
  ring.size = 1_KB;
  bench.scenario.jobs.emplace_back(ring);
  CHECK(refusal(bench.scenario) == "no path h2 -> h3 (components 1, 2)\nno path h3 -> h1 (components 2, 1)");
}

TEST_CASE("headroom below the budget is a warning that names the worst port") {
  TwoHostsBench bench;
  bench.defaults.headroom.size = 37'577_B;
  bench.build();
  CHECK(bench.run().warnings ==
        std::vector<std::string>{
            "switch s1 port h1 has 37 577 B of headroom, 37 578 B is the budget; 1 more port is below its "
            "own: frames may be lost after a PAUSE; try fabric.headroom.size=auto"});
}

TEST_CASE("in a pool the warning names what is too small for one group: its cap, or the pool") {
  const auto warned = [](const SharedPoolHeadroom& pool) {
    TwoHostsBench bench;
    bench.defaults.headroom.mode = pool;
    bench.build();
    const std::vector<std::string> warnings = bench.run().warnings;
    return warnings.empty() ? std::string{} : warnings.front();
  };
  CHECK(warned({.pool = 37'578_B, .oversubscribe = {1, 1}, .cap = {}}) == "");
  const std::string small =
      "switch s1 port h1 has 37 577 B of headroom, 37 578 B is the budget; 1 more port is below its "
      "own: frames may be lost after a PAUSE; try fabric.headroom.";
  CHECK(warned({.pool = 80_KB, .oversubscribe = {1, 1}, .cap = 37'577_B}) == small + "cap=37578B");
  CHECK(warned({.pool = 37'577_B, .oversubscribe = {1, 1}, .cap = {}}) == small + "pool=37578B or more");
}

TEST_CASE("a static threshold that any frame reaches is a warning") {
  const auto warned = [](Bytes threshold) {
    TwoHostsBench bench;
    bench.defaults.buffer.threshold = StaticThreshold{threshold};
    bench.build();
    const std::vector<std::string> warnings = bench.run().warnings;
    return warnings.empty() ? std::string{} : warnings.front();
  };
  CHECK(warned(4158_B) == "");
  CHECK(warned(4157_B) ==
        "fabric.buffer.threshold: switch s1 has a threshold of 4 157 B, less than one frame of 4 158 B: "
        "every frame pauses its sender");
}

TEST_CASE("pauses that may run out before their repeat are a warning with the quanta that would do") {
  // A frame of 4158 + 20 B in the way of the repeat; 64 B a quantum, half of them left: 130 x 32 = 4160 < 4178 B, 131
  // do.
  const auto warned = [](const Ratio& refresh, int quanta, Rate reverse = 100_Gbps) {
    TwoHostsBench bench;
    bench.defaults.buffer.size = 1000_MB;
    bench.scenario.pfc.quanta = quanta;
    bench.scenario.pfc.refresh = refresh;
    bench.build();
    for (LinkConfig& link : bench.scenario.topology.links) link.reverse_rate = reverse;  // from the switch to the host
    const std::vector<std::string> warnings = bench.run().warnings;
    return warnings.empty() ? std::string{} : warnings.front();
  };
  CHECK(warned({1, 2}, 131) == "");
  CHECK(warned({1, 2}, 130) ==
        "fabric.pfc.quanta: a PAUSE of 130 quanta from s1 to h1 lasts 665.6 ns and is repeated after 332.8 ns, but the "
        "repeat may wait 334.24 ns for a frame of its own direction; so at 1 more port: frames slip through "
        "meanwhile; try fabric.pfc.quanta=131");
  // A tenth left: 652 x 6.4 = 4172.8 B, 653 x 6.4 = 4179.2 B.
  CHECK(warned({9, 10}, 653) == "");
  CHECK(warned({9, 10}, 652).ends_with("; try fabric.pfc.quanta=653"));
  // Nothing left, whatever the quanta: half of 65 535 does, half of 100 does not.
  CHECK(warned({1, 1}, 65'535) ==
        "fabric.pfc.refresh: a PAUSE of 65 535 quanta from s1 to h1 lasts 335.5392 us and is repeated after "
        "335.5392 us, but the repeat may wait 334.24 ns for a frame of its own direction; so at 1 more port: frames "
        "slip through meanwhile; try fabric.pfc.refresh=1/2");
  CHECK(warned({1, 1}, 100).ends_with("; try fabric.pfc.refresh=1/2 and fabric.pfc.quanta=131"));
  // At 1 Gbps from the switch a frame stands for a hundred: 417 800 / 32 = 13 056.25. At 10 Mbps none would do.
  CHECK(warned({1, 2}, 13'057, 1_Gbps) == "");
  CHECK(warned({1, 2}, 13'056, 1_Gbps).ends_with("; try fabric.pfc.quanta=13057"));
  CHECK(warned({1, 2}, 65'535, Rate{10'000'000}).ends_with("; so at 1 more port: frames slip through meanwhile"));
}

TEST_CASE("a host that never pauses is not warned of, one with a receive buffer is") {
  TwoHostsBench bench;
  bench.scenario.pfc.quanta = 1;
  bench.hosts("h", 2);
  bench.link("h1", "h2");
  CHECK(bench.run().warnings.empty());
  bench.scenario.nics[1].receive = SlowReceiver{};
  const std::vector<std::string> warnings = bench.run().warnings;
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find(" from h2 to h1 lasts 5.12 ns and is repeated after 2.56 ns,") != std::string::npos);
}
