// A switch with its links: the pipeline, and PFC from the threshold to the last resume, at exact instants.
#include <doctest/doctest.h>

#include <vector>

#include "support/fabric_bench.hpp"
#include "support/snapshot.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// 100G: 80 ps per byte. A full SEND packet of payload 1000 is a frame of 1062 B and 1082 B on the wire.
constexpr Bytes frame{1062};
constexpr Duration packet{1082 * 80};
constexpr Duration acknowledge{86 * 80};
constexpr Duration pfc_time{84 * 80};

/// Senders and receivers on one switch `s`; static threshold of ten frames, nothing reserved.
struct OneSwitch : FabricBench {
  OneSwitch() {
    scenario.frame.mtu = 1000_B;
    defaults.buffer.reserved = 0_B;
    defaults.buffer.threshold = StaticThreshold{10 * frame};
    defaults.buffer.xon_offset = 2 * frame;
  }
  void build(const std::vector<std::string>& names) {
    add_switch("s");
    for (const std::string& name : names) {
      host(name);
      link(name, "s");
    }
  }
};

}  // namespace

TEST_CASE("a packet leaves a switch one pipeline latency after its last byte has come") {
  OneSwitch bench;
  bench.defaults.latency = 500_ns;
  bench.build({"a", "z"});
  bench.flow("a", "z", 3000_B);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  // Each of the three is delayed alike, so the switch sends them back to back as they came.
  const Time out = Time{0} + packet + 1_us + 500_ns;
  CHECK(timeline.times({FactKind::frame_started, "s", "z"}) == std::vector{out, out + packet, out + 2 * packet});
  CHECK(finish_of(results, "a") == out + 3 * packet + 1_us + 2 * acknowledge + 500_ns + 2_us);
  CHECK(results.transfer_rows.at(0).ideal_ps == results.transfer_rows.at(0).finish_ps);
}

TEST_CASE("XOFF at the threshold, headroom behind it, XON when the group may resume") {
  // The egress to z is held until 20 us, so a's frames pile up. Frame k (from 0) arrives at (k + 1) packets + 1 us.
  OneSwitch bench;
  bench.build({"a", "z"});
  bench.flow("a", "z", 50'000_B);
  const Time release = Time{0} + 20_us;
  bench.hold("s", "z", Time{0}, release);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);

  // The tenth frame reaches the threshold; nothing is on the reverse wire, so the PAUSE starts at once.
  const Time xoff = Time{0} + 10 * packet + 1_us;
  CHECK(timeline.times({FactKind::xoff, "s", "a"}) == std::vector{xoff});
  CHECK(timeline.first({FactKind::control_started, "s", "a"}) == xoff);
  const Time paused = xoff + pfc_time + 1_us;
  CHECK(timeline.times({FactKind::paused, "a", "s"}) == std::vector{paused});
  // a has started frames at 0, 1, … packets and has none left unsent at `paused`: ceil(2 us + 6.72 ns over 86.56 ns)
  // = 24 frames after the tenth's arrival minus its flight; 34 in all, of which 24 land in headroom.
  const std::int64_t sent = ((paused - Time{0}).picoseconds() + packet.picoseconds() - 1) / packet.picoseconds();
  CHECK(sent == 34);
  CHECK(queue_of(results, "s", "a", 3)->headroom_peak_bytes == 24 * frame.count());
  CHECK(queue_of(results, "s", "a", 3)->shared_peak_bytes == 10 * frame.count());

  // From the release on a frame leaves per packet time. 24 empty the headroom, two more bring shared from 10 frames
  // down to the 8 of threshold - xon_offset; the 26th starts 25 packets after the release.
  const Time xon = release + 25 * packet;
  CHECK(timeline.times({FactKind::xon, "s", "a"}) == std::vector{xon});
  const Time resumed = xon + pfc_time + 1_us;
  CHECK(timeline.times({FactKind::resumed, "a", "s"}) == std::vector{resumed});
  CHECK(timeline.first({FactKind::frame_started, "a", "s"}, paused) == resumed);
  // 16 frames are left. The eight frames behind the 26th keep the switch busy for 0.69 us only, the first new frame
  // comes 2 us after XON: from then on everything moves at line rate.
  CHECK(finish_of(results, "a") == resumed + 16 * packet + 1_us + packet + 1_us + 2 * (acknowledge + 1_us));
  CHECK(results.pfc.pause_frames == 1);
  CHECK(results.pfc.resume_frames == 1);
  CHECK(results.sound);
  CHECK(link_of(results, "a", "s")->paused_ps == (resumed - paused).picoseconds());
  CHECK(link_of(results, "a", "s")->pause_frames[3] == 1);
  check_snapshot("bench_top/snapshots/xoff_to_xon.txt", timeline.text());
}

