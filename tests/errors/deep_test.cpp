// What a user is told of off-chip memory that cannot work, verbatim.
#include <doctest/doctest.h>

#include <string>

#include "errors/two_hosts_bench.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

DeepConfig deep_of_100g() {
  DeepConfig deep;
  deep.bandwidth = 100_Gbps;
  return deep;
}

const std::string flows = "workload: [{flows: [{from: h1, to: h2, size: 1MB}]}]\n";

}  // namespace

TEST_CASE("on-chip memory that cannot hold what it must is refused with every part") {
  // Both ports bring 75 156 B in 3006.24 ns, in which 50 Gbps write 18 789 B; seven frames besides: 85 473 B.
  // 16 queues prefetch 2 x 4158 B: 133 056 B. With a frame and xon_offset 225 759 B.
  TwoHostsBench bench;
  bench.defaults.buffer.deep = deep_of_100g();
  bench.defaults.buffer.size = 225'758_B;
  bench.build();
  CHECK(refusal(bench.scenario) ==
        "fabric.buffer.size: switch s1: on chip: prefetch 133 056 + landing 85 473 + one frame of 4 158 + xon_offset "
        "3 072 > buffer 225 758 (bytes; 2 ports); it takes at least fabric.buffer.size=225759B");
  bench.scenario.switches[0].buffer.size = 225'759_B;
  CHECK(refusal(bench.scenario) == "");

  // With headroom on chip both budgets: 75 156 B in place of 85 473 B; 215 442 B in all.
  bench.scenario.switches[0].buffer.deep->headroom = LandingPlace::on_chip;
  bench.scenario.switches[0].buffer.size = 215'441_B;
  CHECK(refusal(bench.scenario).find("landing 75 156 +") != std::string::npos);
  bench.scenario.switches[0].buffer.size = 215'442_B;
  CHECK(refusal(bench.scenario) == "");
}

TEST_CASE("a threshold that on-chip memory cannot hold is refused with both numbers") {
  TwoHostsBench bench;
  bench.defaults.buffer.deep = deep_of_100g();
  bench.defaults.buffer.size = 1_MiB;
  bench.defaults.buffer.deep->threshold = Bytes{1024 * 1024 + 1};
  bench.build();
  CHECK(refusal(bench.scenario) ==
        "fabric.buffer.deep.threshold: switch s1: on chip: deep threshold 1 048 577 > buffer 1 048 576 (bytes); "
        "it takes at most fabric.buffer.deep.threshold=1MiB");
}

TEST_CASE("off-chip memory that does not hold headroom and reserved is refused at its own size") {
  TwoHostsBench bench;
  bench.defaults.buffer.deep = deep_of_100g();
  bench.defaults.buffer.deep->size = 83'347_B;  // one byte less than 2 x 37 578 + 2 x 4096
  bench.build();
  CHECK(refusal(bench.scenario) ==
        "fabric.buffer.deep.size: switch s1: headroom 75 156 + reserved 8 192 > off-chip memory 83 347 (bytes; 2 ports "
        "x 1 lossless priority); it takes at least fabric.buffer.deep.size=116612B");
  bench.scenario.switches[0].buffer.deep->size = 116'612_B;
  CHECK(refusal(bench.scenario) == "");
}

TEST_CASE("the keys of off-chip memory are checked as they are read") {
  const ScenarioFolder folder;
  const auto told = [&](const std::string& keys) {
    folder.write("s.yaml", std::string{two_hosts} + flows + "fabric: {buffer: {deep: " + keys + "}}\n");
    return folder.errors("s.yaml");
  };
  CHECK(told("{size: 0B}") == "s.yaml:3:32: fabric.buffer.deep.size: 0B is out of range; allowed: 1B to 1TiB");
  CHECK(told("{bandwidth: 0Gbps}") ==
        "s.yaml:3:37: fabric.buffer.deep.bandwidth: 0Gbps is out of range; allowed: 1Mbps to 100Tbps");
  CHECK(told("{headroom: chip}") ==
        "s.yaml:3:36: fabric.buffer.deep.headroom: expected one of off-chip, on-chip, got \"chip\"");
  CHECK(told("{sise: 1GiB}") == "s.yaml:3:26: fabric.buffer.deep.sise: unknown key; did you mean \"size\"?");
  CHECK(told("4GiB") == "s.yaml:3:25: fabric.buffer.deep: expected a mapping of keys, got \"4GiB\"");
}

