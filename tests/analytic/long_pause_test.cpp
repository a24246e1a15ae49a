// PFC over 300 km at 100G: a sends to z by way of s, whose egress to z is held until all that a sends before it is
// paused is in. Derived here: when it pauses, how often the pause is repeated, what is on the way, what is lost with a
// third of the headroom, and how long the egress is dry after XON for what is stored then.
//
// Frames of 4158 B are 4178 B on the wire, W = 334.24 ns. No response time, no pipeline, one acknowledge at the end:
// the reverse wire is free for PFC frames of 6.72 ns. Frame k of a (from 0) starts at k W and is in at (k + 1) W + 1500
// us.
#include <doctest/doctest.h>

#include <string>

#include "planning/pause_cycle.hpp"
#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Duration w{334'240};
constexpr Duration pfc{6'720};
constexpr Duration one_way = 1'500_us;
constexpr Bytes frame{4158};
constexpr Duration pause_time{65'535LL * 512 * 10};  // 335.5392 us at 10 ps a bit
constexpr Duration hold_end = 10_ms;

/// Frames at the threshold and below it at XON.
struct Steps {
  std::int64_t xoff{253};
  std::int64_t xon{251};
};

struct LongLink : FabricBench {
  explicit LongLink(const Steps& steps = {}, Bytes size = 60'000'000_B) {
    scenario.frame.mtu = 4096_B;
    nic.ack_every = 1'000'000;
    nic.timeout = 1_s;
    defaults.buffer.size = 256_MiB;
    defaults.buffer.reserved = 0_B;
    defaults.buffer.threshold = StaticThreshold{steps.xoff * frame};
    defaults.buffer.xon_offset = (steps.xoff - steps.xon) * frame;
    add_switch("s");
    for (const char* name : {"a", "z"}) host(name);
    delay = one_way;
    link("a", "s");
    delay = 1_us;
    link("z", "s");
    flow("a", "z", size);
    hold("s", "z", Time{0}, Time{0} + hold_end);
  }
  SwitchConfig& s() { return scenario.switches.front(); }
  void lose_pfc(std::int64_t nth) {
    scenario.faults.emplace_back(DropFault{link_between("a", "s"), node("s"), DropKind::pause, nth, {}});
  }
};

/// The frame that reaches the threshold is in.
constexpr Time xoff_at(const Steps& steps = {}) {
  return Time{0} + steps.xoff * w + one_way;
}

/// Frames of a that have started when the PAUSE is there: it stops at the next one.
constexpr std::int64_t sent_until_paused(const Steps& steps = {}) {
  const std::int64_t paused = (xoff_at(steps) - Time{0} + pfc + one_way).picoseconds();
  return (paused + w.picoseconds() - 1) / w.picoseconds();
}

/// The frame leaves whose going leaves `xon` frames. Headroom is credited first, so that all of these are shared.
constexpr Time xon_at(const Steps& steps = {}) {
  return Time{0} + hold_end + (sent_until_paused(steps) - steps.xon - 1) * w;
}

const PauseRow& pause_of(const RunResults& results) {
  REQUIRE(results.pauses.size() == 1);
  return results.pauses.front();
}

}  // namespace

TEST_CASE("automatic headroom is lossless over 300 km, and every pause is refreshed in time") {
  LongLink bench;
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.warnings.empty());
  // PAUSE at 1584.56 us; at a 1500.007 us later, when 9229 frames have started; 253 of them are not in headroom.
  CHECK(sent_until_paused() == 9229);
  const QueueRow* queue = queue_of(results, "s", "a", 3);
  CHECK(queue->headroom_peak_bytes == (9229 - 253) * 4158);
  CHECK(queue->headroom_auto_bytes == 37'500'000 + 4178 + 84 + 2 * 4158);
  const PauseRow& row = pause_of(results);
  CHECK(row.cycles == 1);
  CHECK(row.longest_ps == (xon_at() - xoff_at()).picoseconds());
  // Repeated every 167.7696 us: 68 times in 11.416 ms.
  CHECK(row.refreshes == (xon_at() - xoff_at()).picoseconds() / (pause_time.picoseconds() / 2));
  CHECK(row.refreshes == 68);
  CHECK(results.pfc.refreshes == 68);
  CHECK(results.pfc.pause_frames == 69);
  CHECK(results.pfc.resume_frames == 1);
  CHECK(row.expired == 0);
  CHECK(row.xon_bytes_min == 251 * 4158);
  CHECK(row.xon_bytes_mean == 251 * 4158);
}

TEST_CASE("9 refreshes are in flight at half of the pause's time, 5 at all of it") {
  for (const Ratio refresh : {Ratio{1, 2}, Ratio{1, 1}}) {
    LongLink bench;
    bench.scenario.pfc.refresh = refresh;
    const RunResults results = bench.run();
    CHECK(results.sound);
    // One has just started, the others did at most 1500.007 us ago: 1 + floor(1500.007 / 167.7696) = 1 + 8, and
    // 1 + floor(1500.007 / 335.5392) = 1 + 4.
    const bool half = refresh == Ratio{1, 2};
    CHECK(pause_of(results).in_flight_max == (half ? 9 : 5));
    CHECK(results.pfc.in_flight_max == (half ? 9 : 5));
    // Repeated at its end a pause is renewed at the very instant that it runs out.
    CHECK(pause_of(results).expired == 0);
  }
}