TEST_CASE("a PAUSE waits for the frame on the reverse wire and goes before those that wait") {
  // z sends to a in priority 0 from 0 on, so the wire from s to a carries a frame from 1 us + packet on, back to back.
  // The egress to z is held, and the tenth frame of a arrives at 10 packets + 1 us + 20 ns.
  OneSwitch bench;
  bench.build({"a", "z"});
  bench.flow("a", "z", 50'000_B).start = Time{0} + 20_ns;
  FlowConfig& reverse = bench.flow("z", "a", 50'000_B);
  reverse.priority = Priority{0};
  bench.hold("s", "z", Time{0}, Time{0} + 20_us);
  Timeline timeline{bench.scenario.topology};
  CHECK(bench.run(timeline).sound);
  const Time xoff = Time{0} + 20_ns + 10 * packet + 1_us;
  CHECK(timeline.first({FactKind::xoff, "s", "a"}) == xoff);
  // Reverse frames start at 1 us + k packets: the one that started 20 ns ago ends 20 ns short of a packet from now.
  const Time free = Time{0} + 11 * packet + 1_us;
  CHECK(timeline.first({FactKind::control_started, "s", "a"}) == free);
  CHECK(timeline.first({FactKind::frame_started, "s", "a"}, xoff) == free + pfc_time);
  CHECK(timeline.first({FactKind::paused, "a", "s"}) == free + pfc_time + 1_us);
}

TEST_CASE("PFC frames bypass the pipeline") {
  // With a pipeline of 10 us the first data frame leaves the switch long after the threshold is reached.
  OneSwitch bench;
  bench.defaults.latency = 10_us;
  bench.build({"a", "z"});
  bench.flow("a", "z", 50'000_B);
  Timeline timeline{bench.scenario.topology};
  CHECK(bench.run(timeline).sound);
  const Time xoff = Time{0} + 10 * packet + 1_us;
  CHECK(timeline.first({FactKind::control_started, "s", "a"}) == xoff);
  CHECK(timeline.first({FactKind::frame_started, "s", "z"}) == Time{0} + packet + 1_us + 10_us);
}

TEST_CASE("PFC frames leave a port that is paused or held") {
  // s1 and s2 send to each other through one link while the egress to each receiver is held: both ends pause the link.
  OneSwitch bench;
  bench.add_switch("s1");
  bench.add_switch("s2");
  bench.link("s1", "s2");
  for (const char* name : {"a", "x"}) {
    bench.host(name);
    bench.link(name, "s1");
  }
  for (const char* name : {"b", "y"}) {
    bench.host(name);
    bench.link(name, "s2");
  }
  bench.flow("a", "y", 100'000_B);
  bench.flow("b", "x", 100'000_B).start = Time{0} + 4_us;
  const Time release = Time{0} + 40_us;
  bench.hold("s2", "y", Time{0}, release);
  bench.hold("s1", "x", Time{0}, release);
  bench.hold("s1", "s2", Time{0} + 5_us, release);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  // s2 has paused s1's egress by 5 us …
  const Time paused = timeline.first({FactKind::paused, "s1", "s2"});
  CHECK(paused < Time{0} + 5_us);
  // … and b's tenth frame reaches s1's threshold after that: three hops would be later, two are 2 us and a packet.
  const Time xoff = timeline.first({FactKind::xoff, "s1", "s2"});
  CHECK(xoff == Time{0} + 4_us + 10 * packet + 1_us + packet + 1_us);
  CHECK(xoff < timeline.first({FactKind::resumed, "s1", "s2"}));
  CHECK(timeline.first({FactKind::control_started, "s1", "s2"}) == xoff);
  // While both were paused no data frame crossed.
  CHECK(timeline.first({FactKind::frame_started, "s1", "s2"}, paused) >= release);
}

TEST_CASE("a queue that is resumed does not wait for a frame in the pipeline") {
  // Two flows of a in priorities 3 and 4 go through s1 to z and y behind s2. The egress to z is held, so s2 pauses
  // priority 3 on the wire from s1 to s2. When it resumes, a frame of priority 4 has just entered s1's pipeline of
  // 5 us; the frames of priority 3 that wait leave back to back all the same.
  OneSwitch bench;
  bench.scenario.pfc.priorities = PrioritySet{0b0001'1000};
  bench.defaults.latency = 5_us;
  bench.add_switch("s1");
  bench.defaults.latency = 0_ps;
  bench.add_switch("s2");
  bench.link("s1", "s2");
  bench.host("a");
  bench.link("a", "s1");
  for (const char* name : {"y", "z"}) {
    bench.host(name);
    bench.link(name, "s2");
  }
  bench.flow("a", "z", 40'000_B);
  const Time release = Time{0} + 30_us;
  bench.hold("s2", "z", Time{0}, release);
  Timeline first{bench.scenario.topology};
  CHECK(bench.run(first).sound);
  const Time resumed = first.first({FactKind::resumed, "s1", "s2"});
  REQUIRE(resumed != Time::never());

  FlowConfig& other = bench.flow("a", "y", 1000_B);
  other.priority = Priority{4};
  other.start = resumed - 1_us - packet - 1_us;  // arrives at s1 1 us before the resume
  Timeline second{bench.scenario.topology};
  CHECK(bench.run(second).sound);
  CHECK(second.first({FactKind::resumed, "s1", "s2"}) == resumed);
  const std::vector<Time> starts = second.times({FactKind::frame_started, "s1", "s2", 3});
  const auto at = std::find(starts.begin(), starts.end(), resumed);
  REQUIRE(starts.end() - at >= 3);
  CHECK(at[1] == resumed + packet);
  CHECK(at[2] == resumed + 2 * packet);
}

TEST_CASE("a lost XON is made good by the expiry of the pause") {
  // Pauses of 10 000 quanta: 51.2 us at 100G, refreshed at 25.6 us. XON, the second PFC frame of s, is lost.
  OneSwitch bench;
  bench.scenario.pfc.quanta = 10'000;
  bench.build({"a", "z"});
  bench.flow("a", "z", 50'000_B);
  const Time release = Time{0} + 20_us;
  bench.hold("s", "z", Time{0}, release);
  const Time xon = release + 25 * packet;  // as derived above
  bench.scenario.faults.emplace_back(DropFault{LinkId{0U}, bench.node("s"), DropKind::pause, 2, {}});
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  const Time paused = Time{0} + 10 * packet + 1_us + pfc_time + 1_us;
  CHECK(timeline.first({FactKind::xon, "s", "a"}) == xon);
  CHECK(results.drops.link == 1);
  // No refresh was due before XON: 25.6 us after the first PAUSE started is later.
  CHECK(xon < paused + 24_us);
  CHECK(timeline.times({FactKind::resumed, "a", "s"}) == std::vector{paused + 51.2_us});
  CHECK(timeline.first({FactKind::frame_started, "a", "s"}, paused) == paused + 51.2_us);
  CHECK(results.sound);
}

TEST_CASE("a pause that outlasts half its time is refreshed and never runs out") {
  // 10 000 quanta are 51.2 us. The egress is held for 200 us: PAUSE starts at x, then every 25.6 us.
  OneSwitch bench;
  bench.scenario.pfc.quanta = 10'000;
  bench.build({"a", "z"});
  bench.flow("a", "z", 50'000_B);
  bench.hold("s", "z", Time{0}, Time{0} + 200_us);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  const Time xoff = Time{0} + 10 * packet + 1_us;
  const Time xon = Time{0} + 200_us + 25 * packet;
  std::vector<Time> expected;
  for (Time at = xoff; at < xon; at += 25.6_us) expected.push_back(at);
  CHECK(expected.size() == 8);
  expected.push_back(xon);
  CHECK(timeline.times({FactKind::control_started, "s", "a"}) == expected);
  CHECK(results.pfc.pause_frames == 8);
  CHECK(timeline.times({FactKind::resumed, "a", "s"}) == std::vector{xon + pfc_time + 1_us});
}
