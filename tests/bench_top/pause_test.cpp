// Both halves of pause at one port, in exact picoseconds: when a pause takes effect, expires, is refreshed and ends.
#include "net/pause.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "support/greedy_port.hpp"
#include "support/units_io.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Priority lossless{3};
constexpr Priority lossy{5};

PrioritySet only(Priority priority) {
  PrioritySet set;
  set.insert(priority);
  return set;
}

PfcFields pause_of(PrioritySet priorities = only(lossless)) {
  return {priorities, priorities, 65'535};
}
PfcFields resume_of(PrioritySet priorities = only(lossless)) {
  return {priorities, PrioritySet{}, 65'535};
}

/// PFC with an explicit response time.
PfcConfig pfc_with(Duration response) {
  PfcConfig pfc;
  pfc.response = response;
  return pfc;
}

/// 65 535 quanta of 512 bit times.
struct Longest {
  Rate rate;
  Duration pause;
};
constexpr Longest longest[] = {
    {25_Gbps, Duration{65'535LL * 512 * 40}},      // 1342.1568 us at 40 ps per bit
    {100_Gbps, Duration{65'535LL * 512 * 10}},     // 335.5392 us at 10 ps per bit
    {400_Gbps, Duration{65'535LL * 512 * 5 / 2}},  // 83.8848 us at 2.5 ps per bit
};

}  // namespace

TEST_CASE("a pause of 65 535 quanta lasts by the rate of the port that is paused") {
  CHECK(longest[0].pause == 1342.1568_us);
  CHECK(longest[1].pause == 335.5392_us);
  CHECK(longest[2].pause == 83.8848_us);
  for (const Longest& row : longest) {
    CAPTURE(row.rate.gbps());
    GreedyPort port{pfc_with(0_ps), {.rate = row.rate}};
    port.pfc(Time{0}, pause_of());
    // Nothing has started before: the pause arrives before the port chooses.
    CHECK(port.next_start(Time{0}) == Time{0} + row.pause);
    CHECK(port.starts().size() == 1);
  }
}

TEST_CASE("XON ends a pause when it arrives, not at its expiry") {
  GreedyPort port{pfc_with(0_ps), {}};
  port.pfc(Time{0}, pause_of());
  port.pfc(Time{0} + 10_us, resume_of());
  CHECK(port.next_start(Time{0}) == Time{0} + 10_us);
  // The expiry of the pause that has ended changes nothing: the port sends on, frame after frame.
  const Time late = port.next_start(Time{0} + 336_us);
  CHECK((late - (Time{0} + 10_us)).picoseconds() % (1082 * 80) == 0);
  CHECK(late < Time{0} + 336_us + Duration{1082 * 80});
}

TEST_CASE("the response time delays pause and XON alike") {
  // 394 quanta at 100G: 394 x 512 x 10 ps = 2.01728 us. Without an override the port's speed gives it.
  const Duration response = Duration{394 * 512 * 10};
  CHECK(response == 2.01728_us);
  for (const PfcConfig& pfc : {pfc_with(response), PfcConfig{}}) {
    GreedyPort port{pfc, {}};
    port.pfc(Time{0}, pause_of());
    port.pfc(Time{0} + 10_us, resume_of());
    CHECK(port.next_start(Time{0} + 10_us) == Time{0} + 10_us + response);
    // Until the pause takes effect, frames start every 86.56 ns: those at 0 to 23 x 86.56 = 1990.88 ns, 24 in all.
    REQUIRE(port.starts().size() == 25);
    CHECK(port.starts()[23] == Time{0} + 23 * Duration{1082 * 80});
    CHECK(port.starts()[23] < Time{0} + response);
    CHECK(port.starts()[23] + Duration{1082 * 80} > Time{0} + response);
  }
}

TEST_CASE("a pause counts from the instant it takes effect") {
  const Duration response = 2_us;
  GreedyPort port{pfc_with(response), {}};
  port.pfc(Time{0}, pause_of());
  CHECK(port.next_start(Time{0} + response) == Time{0} + response + 335.5392_us);
}

TEST_CASE("a refresh at 300 us moves the expiry to 635.5392 us") {
  GreedyPort port{pfc_with(0_ps), {}};
  port.pfc(Time{0}, pause_of());
  port.pfc(Time{0} + 300_us, pause_of());
  CHECK(port.next_start(Time{0}) == Time{0} + 635.5392_us);
  CHECK(port.port().pause_clock.pauses_received()[3] == 2);
  CHECK(port.port().pause_clock.paused_time(lossless, Time{0} + 700_us) == 635.5392_us);
}

TEST_CASE("a refresh after the expiry is a second pause") {
  GreedyPort port{pfc_with(0_ps), {}};
  port.pfc(Time{0}, pause_of());
  port.pfc(Time{0} + 400_us, pause_of());
  CHECK(port.next_start(Time{0}) == Time{0} + 335.5392_us);
  CHECK(port.next_start(Time{0} + 400_us) == Time{0} + 735.5392_us);
  CHECK(port.port().pause_clock.any_paused_time(Time{0} + 800_us) == 2 * 335.5392_us);
}

TEST_CASE("a pause of time 0 in the vector is a resume") {
  // 802.1Qbb has no other way to resume: the class is enabled and its time is 0.
  GreedyPort port{pfc_with(0_ps), {}};
  port.pfc(Time{0}, pause_of());
  port.pfc(Time{0} + 10_us, {only(lossless), only(lossless), 0});
  CHECK(port.next_start(Time{0}) == Time{0} + 10_us);
}

TEST_CASE("a shorter pause replaces the longer one") {
  // 100 quanta at 100G are 512 ns.
  GreedyPort port{pfc_with(0_ps), {}};
  port.pfc(Time{0}, pause_of());
  port.pfc(Time{0} + 1_us, {only(lossless), only(lossless), 100});
  CHECK(port.next_start(Time{0}) == Time{0} + 1_us + 512_ns);
}

TEST_CASE("a pause received during a frame does not interrupt it") {
  const Duration frame{1082 * 80};
  GreedyPort port{pfc_with(0_ps), {.one_way = 1_us}};
  port.pfc(Time{0} + 3 * frame + 1_ns, pause_of());  // the fourth frame has been on the wire for 1 ns
  CHECK(port.next_start(Time{0} + 4 * frame) == Time{0} + 3 * frame + 1_ns + 335.5392_us);
  REQUIRE(port.arrivals().size() >= 4);
  CHECK(port.arrivals()[3] == Time{0} + 4 * frame + 1_us);
  CHECK(port.starts().size() == 5);
}

TEST_CASE("a pause of a lossy priority is ignored") {
  GreedyPort port{pfc_with(0_ps), {.priority = lossy}};
  port.pfc(Time{0}, pause_of(only(lossy)));
  port.pfc(Time{0} + 50_ns, pause_of(PrioritySet{0b0010'1000}));  // 3 and 5
  CHECK(port.next_start(Time{0}) == Time{0});
  CHECK(port.next_start(Time{0} + 1_ns) == Time{0} + Duration{1082 * 80});
  CHECK(port.port().pause_clock.paused() == only(lossless));
  CHECK(port.port().pause_clock.pauses_received()[5] == 0);
}

TEST_CASE("bit p of the vector pauses priority p and no other") {
  for (std::uint8_t paused = 0; paused < Priority::count; ++paused) {
    for (std::uint8_t sending = 0; sending < Priority::count; ++sending) {
      PfcConfig pfc = pfc_with(0_ps);
      pfc.priorities = PrioritySet{0xFF};
      GreedyPort port{pfc, {.priority = Priority{sending}}};
      port.pfc(Time{0}, pause_of(only(Priority{paused})));
      CHECK(port.next_start(Time{0}) == (paused == sending ? Time{0} + 335.5392_us : Time{0}));
    }
  }
}

TEST_CASE("priorities of one port are paused, refreshed and resumed one by one") {
  PfcConfig pfc = pfc_with(0_ps);
  pfc.priorities = PrioritySet{0b0001'1000};
  GreedyPort port{pfc, {.priority = Priority{4}}};
  port.pfc(Time{0}, pause_of(pfc.priorities));
  port.pfc(Time{0} + 20_us, {pfc.priorities, only(lossless), 65'535});  // refreshes 3, resumes 4
  CHECK(port.next_start(Time{0}) == Time{0} + 20_us);
  CHECK(port.port().pause_clock.paused() == only(lossless));
  static_cast<void>(port.next_start(Time{0} + 400_us));
  const PauseClock& clock = port.port().pause_clock;
  CHECK(clock.paused_time(Priority{4}, Time{0} + 400_us) == 20_us);
  CHECK(clock.paused_time(lossless, Time{0} + 400_us) == 20_us + 335.5392_us);
  CHECK(clock.any_paused_time(Time{0} + 400_us) == 20_us + 335.5392_us);  // the union, not the sum
}

namespace {

/// A refresher by itself.
struct Refresher {
  Refresher() : half{pfc, 100_Gbps, bench.source(1, EventKind::switch_pause_refresh)} {}
  Workbench bench;
  PfcConfig pfc;
  PauseRefresher half;

  PfcFields take_at(Time now) {
    bench.context.now = now;
    return half.take(bench.context);
  }
  /// Advances to the refresher's own next event; whether a frame is then due.
  bool wake() {
    bench.context.now = bench.events.pop().time;
    return half.wake(bench.context);
  }
};

}  // namespace

TEST_CASE("a pause is refreshed at half its time, counted from the start of the frame that told it") {
  Refresher refresher;
  refresher.half.pause(refresher.bench.context, lossless);
  CHECK(refresher.half.due());
  // The frame waits 300 ns for the wire.
  const PfcFields first = refresher.take_at(Time{0} + 300_ns);
  CHECK(first.enabled == only(lossless));
  CHECK(first.paused == only(lossless));
  CHECK(first.quanta == 65'535);
  CHECK_FALSE(refresher.half.due());
  // 335.5392 us / 2 = 167.7696 us.
  CHECK(refresher.wake());
  CHECK(refresher.bench.context.now == Time{0} + 300_ns + 167.7696_us);
  CHECK(refresher.take_at(refresher.bench.context.now).paused == only(lossless));
  CHECK(refresher.wake());
  CHECK(refresher.bench.context.now == Time{0} + 300_ns + 2 * 167.7696_us);
  CHECK(refresher.bench.counters.pause_frames == 2);
}

TEST_CASE("the refresh follows the rate of the neighbour and the share that is set") {
  PfcConfig pfc;
  pfc.refresh = {3, 4};
  Workbench bench;
  PauseRefresher half{pfc, 400_Gbps, bench.source(1, EventKind::switch_pause_refresh)};
  half.pause(bench.context, lossless);
  static_cast<void>(half.take(bench.context));
  CHECK(bench.events.pop().time == Time{0} + 62.9136_us);  // 3/4 of 83.8848 us
}

TEST_CASE("a pause that was never sent is forgotten") {
  Refresher refresher;
  refresher.half.pause(refresher.bench.context, lossless);
  CHECK(refresher.bench.counters.asking == 1);
  refresher.half.resume(refresher.bench.context, lossless);
  CHECK_FALSE(refresher.half.due());
  CHECK(refresher.half.asking().empty());
  CHECK(refresher.bench.counters.asking == 0);
  CHECK(refresher.bench.events.empty());
  // One for a priority that was never paused asks for nothing either.
  refresher.half.resume(refresher.bench.context, Priority{4});
  CHECK_FALSE(refresher.half.due());
}

TEST_CASE("a pause that was sent is taken back by a frame of time 0, once, and not refreshed any more") {
  Refresher refresher;
  refresher.half.pause(refresher.bench.context, lossless);
  static_cast<void>(refresher.take_at(Time{0}));
  refresher.half.resume(refresher.bench.context, lossless);
  CHECK(refresher.half.due());
  const PfcFields last = refresher.take_at(Time{0} + 5_us);
  CHECK(last.enabled == only(lossless));
  CHECK(last.paused.empty());
  CHECK(refresher.bench.counters.resume_frames == 1);
  while (!refresher.bench.events.empty()) CHECK_FALSE(refresher.wake());
  CHECK(refresher.bench.counters.pause_frames == 1);
}

TEST_CASE("a group that goes off again before its resume is sent stays paused") {
  Refresher refresher;
  refresher.half.pause(refresher.bench.context, lossless);
  static_cast<void>(refresher.take_at(Time{0}));
  refresher.half.resume(refresher.bench.context, lossless);
  refresher.half.pause(refresher.bench.context, lossless);
  CHECK(refresher.half.due());
  CHECK(refresher.take_at(Time{0} + 5_us).paused == only(lossless));
  CHECK(refresher.bench.counters.resume_frames == 0);
  CHECK(refresher.bench.counters.asking == 1);
}

TEST_CASE("one frame speaks for every priority whose wish has changed") {
  Refresher refresher;
  const PrioritySet both{0b0001'1000};
  refresher.half.pause(refresher.bench.context, lossless);
  refresher.half.pause(refresher.bench.context, Priority{4});
  CHECK(refresher.take_at(Time{0}).paused == both);
  refresher.half.resume(refresher.bench.context, Priority{4});
  const PfcFields mixed = refresher.take_at(Time{0} + 1_us);
  // Priority 3 is not due: a frame that left it out keeps its pause.
  CHECK(mixed.enabled == only(Priority{4}));
  CHECK(mixed.paused.empty());
}
