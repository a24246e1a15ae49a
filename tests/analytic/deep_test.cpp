// Deep buffers: throughput that the bandwidth of off-chip memory bounds, and a lossless incast over 300 km at full rate
// behind on-chip memory that does not even hold its headroom.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/diagnostic.hpp"
#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// 100G: 80 ps per byte. A WRITE of payload 4096: 4158 B in a buffer, 4178 B on the wire, the first of a message 16
/// more.
constexpr std::int64_t data_wire = 4178;

struct Incast : FabricBench {
  Incast(int senders, Bytes size) {
    operation = Operation::write;
    add_switch("s");
    host("z");
    link("z", "s");
    hosts("a", senders);
    for (int i = 1; i <= senders; ++i) {
      const std::string name = "a" + std::to_string(i);
      link(name, "s");
      flow(name, "z", size);
    }
  }
};

Time last_finish(const RunResults& results) {
  Time last{0};
  for (const TransferRow& row : results.transfer_rows) last = std::max(last, Time{row.finish_ps.value()});
  return last;
}

}  // namespace

TEST_CASE("what goes off chip moves at half of its bandwidth, whoever sends it") {
  for (const int senders : {1, 2, 4}) {
    CAPTURE(senders);
    // 130 Gbps: 65 Gbps each way, 4158 B every 511.75 ns, although the wire takes one every 334.24 ns.
    constexpr std::int64_t messages_of_one = 2000;
    Incast bench{senders, Bytes{messages_of_one * 4096}};
    DeepConfig deep;
    deep.size = 64_MiB;
    deep.bandwidth = 130_Gbps;
    deep.threshold = 0_B;
    bench.scenario.switches.at(0).buffer.deep = deep;
    Timeline timeline{bench.scenario.topology};
    const RunResults results = bench.run(timeline);
    CHECK(results.sound);
    const std::vector<Time> starts = timeline.times({FactKind::frame_started, "s", "z"});
    REQUIRE(starts.size() == static_cast<std::size_t>(senders * messages_of_one));
    // From the 101st frame to the last of the 100 before the end; acknowledges take 2 x 66 B for every 64 frames.
    const std::size_t count = starts.size() - 200;
    const double per_frame = (starts[count + 100] - starts[100]).seconds() / static_cast<double>(count);
    const double expected = (2.0 * (4158 + 66.0 / 64)) * 8 / 130e9;
    CHECK(per_frame == doctest::Approx(expected).epsilon(0.001));
    CHECK(results.drops.lossless == 0);
  }
}

TEST_CASE("a lossless incast over 300 km keeps the receiver busy, with headroom that on-chip memory cannot hold") {
  // Two senders 1.5 ms away. Headroom 2 x 1.5 ms x 12.5 B/ns = 37.5 MB each, and as much must be buffered at XON: 40 MB
  // of each group are, by its static threshold. Of 240 MB each, more than XOFF takes is still to come when it is sent.
  constexpr std::int64_t packets = 60'000;
  Incast bench{2, Bytes{packets * 4096}};
  for (LinkConfig& link : bench.scenario.topology.links) {
    if (link.a != bench.node("z")) link.delay = Duration{1'500'000'000};
  }
  SwitchConfig& config = bench.scenario.switches.at(0);
  config.buffer.threshold = StaticThreshold{Bytes{40'000'000}};
  CHECK_THROWS_AS(bench.run(), ScenarioError);  // 75 MB and more into 32 MiB

  config.buffer.deep = DeepConfig{};
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.drops.lossless == 0);
  CHECK(results.pfc.pause_frames > 0);
  const SwitchRow& row = results.switches.at(0);
  CHECK(row.on_chip_peak_bytes.value_or(0) < Bytes{32_MiB}.count());
  CHECK(row.off_chip_peak_bytes.value_or(0) > 2 * 40'000'000);
  // After XOFF both bring 37.5 MB of wire, while half of that leaves: 4158 of each 4178 B stay.
  CHECK(static_cast<double>(row.headroom_peak_bytes) == doctest::Approx(37.5e6 * 4158 / 4178).epsilon(0.01));
  CHECK(row.on_chip_full_ps == 0);  // 900 Gbps are more than twice what comes and goes
  // First packet in, all frames back to back, the last acknowledge home.
  const Duration wire{(2 * packets * data_wire + 2 * 16) * 80};
  const Duration path =
      Duration{(data_wire + 16) * 80} + 2 * Duration{1'500'000'000} + 2 * 1_us + 2 * Duration{86 * 80};
  CHECK((last_finish(results) - Time{0} - path).seconds() == doctest::Approx(wire.seconds()).epsilon(1e-6));
}
