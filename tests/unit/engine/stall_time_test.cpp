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
