// NICs and PFC: a slow receiver that pauses its switch or sender, and senders that obey priority by priority.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "planning/headroom_budget.hpp"
#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Bytes frame{1062};
constexpr Duration packet{1082 * 80};
constexpr Duration acknowledge{86 * 80};
constexpr Duration pfc_time{84 * 80};

/// What may arrive behind the frame that reaches xoff on a 100G link of 1 us without response time.
Bytes budget() {
  HeadroomQuery query;
  query.rate = 100_Gbps;
  query.one_way = 1_us;
  query.largest_frame = frame;
  return headroom_budget(query).automatic;
}

/// h1 sends to h2, which takes frames at 40G and has room for `behind` bytes behind its xoff of 64 KiB.
struct SlowReceiverBench : FabricBench {
  explicit SlowReceiverBench(Bytes behind) {
    scenario.frame.mtu = 1000_B;
    host("h1");
    nic.receive = SlowReceiver{40_Gbps, 64_KiB + behind, 64_KiB, 32_KiB};
    host("h2");
    link("h1", "h2");
  }
};

}  // namespace

TEST_CASE("a slow receiver pauses its sender and loses nothing when its buffer is sized") {
  SlowReceiverBench bench{budget()};
  bench.flow("h1", "h2", 1_MB);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  CHECK(results.drops.lossless == 0);
  CHECK(results.pfc.pause_frames > 1);
  CHECK(host_of(results, "h2")->pause_frames_sent == results.pfc.pause_frames);  // resumes are not counted
  CHECK(results.pfc.resume_frames == results.pfc.pause_frames);  // none lasts long enough for a refresh
  // It is never idle: XON comes at 32 KiB, 6.6 us of work at 40G, and the next frame 2 us later. So a thousand frames
  // of 1062 B take 1000 x 212.4 ns from the first arrival on, and the acknowledge of the last goes back.
  const Duration work = Duration{1062 * 200};
  CHECK(finish_of(results, "h1") == Time{0} + packet + 1_us + 1000 * work + acknowledge + 1_us);
  CHECK(host_of(results, "h2")->received_payload_bytes == 1'000'000);
  CHECK(results.transfers.retransmitted_packets == 0);
}