TEST_CASE("idle time per cycle is the round trip and two frames, less what is stored when XON is due") {
  // 8977 frames are full rate: 3 000 340 960 ps / W = 8976.6.
  const ResumeQuery query{.rate = 100_Gbps,
                          .reverse_rate = 100_Gbps,
                          .one_way = one_way,
                          .way_back = one_way,
                          .response = Duration{0},
                          .frame = frame};
  REQUIRE(stored_for_full_rate(query) == 8977 * frame);
  for (const std::int64_t stored : {0, 2244, 4488, 6733, 8976, 8977, 9300}) {
    CAPTURE(stored);
    const Steps steps{stored + 252, stored};
    LongLink bench{steps, 90'000'000_B};
    const RunResults results = bench.run();
    CHECK(results.sound);
    const PauseRow& row = pause_of(results);
    CHECK(row.cycles == 1);
    CHECK(row.restarts == 1);
    CHECK(row.xon_bytes_mean == stored * 4158);
    CHECK(row.full_rate_bytes == 8977 * 4158);
    // XON leaves at once, 84 B; a starts at once, and its first frame is in W and 1500 us later. The last stored frame
    // has left `stored` W after the one that made XON due.
    const Duration restart = pfc + one_way + w + one_way;
    const Duration dry = restart > stored * w ? restart - stored * w : Duration{0};
    CHECK(row.dry_ps == dry.picoseconds());
    REQUIRE(row.plan_dry_ps);
    CHECK(std::abs(*row.plan_dry_ps - row.dry_ps) <= 1000);  // its drain rate is a quotient of measurements
    CHECK(results.pfc.dry_ps_total == row.dry_ps);
    // What is stored and the headroom: 75 MB when nothing is dry, none of it at full rate.
    CHECK(results.switches.front().buffer_peak_bytes == sent_until_paused(steps) * 4158);
  }
}

TEST_CASE("an egress of half the rate is dry once in each of many cycles, for as long as the formula says") {
  // z takes 50 Gbps: 1000 frames are stored at XON and leave in 2 W each, 668.48 us; restarts take 3000.34 us.
  const Steps steps{1'500, 1'000};
  LongLink bench{steps, 200'000'000_B};
  bench.scenario.topology.links.back().rate = 50_Gbps;
  bench.scenario.topology.links.back().reverse_rate = 50_Gbps;
  bench.scenario.faults.clear();
  const RunResults results = bench.run();
  CHECK(results.sound);
  const PauseRow& row = pause_of(results);
  CHECK(row.cycles >= 3);
  CHECK(row.restarts >= row.cycles - 1);
  CHECK(row.xon_bytes_min == 1'000 * 4158);
  // The XON may come in the middle of nothing else: exact but for the phase of a's frames, which none has.
  const Duration dry = pfc + one_way + w + one_way - 1'000 * 2 * w;
  CHECK(row.dry_ps_mean == dry.picoseconds());
  CHECK(row.drain_gbps == doctest::Approx(50.0 * 4158 / 4178).epsilon(1e-6));
  CHECK(std::abs(*row.plan_dry_ps - dry.picoseconds()) <= 1000);
}

TEST_CASE("a third of the headroom loses what does not fit, and the run says where") {
  LongLink bench;
  bench.s().headroom.size = Bytes{37'512'578 / 3};
  bench.scenario.stop.after = hold_end;
  const RunResults results = bench.run();
  CHECK_FALSE(results.sound);
  // 8976 frames come after the threshold is reached, 3007 fit into 12 504 192 B, and frame 253 + 3007 is the first that
  // does not.
  CHECK(results.drops.lossless == 8976 - 3007);
  REQUIRE(results.why_not.size() > 1);
  CHECK(results.why_not.front() ==
        "lossless drop at s port a priority 3: first at 2.58995664 ms, 5 969 frames in all; headroom 12 504 192 B, needed "
        "at "
        "least 37 322 208 B, 24 818 016 B missing");
  CHECK((Time{0} + (253 + 3007 + 1) * w + one_way - Time{0}).picoseconds() / 1'000'000 == 2'589);
}

TEST_CASE("a lost XON resumes when the last refresh runs out") {
  LongLink bench;
  bench.lose_pfc(1 + 68 + 1);  // PAUSE, its repeats, XON
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  CHECK(results.drops.link == 1);
  const Time last = xoff_at() + 68 * (pause_time / 2);
  const Time free = last + pfc + one_way + pause_time;
  const std::vector<Time> starts = timeline.times({FactKind::frame_started, "a", "s"});
  REQUIRE(starts.size() > 9229);
  CHECK(starts[9228] == Time{0} + 9228 * w);
  CHECK(starts[9229] == free);
  // Nobody meant it any more.
  const PauseRow& row = pause_of(results);
  CHECK(row.expired == 0);
  CHECK(row.dry_ps == (free + w + one_way - (xon_at() + 251 * w)).picoseconds());
}

TEST_CASE("of two refreshes lost in a row the second is one too many, and the pause runs out while it is meant") {
  LongLink bench;
  bench.s().headroom.size = 42'000'000_B;  // 168 us of frames more
  bench.lose_pfc(10);
  bench.lose_pfc(11);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  CHECK(pause_of(results).expired == 1);
  CHECK(results.pfc.expired == 1);
  // The ninth PFC frame is the eighth repeat; the twelfth stops what slipped through for half a pause's time.
  const Time out = xoff_at() + 8 * (pause_time / 2) + pfc + one_way + pause_time;
  const std::vector<Time> starts = timeline.times({FactKind::frame_started, "a", "s"});
  CHECK(starts[9229] == out);
  const std::int64_t slipped = (pause_time.picoseconds() / 2 + w.picoseconds() - 1) / w.picoseconds();
  CHECK(queue_of(results, "s", "a", 3)->headroom_peak_bytes == (9229 - 253 + slipped) * 4158);

  LongLink one;
  one.lose_pfc(10);
  CHECK(pause_of(one.run()).expired == 0);
}
