// Links and switches that fail: what is lost, when frames take another way, and who is cut off.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/fabric_bench.hpp"
#include "support/timeline.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Duration packet{1082 * 80};
constexpr Duration acknowledge{86 * 80};

/// a on l1, z on l2, and two spines between the leaves.
struct TwoWays : FabricBench {
  TwoWays() {
    scenario.frame.mtu = 1000_B;
    scenario.routing.reconvergence = 50_us;
    nic.timeout = 200_us;
    nic.retry_count = 20;
    for (const char* name : {"l1", "l2", "s1", "s2"}) add_switch(name);
    for (const char* name : {"a", "z"}) host(name);
    link("a", "l1");
    link("z", "l2");
    for (const char* spine : {"s1", "s2"}) {
      link("l1", spine);
      link(spine, "l2");
    }
  }
  void link_down(const char* one, const char* other, Time from, std::optional<Time> to = std::nullopt) {
    scenario.faults.emplace_back(LinkDownFault{link_between(one, other), from, to, {}});
  }
  void switch_down(const char* name, Time from, std::optional<Time> to = std::nullopt) {
    scenario.faults.emplace_back(SwitchDownFault{node(name), from, to, {}});
  }
  /// The spine that data of the one flow takes while all is well.
  [[nodiscard]] std::string spine() {
    const RunResults results = run();
    return link_of(results, "l1", "s1")->frames > link_of(results, "l1", "s2")->frames ? "s1" : "s2";
  }
};

std::string other_of(const std::string& spine) {
  return spine == "s1" ? "s2" : "s1";
}

}  // namespace

TEST_CASE("a failed uplink loses what is on it until all switches route by it, at the stated instant") {
  TwoWays bench;
  bench.flow("a", "z", 1'000'000_B);
  const std::string spine = bench.spine();
  const Time down = Time{0} + 20_us;
  bench.link_down("l1", spine.c_str(), down);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  CHECK(host_of(results, "z")->received_payload_bytes == 1'000'000);

  // Frame k leaves l1 at (k + 1) packets + 1 us. Those that arrive at l1 before 70 us go to the dead link.
  const std::vector<Time> to_dead = timeline.times({FactKind::frame_started, "l1", spine.c_str()});
  const std::vector<Time> to_other = timeline.times({FactKind::frame_started, "l1", other_of(spine).c_str()});
  const Time rerouted = down + 50_us;
  REQUIRE_FALSE(to_dead.empty());
  CHECK(to_dead.back() < rerouted);
  CHECK(to_dead.back() + packet >= rerouted);
  CHECK(to_other.front() >= rerouted);
  CHECK(to_other.front() - rerouted < packet);
  // What had arrived at s1 by 20 us got through: k + 1 packets + 1 us + packet + 1 us <= 20 us, so k <= 205.9. 206 of
  // the frames that leave l1 before 70 us, (k + 1) packets + 1 us < 70 us, so k < 796.1, 797 of them, arrive.
  CHECK(to_dead.size() == 797);
  CHECK(link_of(results, "l1", spine)->lost_frames == 797 - 206);
  CHECK(results.drops.lossless == 0);
  REQUIRE(results.reconvergences.size() == 1);
  const ReconvergenceRow& row = results.reconvergences.front();
  CHECK(row.time_ps == (rerouted - Time{0}).picoseconds());
  CHECK(row.what == "without link l1 - " + spine);
  CHECK(row.cut_off_hosts == 0);
  CHECK(row.lost_frames == results.drops.link);
}

TEST_CASE("nobody reroutes where reconvergence is never, or the link is up again before") {
  TwoWays bench;
  bench.flow("a", "z", 1'000'000_B);
  const std::string spine = bench.spine();
  bench.link_down("l1", spine.c_str(), Time{0} + 20_us, Time{0} + 70_us);  // not longer than the 50 us
  RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.reconvergences.empty());
  CHECK(link_of(results, "l1", other_of(spine))->frames == 0);
  bench.scenario.faults.clear();
  bench.link_down("l1", spine.c_str(), Time{0} + 20_us, Time{0} + 2_ms);
  bench.scenario.routing.reconvergence.reset();
  results = bench.run();
  CHECK(results.sound);
  CHECK(results.reconvergences.empty());
  CHECK(link_of(results, "l1", other_of(spine))->frames == 0);
  CHECK(finish_of(results, "a") > Time{0} + 2_ms);
}

TEST_CASE("a repaired link is used again after the same time") {
  TwoWays bench;
  bench.flow("a", "z", 10'000'000_B);
  const std::string spine = bench.spine();
  bench.link_down("l1", spine.c_str(), Time{0} + 20_us, Time{0} + 300_us);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.sound);
  REQUIRE(results.reconvergences.size() == 2);
  CHECK(results.reconvergences[1].time_ps == (350_us).picoseconds());
  CHECK(results.reconvergences[1].what == "with link l1 - " + spine + " again");
  CHECK(results.reconvergences[1].lost_frames == 0);
  const std::vector<Time> on_it = timeline.times({FactKind::frame_started, "l1", spine.c_str()});
  const auto again = std::ranges::find_if(on_it, [](Time at) { return at >= Time{0} + 100_us; });
  REQUIRE(again != on_it.end());
  CHECK(*again >= Time{0} + 350_us);
}

