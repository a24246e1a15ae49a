// A switch with off-chip memory: when a frame goes there, is written, comes back and is sent, at exact instants.
#include <doctest/doctest.h>

#include <vector>

#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// 100G: 80 ps per byte. A SEND packet of payload 1000 is a frame of 1062 B and 1082 B on the wire.
constexpr Bytes frame{1062};
constexpr Duration packet{1082 * 80};
constexpr Duration pfc_time{84 * 80};
/// Off-chip memory of 200G: 40 ps per byte, 42.48 ns each way; of 100G: 84.96 ns.
constexpr Duration at_200g{1062 * 40};
constexpr Duration at_100g{1062 * 80};

/// a sends to z through `s`.
struct DeepSwitch : FabricBench {
  explicit DeepSwitch(const DeepConfig& deep) {
    scenario.frame.mtu = 1000_B;
    defaults.buffer.reserved = 0_B;
    defaults.buffer.xon_offset = 2 * frame;
    defaults.buffer.deep = deep;
  }
  void build() {
    add_switch("s");
    for (const char* name : {"a", "z"}) {
      host(name);
      link(name, "s");
    }
  }
  /// When the frames of the switch for z start.
  std::vector<Time> starts() {
    Timeline timeline{scenario.topology};
    results = run(timeline);
    CHECK(results.sound);
    return timeline.times({FactKind::frame_started, "s", "z"});
  }
  RunResults results;
};

DeepConfig deep(Rate bandwidth, Bytes threshold) {
  DeepConfig config;
  config.size = 64_MiB;
  config.bandwidth = bandwidth;
  config.threshold = threshold;
  return config;
}

std::vector<Time> every(Duration step, Time from, int count) {
  std::vector<Time> times;
  for (int k = 0; k < count; ++k) times.push_back(from + k * step);
  return times;
}

}  // namespace

