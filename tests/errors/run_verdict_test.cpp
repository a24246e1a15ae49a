// Why a run is not sound, line by line as a person reads it. Each number is derived beside the line.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

using Lines = std::vector<std::string>;

/// Full SEND packets of 1000 B: 1062 B in a buffer, 1082 B or 86.56 ns on a 100 Gbps wire. All links 1 us.
struct Bench : FabricBench {
  Bench() { scenario.frame.mtu = 1000_B; }

  /// Two hosts on one link.
  void direct() {
    hosts("h", 2);
    link("h1", "h2");
  }
  /// `senders` hosts and h9 on switch s1, whose egress to h9 is held for 100 us. The first frame in shared memory
  /// brings PAUSE; all that follows is for headroom of `headroom` bytes.
  void held(int senders, Bytes headroom) {
    defaults.buffer.size = 1_MB;
    defaults.buffer.reserved = 0_B;
    defaults.buffer.threshold = StaticThreshold{1_B};
    defaults.headroom.size = headroom;
    hosts("h", senders);
    host("h9");
    add_switch("s1");
    for (int i = 1; i <= senders; ++i) link("h" + std::to_string(i), "s1");
    const LinkId egress = link("h9", "s1");
    scenario.faults.emplace_back(HoldFault{egress, node("s1"), Time{0}, Time{0} + 100_us, {}});
  }
};

struct StopAt final : RunMonitor {
  bool proceed(const Progress&) override { return false; }
  void transfer_finished(const TransferRow&) override {}
};

}  // namespace

