// How the queues of a switch's port share the wire, and how PFC keeps to its priorities (one wire, several classes).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Bytes frame{1062};
constexpr Duration packet{1082 * 80};

/// Hosts on one switch; lossless classes pause at 256 KiB and resume with plenty left, so their queues never run dry.
struct Star : FabricBench {
  Star() {
    scenario.frame.mtu = 1000_B;
    scenario.pfc.priorities = PrioritySet{0b0001'1000};
    defaults.buffer.threshold = StaticThreshold{256_KiB};
  }
  void build(const std::vector<std::string>& names) {
    add_switch("s");
    for (const std::string& name : names) {
      host(name);
      link(name, "s");
    }
  }
  FlowConfig& flow_in(int priority, const std::string& from, Bytes size) {
    FlowConfig& made = flow(from, "z", size);
    made.priority = Priority{static_cast<std::uint8_t>(priority)};
    return made;
  }
};

/// Frame bytes that left the switch for z, by priority, among frames that started in [from, to).
std::array<std::int64_t, Priority::count> bytes_sent(const Timeline& timeline, Time from, Time to) {
  std::array<std::int64_t, Priority::count> bytes{};
  for (const Fact& fact : timeline.select({FactKind::frame_started, "s", "z"})) {
    if (fact.time >= from && fact.time < to) bytes[fact.priority.index()] += fact.value;
  }
  return bytes;
}

double share(std::int64_t part, std::int64_t of) {
  return static_cast<double>(part) / static_cast<double>(of);
}

}  // namespace

TEST_CASE("two queues of equal weight share a port byte by byte, whatever their frame sizes") {
  // a sends frames of 1062 B, b messages of 300 B: 362 B. Both offer 100G of wire. From 20 us both queues are full.
  Star bench;
  bench.build({"a", "b", "z"});
  bench.flow_in(3, "a", 2_MB);
  FlowConfig& small = bench.flow_in(4, "b", 300_B);
  small.messages = 7000;
  Timeline timeline{bench.scenario.topology};
  CHECK(bench.run(timeline).sound);
  const auto bytes = bytes_sent(timeline, Time{0} + 20_us, Time{0} + 220_us);
  // In every round each earns one quantum, the largest frame; the window holds more than a thousand rounds.
  CHECK(std::abs(bytes[3] - bytes[4]) <= 2 * frame.count());
  CHECK(bytes[3] > 1'100'000);
}

TEST_CASE("weights 3 and 1 give shares of 3 to 1") {
  Star bench;
  bench.defaults.scheduler.weights[3] = 3;
  bench.build({"a", "b", "z"});
  bench.flow_in(3, "a", 3_MB);
  bench.flow_in(4, "b", 3_MB);
  Timeline timeline{bench.scenario.topology};
  CHECK(bench.run(timeline).sound);
  const auto bytes = bytes_sent(timeline, Time{0} + 30_us, Time{0} + 230_us);
  CHECK(std::abs(bytes[3] - 3 * bytes[4]) <= 6 * frame.count());
}