TEST_CASE("with a threshold of 0 every frame is written and read before it is sent") {
  // Both take 84.96 ns, less than the 86.56 ns until the next frame comes: all frames are delayed alike. The write
  // starts when the frame has left the pipeline.
  DeepSwitch bench{deep(200_Gbps, 0_B)};
  bench.defaults.latency = 500_ns;
  bench.build();
  bench.flow("a", "z", 10'000_B);
  CHECK(bench.starts() == every(packet, Time{0} + packet + 1_us + 500_ns + 2 * at_200g, 10));
  const SwitchRow& row = bench.results.switches.at(0);
  // So does the acknowledge.
  CHECK(row.off_chip_written_bytes == 10 * frame.count() + 66);
  CHECK(row.off_chip_read_bytes == 10 * frame.count() + 66);
  CHECK(row.off_chip_bandwidth_gbps == doctest::Approx(200));
  CHECK(*row.off_chip_busy_share * static_cast<double>(bench.results.simulated_ps) ==
        doctest::Approx(2.0 * 40 * (10 * 1062 + 66)));
  CHECK(row.on_chip_full_ps == 0);
}

TEST_CASE("a short queue stays on chip, acknowledges too") {
  // The wire to z is as fast as the one from a: a queue of one frame.
  DeepSwitch bench{deep(200_Gbps, frame)};
  bench.build();
  bench.flow("a", "z", 10'000_B);
  CHECK(bench.starts() == every(packet, Time{0} + packet + 1_us, 10));
  CHECK(bench.results.switches.at(0).off_chip_written_bytes == 0);
  CHECK(bench.results.switches.at(0).on_chip_peak_bytes == frame.count());
  CHECK(bench.results.buffers.off_chip_peak_bytes == 0);
}

TEST_CASE("behind three frames on chip the others go off chip, and two at a time come back") {
  // The egress is held, so ten frames queue. 0 to 2 stay. 3 and 4 are written and read back at once, for there is room
  // for two; 5 to 9 stay off chip. On chip are at most 3 + 2 and the one that has just come.
  DeepSwitch bench{deep(200_Gbps, 3 * frame)};
  bench.build();
  bench.flow("a", "z", 10'000_B);
  const Time release = Time{0} + 20_us;
  bench.hold("s", "z", Time{0}, release);
  // Frame 3 leaves 3 packets after the release and makes room for 5, which is back 42.48 ns later: in time, as all are.
  CHECK(bench.starts() == every(packet, release, 10));
  const SwitchRow& row = bench.results.switches.at(0);
  CHECK(row.on_chip_peak_bytes == 6 * frame.count());
  CHECK(row.off_chip_peak_bytes == 5 * frame.count());
  CHECK(row.off_chip_written_bytes == 7 * frame.count());
  CHECK(row.off_chip_read_bytes == 7 * frame.count());
  CHECK(row.buffer_peak_bytes == 10 * frame.count());
  CHECK(queue_of(bench.results, "s", "z", 3)->off_chip_peak_bytes == 5 * frame.count());
  CHECK(bench.results.buffers.off_chip_peak_bytes == 5 * frame.count());
}

TEST_CASE("a frame for a queue that is off chip goes there, however short the queue has become") {
  // As above, with two frames more that come when only frame 9 is left, just back: they are written and read, too.
  DeepSwitch bench{deep(200_Gbps, 3 * frame)};
  bench.build();
  bench.flow("a", "z", 10'000_B);
  // Frame 9 starts at 20 us + 9 packets; the two arrive a packet before that and after.
  bench.flow("a", "z", 2000_B).start = Time{0} + 20_us + 7 * packet - 1_us;
  bench.hold("s", "z", Time{0}, Time{0} + 20_us);
  std::vector<Time> expected = every(packet, Time{0} + 20_us, 10);
  // The first comes with 8 packets, is back within a packet and leaves with 10. The second comes with 9, is back after
  // 84.96 ns and leaves with 11.
  expected.push_back(Time{0} + 20_us + 10 * packet);
  expected.push_back(Time{0} + 20_us + 11 * packet);
  CHECK(bench.starts() == expected);
  CHECK(bench.results.switches.at(0).off_chip_written_bytes == 9 * frame.count());
}

TEST_CASE("where the bandwidth is short, a frame leaves for every write and read") {
  // 2 x 84.96 ns for each frame, though one comes every 86.56 ns.
  DeepSwitch bench{deep(100_Gbps, 0_B)};
  bench.build();
  bench.flow("a", "z", 60'000_B);
  CHECK(bench.starts() == every(2 * at_100g, Time{0} + packet + 1_us + 2 * at_100g, 60));
}

TEST_CASE("when on-chip memory is full its senders pause until it has drained") {
  DeepSwitch bench{deep(100_Gbps, 0_B)};
  // 16 queues prefetch two frames each. Landing: budget H = 25 000 + 1082 + 84 + 2 x 1062 = 28 290 B per port, which
  // two ports bring in 2263.2 ns while 14 145 B are written: 56 580 - 14 145 + (2 + 5) x 1062 = 49 869 B.
  bench.defaults.buffer.size = 16 * 2 * frame + 49'869_B + 10 * frame;
  bench.build();
  bench.flow("a", "z", 60'000_B);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  // Frame k comes at t + k x 86.56 ns, t = packet + 1 us; write j ends at t + 84.96 + j x 169.92 ns. With frame 20, at
  // 1731.2 ns, 10 are written (the last at 1614.24) and 11 are on chip, one above the ten frames that may be.
  const Time xoff = Time{0} + 21 * packet + 1_us;
  CHECK(timeline.times({FactKind::xoff, "s", "a"}) == std::vector{xoff});
  // a has started frames at 0, 1, … packets until 3824.48 ns: 45. They are on chip but for those written; 8 are left,
  // which is xon_offset below, when write 36 ends.
  CHECK(timeline.first({FactKind::paused, "a", "s"}) == xoff + pfc_time + 1_us);
  const Time xon = Time{0} + packet + 1_us + at_100g + 36 * (2 * at_100g);
  CHECK(timeline.times({FactKind::xon, "s", "a"}) == std::vector{xon});
  CHECK(results.switches.at(0).on_chip_full_ps == (xon - xoff).picoseconds());
  // The last of the 45 comes at t + 3808.64 ns, with 22 written and none that is being read.
  CHECK(results.switches.at(0).on_chip_peak_bytes == 23 * frame.count());
}

TEST_CASE("with ample bandwidth off-chip memory pauses as on-chip memory of its size does") {
  std::vector<Time> xoffs;
  std::vector<Time> xons;
  std::vector<std::int64_t> peaks;
  for (const bool off_chip : {false, true}) {
    DeepConfig config = deep(100'000_Gbps, 0_B);
    config.size = 1_MiB;
    DeepSwitch bench{config};
    bench.defaults.buffer.threshold = StaticThreshold{10 * frame};
    if (!off_chip) {
      bench.defaults.buffer.deep.reset();
      bench.defaults.buffer.size = 1_MiB;
    }
    bench.build();
    bench.flow("a", "z", 50'000_B);
    bench.hold("s", "z", Time{0}, Time{0} + 20_us);
    Timeline timeline{bench.scenario.topology};
    const RunResults results = bench.run(timeline);
    xoffs.push_back(timeline.first({FactKind::xoff, "s", "a"}));
    xons.push_back(timeline.first({FactKind::xon, "s", "a"}));
    const QueueRow* group = queue_of(results, "s", "a", 3);
    peaks.insert(peaks.end(),
                 {group->shared_peak_bytes, group->headroom_peak_bytes, results.switches[0].buffer_peak_bytes});
    CHECK(results.switches[0].buffer_size_bytes == Bytes{1_MiB}.count());
  }
  // 10 frames in shared, 24 in headroom: switch_test.cpp derives them.
  CHECK(peaks == std::vector<std::int64_t>{10 * 1062, 24 * 1062, 34 * 1062, 10 * 1062, 24 * 1062, 34 * 1062});
  CHECK(xoffs[0] == Time{0} + 10 * packet + 1_us);
  CHECK(xoffs[1] == xoffs[0]);
  CHECK(xons[1] == xons[0]);
}