TEST_CASE("a lossless drop says where, when, how many frames and how much headroom was missing") {
  // The first frame arrives at 1086.56 ns and brings PAUSE, which takes 6.72 + 1000 ns: frames that start before
  // 2093.28 ns, 0 to 24, are sent. 24 of them find shared memory closed: 24 x 1062 = 25 488 B. Two fit into 2124 B;
  // the next one, number 3, arrives at 4 x 86.56 + 1000 = 1346.24 ns.
  Bench bench;
  bench.held(1, 2124_B);
  bench.flow("h1", "h9", 40'000_B);
  const RunResults results = bench.run();
  CHECK(results.why_not == Lines{"lossless drop at s1 port h1 priority 3: first at 1.34624 us, 22 frames in all; "
                                 "headroom 2 124 B, needed at least 25 488 B, 23 364 B missing"});
  CHECK_FALSE(results.sound);
  CHECK(results.drops.lossless == 22);
  CHECK(results.transfers.finished == 1);  // go-back-N made the loss good
}

TEST_CASE("five places with lossless drops are spelled out, by time and name, the others are counted") {
  Bench bench;
  bench.held(7, 1_B);
  for (int i = 7; i >= 1; --i) {
    bench.flow("h" + std::to_string(i), "h9", 2000_B);
    bench.scenario.nics[static_cast<std::size_t>(i) - 1].timeout = i * 1_ms;  // each alone when it tries again
  }
  const RunResults results = bench.run();
  // Of each sender the first frame is stored and the second one refused, at 2 x 86.56 + 1000 ns.
  Lines expected;
  for (int i = 1; i <= 5; ++i) {
    expected.push_back(
        "lossless drop at s1 port h" + std::to_string(i) +
        " priority 3: first at 1.17312 us, 1 frame in all; headroom 1 B, needed at least 1 062 B, 1 061 B missing");
  }
  expected.push_back("… and 2 more places with lossless drops");
  CHECK(results.why_not == expected);
}

TEST_CASE("a host whose receive buffer overflows is named") {
  // Four frames of 1062 B within 0.3 us, 3000 B of buffer, 8.5 us to handle one: the third and fourth are refused.
  // After the time-out all four come again, since only the fourth asks for an acknowledge: two are refused once more,
  // but the first two, duplicates now, are acknowledged. The last two come alone after another time-out.
  Bench bench;
  bench.nic.receive = SlowReceiver{.rate = 1_Gbps, .buffer = 3000_B, .xoff = 3000_B, .xon = 0_B};
  bench.nic.timeout = 100_us;
  bench.direct();
  bench.flow("h1", "h2", 4000_B);
  const RunResults results = bench.run();
  CHECK(results.why_not == Lines{"lossless drop at host h2: its receive buffer refused 4 frames"});
  CHECK(results.drops.lossless == 4);
  CHECK(results.transfers.retransmitted_packets == 4 + 2);
}

TEST_CASE("exhausted retries name the queue pair, then how the run ended and what is left") {
  // Four packets; the last asks for the acknowledge at 259.68 ns. Time-outs of 100 us: the third and last retry's
  // fourth packet starts at 3 x 100 259.68 + 259.68 = 301 038.72 ns, and twice the time-out later nothing has moved.
  Bench bench;
  bench.nic.timeout = 100_us;
  bench.nic.retry_count = 3;
  bench.direct();
  bench.flow("h1", "h2", 4000_B);
  bench.scenario.faults.emplace_back(LinkDownFault{LinkId{0U}, Time{0} + 1_ns, std::nullopt, {}});
  bench.scenario.routing.reconvergence.reset();
  CHECK(bench.run().why_not ==
        Lines{"retries exhausted at h1: connection h1>h2/0 gave up after 4 time-outs without progress",
              "link h1 to h2 was down from 1 ns on: 16 frames lost on it",  // 4 packets, sent 1 + 3 times
              "stalled: at 501.03872 us no data frame had started for 200 us",
              "flow h1>h2/0: 1 of 1 messages unfinished, 0 of 4 000 B delivered"});
}

TEST_CASE("a run that is stopped early says what has arrived") {
  // At 2 us, frames that started before 2000 - 86.56 - 1000 = 913.44 ns have arrived: 0 to 10, 11 000 B.
  Bench bench;
  bench.direct();
  bench.flow("h1", "h2", 40'000_B).messages = 2;
  bench.scenario.stop.after = 2_us;
  const RunResults results = bench.run();
  CHECK(results.why_not == Lines{"unfinished at stop.after, 2 us",
                                 "flow h1>h2/0: 2 of 2 messages unfinished, 11 000 of 80 000 B delivered"});
  CHECK(results.simulated_ps == (2_us).picoseconds());
  CHECK(results.complete);
  // Nothing has finished: there is no slowdown and no goodput, neither 0 nor a large one.
  CHECK(std::isnan(results.transfers.slowdown_p50));
  CHECK(std::isnan(results.transfers.slowdown_p99));
  CHECK(std::isnan(results.transfers.goodput_gbps_max));
  for (const TransferRow& row : results.transfer_rows) {
    CHECK_FALSE(row.slowdown.has_value());
    CHECK_FALSE(row.retransmitted_packets.has_value());
  }
}

TEST_CASE("every run ends at 40 days, before a time can wrap") {
  // 40 x 86 400 s = 3 456 000 s; two seconds are enough for 1 B.
  for (const Duration start : {3'455'998_s, 3'456'001_s}) {
    Bench bench;
    bench.direct();
    bench.flow("h1", "h2", 1_B).start = Time{0} + start;
    const bool in_time = start < longest_run;
    CHECK(bench.run().why_not == (in_time
                                      ? Lines{}
                                      : Lines{"unfinished at 3 456 000 s, where every run ends",
                                              "flow h1>h2/0: 1 of 1 messages unfinished, 0 of 1 B delivered"}));
  }
}

TEST_CASE("a stop after the work is done changes nothing") {
  Bench bench;
  bench.direct();
  bench.flow("h1", "h2", 4000_B);
  bench.scenario.stop.after = 1_s;
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.simulated_ps < (10_us).picoseconds());
}

TEST_CASE("five unfinished flows are spelled out, the others are counted") {
  Bench bench;
  bench.direct();
  for (int i = 0; i < 40; ++i) bench.flow("h1", "h2", 1000_B).name = "f" + std::to_string(10 + i);
  bench.scenario.stop.after = 1_ns;
  Lines expected{"unfinished at stop.after, 1 ns"};
  for (int i = 10; i < 15; ++i) {
    expected.push_back("flow h1>h2/f" + std::to_string(i) +
                       ": 1 of 1 messages unfinished, 0 of 1 000 B delivered");
  }
  expected.push_back("… and 35 more unfinished");
  CHECK(bench.run().why_not == expected);
}

TEST_CASE("ranks of a collective that wait are named") {
  Bench bench;
  bench.nic.timeout = 100_us;
  bench.nic.retry_count = 0;
  bench.direct();
  AllReduceConfig ring;
  ring.name = "ring";
  ring.hosts = {HostId{0U}, HostId{1U}};
  ring.size = 8000_B;
  ring.ring.channels = 1;
  bench.scenario.jobs.emplace_back(ring);
  bench.scenario.faults.emplace_back(LinkDownFault{LinkId{0U}, Time{0} + 1_ps, std::nullopt, {}});
  bench.scenario.routing.reconvergence.reset();
  // Each rank offers two slots with clear-to-sends of 64 + 82 + 16 + 4 B, 13.28 ns each; none arrives.
  CHECK(
      bench.run().why_not ==
      Lines{"retries exhausted at h1: connection ring/h2>h1/0 gave up after 1 time-out without progress",
            "retries exhausted at h2: connection ring/h1>h2/0 gave up after 1 time-out without progress",
            "link h1 to h2 was down from 1 ps on: 4 frames lost on it",
            "stalled: at 200.01328 us no data frame had started for 200 us",
            "ring: all-reduce 1 of 1: rank 0 (h1) waits for a slice of rank 1 (h2) on channel 0, 0 of 2 slices taken",
            "ring: all-reduce 1 of 1: rank 1 (h2) waits for a slice of rank 0 (h1) on channel 0, 0 of 2 slices taken"});
}

TEST_CASE("an interrupted run is incomplete and says when") {
  Bench bench;
  bench.direct();
  bench.flow("h1", "h2", 40_MB);
  StopAt monitor;
  Simulation simulation{bench.scenario};
  const RunResults results = simulation.run(&monitor);
  CHECK_FALSE(results.complete);
  CHECK_FALSE(results.sound);
  REQUIRE(results.why_not.size() == 2);
  CHECK(results.why_not[0].starts_with("interrupted at "));
  CHECK(results.events == 8192);  // the monitor is asked every 2^13 events
}

TEST_CASE("an egress that is held for ever does not keep a run for ever") {
  Bench bench;
  bench.held(1, 100_KB);
  std::get<HoldFault>(bench.scenario.faults.front()).until = Time{0} + 3600_s;
  bench.nic.timeout = 1_ms;
  bench.flow("h1", "h9", 40'000_B);
  bench.scenario.stop.after = 10_ms;
  CHECK(bench.run().why_not == Lines{"unfinished at stop.after, 10 ms",
                                     "flow h1>h9/0: 1 of 1 messages unfinished, 0 of 40 000 B delivered"});
}
