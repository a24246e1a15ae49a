#include "engine/stall_time.hpp"

#include <doctest/doctest.h>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Two hosts on one link of 1 Mbps and 1 us. A SEND packet of 4096 B is 4158 + 20 B on the wire: 33.424 ms.
struct SlowLink : FabricBench {
  SlowLink() {
    nic.timeout = 10_ms;
    hosts("h", 2);
    rate = Rate{1'000'000};
    link("h1", "h2");
    flow("h1", "h2", 4096_B);
  }
};

}  // namespace

TEST_CASE("a fabric may stand for twice the longest time-out") {
  FabricBench bench;
  bench.hosts("h", 2);
  bench.scenario.nics[1].timeout = 100_ms;
  bench.link("h1", "h2");
  CHECK(automatic_stall_time(bench.scenario) == 200_ms);  // h1 has 67.1 ms
}

TEST_CASE("a fabric may stand for twice the round trip of its slowest link with a full frame each way") {
  SlowLink bench;
  CHECK(automatic_stall_time(bench.scenario) == 2 * (2 * 33'424_us + 2 * 1_us));
  bench.scenario.topology.links[0].reverse_rate = Rate{2'000'000};
  CHECK(automatic_stall_time(bench.scenario) == 2 * (33'424_us + 16'712_us + 2 * 1_us));
  bench.scenario.topology.links[0].delay = 1_s;
  CHECK(automatic_stall_time(bench.scenario) == 2 * (33'424_us + 16'712_us + 2 * 1_s));
}

TEST_CASE("frames that rest in a slow switch are no standstill, nor pauses that wait for them") {
  FabricBench bench;
  bench.hosts("h", 2);
  bench.add_switch("s");
  bench.link("h1", "s");
  bench.link("h2", "s");
  bench.flow("h1", "h2", 1000_B);
  const Duration before = automatic_stall_time(bench.scenario);
  bench.scenario.switches[0].latency = 3_s;
  // Twice: there and back 2 x 3 s, and less than a millisecond of links and frames.
  CHECK(automatic_stall_time(bench.scenario) >= 12_s);
  CHECK(automatic_stall_time(bench.scenario) < 12_s + 1_ms);
  CHECK(circular_stall_time(bench.scenario) == automatic_stall_time(bench.scenario));
  CHECK(before < 1_s);
}

TEST_CASE("pauses may wait in a circle for as long as a fabric may stand, at most a second or two round trips") {
  SlowLink bench;
  CHECK(circular_stall_time(bench.scenario) == automatic_stall_time(bench.scenario));  // 133.7 ms
  for (NicConfig& nic : bench.scenario.nics) nic.timeout = 20_s;
  CHECK(automatic_stall_time(bench.scenario) == 40_s);
  CHECK(circular_stall_time(bench.scenario) == 1_s);
  bench.scenario.topology.links[0].delay = 1_s;
  CHECK(circular_stall_time(bench.scenario) == 2 * (2 * 33'424_us + 2 * 1_s));
  bench.scenario.stop.stalled_after = 30_s;
  CHECK(circular_stall_time(bench.scenario) == 30_s);
}

TEST_CASE("without a circle a fabric stands for the whole of twice a long time-out") {
  // The link is down until 3 s: the packets of 0 s and 2 s are lost, that of 4 s arrives. No start for 2 s, twice.
  FabricBench bench;
  bench.nic.timeout = 2_s;
  bench.hosts("h", 2);
  const LinkId link = bench.link("h1", "h2");
  bench.flow("h1", "h2", 4096_B);
  bench.scenario.faults.emplace_back(LinkDownFault{link, Time{0}, Time{0} + 3_s, {}});
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(finish_of(results, "h1") > Time{0} + 4_s);
  CHECK(finish_of(results, "h1") < Time{0} + 4_s + 1_ms);
}

TEST_CASE("a frame that takes longer than twice the time-out is no stall") {
  // The frame leaves at 33.424 ms, its acknowledge, 86 B or 0.688 ms, comes 1 us + 0.688 ms + 1 us after its end.
  // Time-outs at 10, 20 and 30 ms queue the packet again, which the acknowledge finds waiting or on the wire.
  const RunResults results = SlowLink{}.run();
  CHECK(results.sound);
  REQUIRE(results.transfers.finished == 1);
  CHECK(finish_of(results, "h1") == Time{0} + 33'424_us + 1_us + 688_us + 1_us);
  // With a limit of its own the same run has stalled in the middle of the frame.
  SlowLink impatient;
  impatient.scenario.stop.stalled_after = 20_ms;
  const RunResults stalled = impatient.run();
  REQUIRE_FALSE(stalled.sound);
  CHECK(stalled.why_not[0] == "stalled: at 20 ms no data frame had started for 20 ms");
}