TEST_CASE("off-chip memory is none unless it is given, and a switch may differ") {
  const ScenarioFolder folder;
  folder.write("s.yaml", std::string{two_hosts} + flows);
  CHECK_FALSE(folder.read("s.yaml").switches.at(0).buffer.deep);
  folder.write("deep.yaml", std::string{two_hosts} + flows + "fabric: {buffer: {deep: {size: 1GiB}}}\n");
  const DeepConfig given = folder.read("deep.yaml").switches.at(0).buffer.deep.value();
  CHECK(given.size == 1024_MiB);
  CHECK(given.bandwidth == DeepConfig{}.bandwidth);
  CHECK(given.threshold == 200'000_B);
  CHECK(given.headroom == LandingPlace::off_chip);
  CHECK_FALSE(
      folder.read("deep.yaml", ReadOptions{.sets = {"switches.s1.buffer.deep=none"}}).switches.at(0).buffer.deep);
  const Scenario own = folder.read("deep.yaml", ReadOptions{.sets = {"switches.s1.buffer.deep.bandwidth=1Tbps"}});
  CHECK(own.switches.at(0).buffer.deep->bandwidth == 1000_Gbps);
  CHECK(own.switches.at(0).buffer.deep->size == 1024_MiB);
}

TEST_CASE("off-chip memory slower than twice what the ports bring is a warning") {
  TwoHostsBench bench;
  bench.defaults.buffer.deep = deep_of_100g();
  bench.build();
  const std::string text =
      "fabric.buffer.deep.bandwidth: switch s1 writes and reads 100Gbps off chip, and its ports bring up to 200Gbps, "
      "to "
      "be written and read: where so much goes off chip, senders are paused while on-chip memory is full";
  CHECK(Simulation{bench.scenario}.warnings() == std::vector{text});
  bench.scenario.switches[0].buffer.deep->bandwidth = 400_Gbps;
  CHECK(Simulation{bench.scenario}.warnings().empty());
}

TEST_CASE("where nothing is kept for landing, a loss on chip is told with the memory that was full") {
  // Headroom none: no landing. Two senders, and off-chip memory of 10 Gbps: on-chip memory of 133 056 + 4158 + 3072 B
  // holds 7230 B but for what is prefetched, one frame and no second.
  TwoHostsBench bench;
  bench.defaults.headroom.mode = NoHeadroom{};
  bench.defaults.headroom.loss_allowed = true;
  bench.defaults.buffer.deep = deep_of_100g();
  bench.defaults.buffer.deep->bandwidth = 10_Gbps;
  bench.defaults.buffer.deep->threshold = 0_B;
  bench.defaults.buffer.size = 140'286_B;
  bench.build();
  bench.scenario.jobs.clear();
  bench.flow("h1", "h2", 2 * 4096_B);
  const RunResults results = bench.run();
  CHECK_FALSE(results.sound);
  // Two frames of 4158 B come 334.24 ns apart; the first is written after 3326.4 ns. 8316 - 7230 = 1086 B too many.
  // After the time-out both are sent again, and the first, a duplicate, is acknowledged: the third attempt is one
  // frame.
  REQUIRE_FALSE(results.why_not.empty());
  CHECK(results.why_not.front() ==
        "lossless drop at s1 port h1 priority 3: first at 1.66848 us, 2 frames in all; on-chip memory 140 286 B was "
        "full, "
        "1 086 B missing: more arrives than is written off chip");
}
