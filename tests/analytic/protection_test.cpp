// A link that protection switches to another path: what is lost, when frames arrive, and what headroom and time-outs
// must know of it.
#include <doctest/doctest.h>

#include "engine/longest_link.hpp"
#include "engine/stall_time.hpp"
#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Duration packet{1082 * 80};
constexpr Duration acknowledge{86 * 80};

/// a, s, t and z in a row; 10 us between s and t. Packet k of a (from 0) starts at s at (k + 1) packets + 1 us.
struct TwoSites : FabricBench {
  TwoSites() {
    scenario.frame.mtu = 1000_B;
    nic.timeout = 1_ms;
    nic.ack_every = 1'000'000;
    for (const char* name : {"s", "t"}) add_switch(name);
    for (const char* name : {"a", "z"}) host(name);
    link("a", "s");
    link("z", "t");
    delay = 10_us;
    link("s", "t");
  }
  ProtectionFault& protect(Time at, Duration delay_of_path, Duration outage) {
    ProtectionFault fault;
    fault.link = link_between("s", "t");
    fault.at = at;
    fault.delay = delay_of_path;
    fault.outage = outage;
    scenario.faults.emplace_back(fault);
    return std::get<ProtectionFault>(scenario.faults.back());
  }
};

/// When packet k starts at s, and whether that is before `at`.
constexpr Time at_s(std::int64_t k) {
  return Time{0} + (k + 1) * packet + 1_us;
}

}  // namespace

TEST_CASE("without an outage what is on the old path arrives, and the rest takes the new one") {
  TwoSites bench;
  bench.protect(Time{0} + 5_us, 25_us, Duration{0});
  bench.flow("a", "z", 100'000_B);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  CHECK(results.drops.link == 0);
  std::vector<Time> expected;
  for (std::int64_t k = 0; k < 100; ++k) {
    expected.push_back(at_s(k) + packet + (at_s(k) < Time{0} + 5_us ? 10_us : 25_us));
  }
  CHECK(timeline.times({FactKind::frame_started, "t", "z"}) == expected);
  // Back on the way of 25 us, too.
  CHECK(finish_of(results, "a") == expected.back() + packet + 1_us + 3 * acknowledge + 1_us + 25_us + 1_us);
}

TEST_CASE("on a shorter path frames stay behind those on the longer one, at the rate of the link") {
  TwoSites bench;
  bench.protect(Time{0} + 5_us, 4_us, Duration{0}).until = Time{0} + 40_us;
  bench.flow("a", "z", 100'000_B);
  FlowConfig& late = bench.flow("a", "z", 1'000_B);
  late.start = Time{0} + 30_us;
  Timeline timeline{bench.scenario.topology};
  CHECK(bench.run(timeline).sound);
  // Packets are back to back: the first on the new path would overtake those under way, and follows them instead.
  std::vector<Time> expected;
  for (std::int64_t k = 0; k < 100; ++k) expected.push_back(at_s(k) + packet + 10_us);
  // The one that comes when the old path has run empty takes 4 us.
  expected.push_back(Time{0} + 30_us + packet + 1_us + packet + 4_us);
  CHECK(timeline.times({FactKind::frame_started, "t", "z"}) == expected);
}

TEST_CASE("an outage loses what is on the link and what starts meanwhile, and the new path comes after it") {
  TwoSites bench;
  bench.protect(Time{0} + 20_us, 25_us, 50_us);
  bench.flow("a", "z", 1'000'000_B);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  // In by 20 us: those that started at s before 20 us - 10 us - one packet; lost: until one starts at 70 us or later.
  std::int64_t in = 0;
  std::int64_t first_after = 0;
  for (std::int64_t k = 0; k < 1000; ++k) {
    if (at_s(k) + packet + 10_us <= Time{0} + 20_us) in = k + 1;
    if (at_s(k) < Time{0} + 70_us) first_after = k + 1;
  }
  CHECK(results.drops.link == first_after - in);
  const std::vector<Time> starts = timeline.times({FactKind::frame_started, "t", "z"});
  CHECK(starts[static_cast<std::size_t>(in) - 1] == at_s(in - 1) + packet + 10_us);
  CHECK(starts[static_cast<std::size_t>(in)] == at_s(first_after) + packet + 25_us);
}

TEST_CASE("a link goes back with a second outage") {
  TwoSites bench;
  bench.protect(Time{0} + 20_us, 25_us, 5_us).until = Time{0} + 60_us;
  bench.flow("a", "z", 1'000_B).start = Time{0} + 30_us;
  bench.flow("a", "z", 1'000_B).start = Time{0} + 61_us;
  bench.flow("a", "z", 1'000_B).start = Time{0} + 80_us;
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  const std::vector<Time> starts = timeline.times({FactKind::frame_started, "t", "z"});
  const auto in = [](Duration start, Duration way) { return Time{0} + start + packet + 1_us + packet + way; };
  CHECK(starts[0] == in(30_us, 25_us));
  CHECK(starts[1] == in(80_us, 10_us));  // the one of 61 us is lost, and comes again after its time-out
  CHECK(starts.size() == 4);  // the first, sent again, for its acknowledge is lost
  // On the way back the acknowledge of the first passed s before 60 us: 30 + 25 + 25 us is later, so it is lost, too.
  CHECK(results.drops.link == 2);
}

TEST_CASE("headroom, stall time and memory are for the longest path there is") {
  TwoSites bench;
  bench.protect(Time{0} + 20_us, 400_us, 50_ms).until = Time{0} + 200_ms;
  bench.flow("a", "z", 1'000_B);
  const LinkConfig longest = longest_link(bench.scenario, bench.link_between("s", "t"));
  CHECK(longest.forward_way() == 400_us);
  CHECK(longest.reverse_way() == 400_us);
  CHECK(longest_link(bench.scenario, bench.link_between("a", "s")).forward_way() == 1_us);
  CHECK(automatic_stall_time(bench.scenario) == 2 * (2 * packet + 800_us + 50_ms));
  const RunResults results = bench.run();
  // 800 us x 12 500 B/us, one frame and the PAUSE on the wire, two frames.
  CHECK(queue_of(results, "t", "s", 3)->headroom_auto_bytes == 10'000'000 + 1082 + 84 + 2 * 1062);

  // A shorter path changes nothing; of a path that is longer one way only that way counts.
  TwoSites other;
  other.scenario.topology.links.back().reverse_delay = 30_us;
  other.protect(Time{0} + 20_us, 20_us, 50_ms);
  CHECK(longest_link(other.scenario, other.link_between("s", "t")).forward_way() == 20_us);
  CHECK(longest_link(other.scenario, other.link_between("s", "t")).reverse_way() == 30_us);
}

TEST_CASE("headroom that is enough for the usual path only is warned of") {
  TwoSites bench;
  bench.scenario.switches.back().headroom.size = Bytes{20 * 12'500 + 1082 + 84 + 2 * 1062};
  bench.flow("a", "z", 1'000_B);
  CHECK(bench.run().warnings.empty());
  bench.protect(Time{0} + 20_us, 400_us, 50_ms);
  const RunResults results = bench.run();
  REQUIRE(results.warnings.size() == 1);
  CHECK(results.warnings.front() ==
        "switch t port s has 253 290 B of headroom, 10 003 290 B is the budget: frames may be lost after a PAUSE; try "
        "fabric.headroom.size=auto");
}