TEST_CASE("a switch that fails loses what waits in it, and comes back empty") {
  TwoWays bench;
  bench.flow("a", "z", 10'000'000_B);
  const std::string spine = bench.spine();
  // The spine holds 20 us of frames when it fails: 20 us / 86.56 ns = 231.1, 231 or 232 of them.
  bench.hold(spine, "l2", Time{0} + 80_us, Time{0} + 200_us);
  bench.switch_down(spine.c_str(), Time{0} + 100_us, Time{0} + 400_us);
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(host_of(results, "z")->received_payload_bytes == 10'000'000);
  const auto row = std::ranges::find(results.switches, spine, &SwitchRow::node);
  REQUIRE(row != results.switches.end());
  CHECK(row->failure_frames >= 231);
  CHECK(row->failure_frames <= 232);
  REQUIRE(results.reconvergences.size() == 2);
  CHECK(results.reconvergences[0].what == "without switch " + spine);
  CHECK(results.reconvergences[0].time_ps == (150_us).picoseconds());
  CHECK(results.reconvergences[1].what == "with switch " + spine + " again");
  CHECK(results.reconvergences[1].time_ps == (450_us).picoseconds());
  std::int64_t on_links = 0;
  for (const LinkRow& link : results.links) on_links += link.lost_frames;
  CHECK(results.drops.link == on_links + row->failure_frames);
}

TEST_CASE("pauses do not outlast a link: what was paused goes on, and what is meant still is said again") {
  // The egress to z is held, so that l2 pauses the spine and the spine l1. The link between the spine and l2 fails
  // and is up again while that lasts.
  TwoWays bench;
  for (SwitchConfig& config : bench.scenario.switches) config.buffer.threshold = StaticThreshold{20'000_B};
  bench.flow("a", "z", 3'000'000_B);
  const std::string spine = bench.spine();
  bench.hold("l2", "z", Time{0}, Time{0} + 400_us);
  bench.link_down(spine.c_str(), "l2", Time{0} + 100_us, Time{0} + 120_us);
  Timeline timeline{bench.scenario.topology};
  const RunResults results = bench.run(timeline);
  CHECK(results.transfers.finished == 1);
  const std::vector<Time> paused = timeline.times({FactKind::paused, spine.c_str(), "l2"});
  const std::vector<Time> resumed = timeline.times({FactKind::resumed, spine.c_str(), "l2"});
  REQUIRE(paused.size() >= 2);
  REQUIRE_FALSE(resumed.empty());
  CHECK(paused[0] < Time{0} + 100_us);
  CHECK(resumed[0] == Time{0} + 100_us);
  // A PFC frame of 84 B and 1 us after the link is up, l2 has its way again.
  CHECK(paused[1] == Time{0} + 120_us + Duration{84 * 80} + 1_us);
}

TEST_CASE("hosts that no way leads to are named, with the time, and their senders give up") {
  TwoWays bench;
  for (NicConfig& nic : bench.scenario.nics) nic.retry_count = 2;
  bench.flow("a", "z", 1'000'000_B);
  bench.switch_down("l2", Time{0} + 20_us);
  const RunResults results = bench.run();
  CHECK_FALSE(results.sound);
  REQUIRE(results.reconvergences.size() == 1);
  CHECK(results.reconvergences[0].cut_off_hosts == 1);
  CHECK(results.reconvergences[0].cut_off == "z");
  REQUIRE(results.why_not.size() >= 3);
  CHECK(results.why_not[0].starts_with("retries exhausted at a: connection "));
  CHECK(results.why_not[1].starts_with("cut off from 70 us on, without switch l2: 1 host (z); "));
  CHECK(results.why_not[2].starts_with("switch l2 was down from 20 us on: "));
  std::int64_t no_path = 0;
  for (const SwitchRow& row : results.switches) no_path += row.no_path_frames;
  CHECK(no_path > 0);
  std::int64_t all = no_path;
  for (const LinkRow& link : results.links) all += link.lost_frames;
  for (const SwitchRow& row : results.switches) all += row.failure_frames;
  CHECK(results.drops.link == all);
}

TEST_CASE("a stall is not told while a reconvergence is still to come") {
  // The only flow loses everything until the reconvergence 300 ms later, and no data frame starts for long: the
  // time-out is 200 ms, and twice that without a data frame would be a stall.
  TwoWays bench;
  for (NicConfig& nic : bench.scenario.nics) {
    nic.timeout = 50_ms;
    nic.max_unacked = 1;
  }
  bench.scenario.routing.reconvergence = 300_ms;
  bench.scenario.stop.stalled_after = 60_us;
  bench.flow("a", "z", 2000_B);
  const std::string spine = bench.spine();
  bench.link_down("l1", spine.c_str(), Time{0});
  const RunResults results = bench.run();
  CHECK(results.sound);
  // Time-outs at 50 ms from each start, the wire time between them: the seventh attempt starts after 300 ms.
  CHECK(finish_of(results, "a") > Time{0} + 300_ms);
  CHECK(finish_of(results, "a") < Time{0} + 351_ms);
}