TEST_CASE("a strict priority waits for no more than the frame on the wire") {
  // a and c fill the queue of priority 3 at s; one packet of b in priority 6 comes at 31 us and a packet time.
  Star bench;
  bench.build({"a", "b", "c", "z"});
  bench.flow_in(3, "a", 500'000_B);
  bench.flow_in(3, "c", 500'000_B);
  bench.flow_in(6, "b", 1000_B).start = Time{0} + 30_us;
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  const Time arrival = Time{0} + 30_us + packet + 1_us;
  const Time start = timeline.first({FactKind::frame_started, "s", "z", 6});
  CHECK(start >= arrival);
  CHECK(start < arrival + packet);
  // It takes the very next turn, though by then two have sent for 30 us and one was sent on: 340 frames wait.
  CHECK(queue_of(results, "s", "z", 3)->egress_peak_bytes > 300 * frame.count());
  const std::vector<Time> others = timeline.times({FactKind::frame_started, "s", "z", 3});
  CHECK(std::none_of(others.begin(), others.end(), [&](Time t) { return t > arrival && t < start; }));
}

TEST_CASE("a strict priority that fills the wire leaves nothing to the others") {
  Star bench;
  bench.scenario.pfc.priorities = PrioritySet{0b0100'1000};
  bench.build({"a", "b", "z"});
  bench.flow_in(3, "a", 500'000_B);
  bench.flow_in(6, "b", 500'000_B);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  // From b's first arrival on 500 packets of priority 6 go back to back, as they come.
  const std::vector<Time> six = timeline.times({FactKind::frame_started, "s", "z", 6});
  REQUIRE(six.size() == 500);
  CHECK(six.back() - six.front() <= 500 * packet);
  CHECK(bytes_sent(timeline, six.front() + packet, six.back())[3] == 0);
  CHECK(link_of(results, "a", "s")->pause_frames[3] > 0);
  CHECK(link_of(results, "b", "s")->pause_frames[6] == 0);
}

namespace {

/// Case: a sends in priorities 3 and 0, b in 4 and 1, 60G each, to one port of 100G.
struct FourClasses : Star {
  FourClasses() {
    defaults.buffer.size = 2_MiB;
    defaults.buffer.threshold = StaticThreshold{128_KiB};
    defaults.buffer.lossy_threshold = StaticThreshold{128_KiB};
    scenario.stop.after = 600_us;
    add_switch("s");
    for (const char* name : {"a", "b", "z"}) {
      host(name);
      rate = std::string(name) == "z" ? 100_Gbps : 60_Gbps;
      link(name, "s");
    }
    flow_in(3, "a", 10_MB);
    flow_in(0, "a", 10_MB);
    flow_in(4, "b", 10_MB);
    flow_in(1, "b", 10_MB);
  }
};

}  // namespace

TEST_CASE("two lossless classes with equal load are both paused alike, and loss is the lossy classes' alone") {
  // Every class is offered 30G or more and gets a quarter of 100G.
  FourClasses bench;
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  for (int p = 0; p < Priority::count; ++p) {
    CAPTURE(p);
    CHECK((link_of(results, "a", "s")->pause_frames[p] > 0) == (p == 3));
    CHECK((link_of(results, "b", "s")->pause_frames[p] > 0) == (p == 4));
  }
  const Time end{results.simulated_ps};
  const Duration three = timeline.paused_time("a", "s", 3, end);
  const Duration four = timeline.paused_time("b", "s", 4, end);
  CHECK(three > 50_us);
  CHECK(three.seconds() == doctest::Approx(four.seconds()).epsilon(0.05));

  CHECK(results.drops.lossless == 0);
  CHECK(results.drops.lossy > 0);
  for (const QueueRow& row : results.queues) {
    CAPTURE(row.port);
    CAPTURE(row.priority);
    const bool lossy_class = (row.port == "a" && row.priority == 0) || (row.port == "b" && row.priority == 1);
    CHECK((row.dropped_frames > 0) == lossy_class);
  }
  const auto bytes = bytes_sent(timeline, Time{0} + 100_us, Time{0} + 600_us);
  const std::int64_t total = bytes[0] + bytes[1] + bytes[3] + bytes[4];
  for (const int p : {3, 4})
    CHECK(share(bytes[static_cast<std::size_t>(p)], total) == doctest::Approx(0.25).epsilon(0.02));
}

TEST_CASE("without lossless classes there is no PFC frame at all") {
  FourClasses bench;
  bench.scenario.pfc.priorities = PrioritySet{};
  const RunResults results = bench.run();
  CHECK(results.pfc.pause_frames == 0);
  CHECK(results.pfc.resume_frames == 0);
  for (const LinkRow& row : results.links) CHECK(row.paused_ps == 0);
  CHECK(results.drops.lossy > 0);
  CHECK(results.drops.lossless == 0);
}

TEST_CASE("with every class lossless all four are paused and nothing is lost") {
  FourClasses bench;
  bench.scenario.pfc.priorities = PrioritySet{0xFF};
  const RunResults results = bench.run();
  for (const int p : {3, 0}) CHECK(link_of(results, "a", "s")->pause_frames[p] > 0);
  for (const int p : {4, 1}) CHECK(link_of(results, "b", "s")->pause_frames[p] > 0);
  CHECK(results.drops.lossless + results.drops.lossy == 0);
}