TEST_CASE("a slow receiver pauses at the instant its buffer reaches xoff") {
  SlowReceiverBench bench{budget()};
  bench.flow("h1", "h2", 200'000_B);
  Timeline timeline{bench.scenario.topology};
  CHECK(bench.run(timeline).sound);
  // Frame k (from 1) arrives at k packets + 1 us, and frame 1 is taken off after 212.4 ns, the next every 212.4 ns.
  // Occupancy after arrival k is k frames less those taken.
  std::int64_t k = 0;
  Duration since_first{0};
  for (std::int64_t held = 0; held * frame.count() < 64 * 1024;) {
    since_first = k++ * packet;
    held = k - since_first.picoseconds() / (1062 * 200);
  }
  const Time xoff = Time{0} + packet + 1_us + since_first;
  CHECK(timeline.first({FactKind::control_started, "h2", "h1"}) == xoff);
  CHECK(timeline.first({FactKind::paused, "h1", "h2"}) == xoff + pfc_time + 1_us);
}

TEST_CASE("a slow receiver with too small a buffer drops, and the run says so") {
  SlowReceiverBench bench{frame};
  bench.flow("h1", "h2", 1_MB);
  const RunResults results = bench.run();
  CHECK_FALSE(results.sound);
  CHECK(results.drops.lossless > 0);
  REQUIRE_FALSE(results.why_not.empty());
  CHECK(results.why_not.front().find("lossless drop at host h2") == 0);
  CHECK(host_of(results, "h2")->received_payload_bytes == 1'000'000);  // go-back-N makes it good
}

TEST_CASE("an overrun of a lossy priority leaves the run sound") {
  SlowReceiverBench bench{frame};
  bench.flow("h1", "h2", 1_MB).priority = Priority{0};
  const RunResults results = bench.run();
  CHECK(results.drops.lossy > 0);
  CHECK(results.drops.lossless == 0);
  CHECK(results.sound);
  CHECK(results.why_not.empty());
}

TEST_CASE("a slow receiver behind a switch pauses the switch, and the switch its sender") {
  FabricBench bench;
  bench.scenario.frame.mtu = 1000_B;
  bench.defaults.buffer.threshold = StaticThreshold{32_KiB};
  bench.add_switch("s");
  bench.host("a");
  bench.nic.receive = SlowReceiver{40_Gbps, 64_KiB + budget(), 64_KiB, 32_KiB};
  bench.host("z");
  bench.link("a", "s");
  bench.link("s", "z");
  bench.flow("a", "z", 1_MB);
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(link_of(results, "s", "z")->pause_frames[3] > 0);
  CHECK(link_of(results, "a", "s")->pause_frames[3] > 0);
  CHECK(results.drops.lossless == 0);
}

TEST_CASE("a NIC with two queue pairs obeys a pause of priorities 3 to 7") {
  for (const int low : {3, 5}) {
    for (const int high : {6, 7}) {
      CAPTURE(low);
      CAPTURE(high);
      SlowReceiverBench bench{budget()};
      bench.scenario.pfc.priorities = PrioritySet{0b1111'1000};
      bench.flow("h1", "h2", 300'000_B).priority = Priority{static_cast<std::uint8_t>(low)};
      bench.flow("h1", "h2", 300'000_B).priority = Priority{static_cast<std::uint8_t>(high)};
      Timeline timeline{bench.scenario.topology};
      const RunResults results = bench.run(timeline);
      CHECK(results.sound);
      const std::vector<Fact> sent = timeline.select({FactKind::control_started, "h2", "h1"});
      REQUIRE_FALSE(sent.empty());
      CHECK(sent.front().value == 0b1111'1000 * 256 + 0b1111'1000);
      for (int p = 0; p < Priority::count; ++p) {
        CHECK((link_of(results, "h1", "h2")->pause_frames[p] > 0) == (p >= 3));
      }
      // While it is paused nothing starts, in whichever priority.
      const Time paused = timeline.first({FactKind::paused, "h1", "h2"});
      const Time resumed = timeline.first({FactKind::resumed, "h1", "h2"});
      REQUIRE(resumed != Time::never());
      CHECK(timeline.first({FactKind::frame_started, "h1", "h2"}, paused + 1_ps) == resumed);
    }
  }
}

TEST_CASE("a pause of one priority leaves the other the whole port") {
  // a sends 40 packets each in priorities 3 and 4 to z3 and z4. The egress to z3 is held, and the switch pauses 3 when
  // ten frames are there: frames of the two take turns, so at the 19th or 20th arrival.
  FabricBench bench;
  bench.scenario.frame.mtu = 1000_B;
  bench.scenario.pfc.priorities = PrioritySet{0b0001'1000};
  bench.defaults.buffer.reserved = 0_B;
  bench.defaults.buffer.threshold = StaticThreshold{10 * frame};
  bench.defaults.buffer.xon_offset = 2 * frame;
  bench.add_switch("s");
  for (const char* name : {"a", "z3", "z4"}) {
    bench.host(name);
    bench.link(name, "s");
  }
  bench.flow("a", "z3", 40'000_B);
  bench.flow("a", "z4", 40'000_B).priority = Priority{4};
  const Time release = Time{0} + 50_us;
  bench.hold("s", "z3", Time{0}, release);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  CHECK(link_of(results, "a", "s")->pause_frames[3] == 1);
  CHECK(link_of(results, "a", "s")->pause_frames[4] == 0);
  const std::vector<Time> three = timeline.times({FactKind::frame_started, "a", "s", 3});
  const std::vector<Time> four = timeline.times({FactKind::frame_started, "a", "s", 4});
  REQUIRE(three.size() == 40);
  REQUIRE(four.size() == 40);
  const Time paused = timeline.first({FactKind::paused, "a", "s"});
  const auto before = std::count_if(three.begin(), three.end(), [&](Time t) { return t < paused; });
  // All of 4 is sent in the wire time of what was sent of 3 before the pause and its own 40 packets.
  CHECK(four.back() == Time{0} + (40 + before - 1) * packet);
  CHECK(three[static_cast<std::size_t>(before)] > release);
}

TEST_CASE("acknowledges in a priority of their own are not held by a pause of the data") {
  // z's data to b is paused; a's data to z is acknowledged in priority 6 all the same.
  for (const bool own_priority : {true, false}) {
    FabricBench bench;
    bench.scenario.frame.mtu = 1000_B;
    bench.defaults.buffer.reserved = 0_B;
    bench.defaults.buffer.threshold = StaticThreshold{10 * frame};
    if (own_priority) bench.nic.ack_priority = Priority{6};
    bench.add_switch("s");
    for (const char* name : {"a", "b", "z"}) {
      bench.host(name);
      bench.link(name, "s");
    }
    bench.flow("z", "b", 100'000_B);
    bench.flow("a", "z", 1000_B).start = Time{0} + 10_us;
    bench.hold("s", "b", Time{0}, Time{0} + 50_us);
    const RunResults results = bench.run();
    CHECK(results.sound);
    const Time without_pause = Time{0} + 10_us + 2 * (packet + 1_us) + 2 * (acknowledge + 1_us);
    CHECK((finish_of(results, "a") == without_pause) == own_priority);
    CHECK((finish_of(results, "a") > Time{0} + 50_us) == !own_priority);
  }
}
