// The scenarios that change a fabric: the answer each header claims, by its closed form.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "golden/golden.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Milliseconds that messages of 1 MiB take at 100 Gbps: 256 packets of 4178 B and a RETH of 16 B each.
double wire_ms(double messages) {
  return messages * (256 * 4178 + 16) * 8 / 100e9 * 1e3;
}

double simulated_ms(const RunResults& run) {
  return static_cast<double>(run.simulated_ps) * 1e-9;
}

/// Holds that the run took `times` as long as one flow's messages on one link, and some microseconds of latency.
void check_shared(const RunResults& run, double messages, double times) {
  check_sound(run);
  CHECK(simulated_ms(run) > times * wire_ms(messages));
  CHECK(simulated_ms(run) < times * wire_ms(messages) + 0.02);
}

/// How many of the flows that leave one leaf for another share its fullest uplink: the bytes say it.
int most_on_one_uplink(const RunResults& run, double messages) {
  double most = 0;
  for (const LinkRow& link : run.links) {
    if (!link.from.starts_with("leaf") || !link.to.starts_with("spine")) continue;
    most = std::max(most, static_cast<double>(link.wire_bytes));
  }
  const double of_one_flow = messages * (256 * 4178 + 16);
  return static_cast<int>(std::lround(most / of_one_flow));
}

}  // namespace

TEST_CASE("two-spines.yaml and change-spines.yaml: the fullest uplink decides, whatever the spines") {
  for (const char* seed : {"seed=1", "seed=3", "seed=6"}) {
    const RunResults two = run_scenario("two-spines.yaml", {seed});
    const RunResults four = run_scenario("change-spines.yaml", {seed});
    CHECK(most_on_one_uplink(two, 8) >= 2);  // four flows, two uplinks
    check_shared(two, 8, most_on_one_uplink(two, 8));
    check_shared(four, 8, most_on_one_uplink(four, 8));
    CHECK(two.links.size() == 2 * (16 + 8));
    CHECK(four.links.size() == 2 * (16 + 16));
  }
  check_golden("two-spines", run_scenario("two-spines.yaml", {}));
  check_golden("change-spines", run_scenario("change-spines.yaml", {}));
}

TEST_CASE("rail-or-leaf-spine.yaml: on its rail a flow shares nothing, on leaves and spines the hash decides") {
  const RunResults rails = run_scenario("rail-or-leaf-spine.yaml", {});
  check_shared(rails, 64, 1);
  CHECK(rails.pfc.pause_frames == 0);
  CHECK(std::ranges::all_of(rails.links, [](const LinkRow& link) {
    return link.wire_bytes == 0 || (!link.from.starts_with("spine") && !link.to.starts_with("spine"));
  }));
  const RunResults leaves = run_scenario("rail-or-leaf-spine.yaml", {}, "leaf-spine");
  CHECK(most_on_one_uplink(leaves, 64) >= 2);
  check_shared(leaves, 64, most_on_one_uplink(leaves, 64));
  check_golden("rail-or-leaf-spine", rails);
  check_golden("rail-or-leaf-spine/leaf-spine", leaves);
  const RunResults crossed = run_scenario("rail-or-leaf-spine.yaml", {}, "rails-crossed");
  check_sound(crossed);
  CHECK(simulated_ms(crossed) > 2 * wire_ms(64));
}

TEST_CASE("two-sites.yaml: each way one step of the ring crosses, with what its slots keep under way") {
  // A ring of sixteen moves 30 chunks of 16 MiB per rank, 240 slices of 1 MiB on each channel. Four are under way per
  // round trip, so 60 turns, the last of which need not come back. A turn takes the fibre's way and the slice's time:
  // at the whole host link where the other channel's slice is elsewhere, at half of it where both meet.
  const auto shortest_ms = [](double round_trip_ms) { return 59 * (round_trip_ms + wire_ms(1)); };
  const auto longest_ms = [](double round_trip_ms) { return 60 * (round_trip_ms + 2 * wire_ms(1)); };
  const auto time_ms = [](const RunResults& run) {
    check_sound(run);
    REQUIRE(run.collectives.size() == 1);
    return run.collectives[0].time_us * 1e-3;
  };
  const RunResults base = run_scenario("two-sites.yaml", {});
  CHECK(time_ms(base) > shortest_ms(0.8));
  CHECK(time_ms(base) < longest_ms(0.8) * 1.02);  // switches and short links, 0.015 ms of a turn
  // Next door the wire is the bound: 30 chunks of 16 slices one behind the other.
  const double near_ms = time_ms(run_scenario("two-sites.yaml", {}, "one-site"));
  CHECK(near_ms > wire_ms(30 * 16));
  CHECK(near_ms < wire_ms(30 * 16) * 1.02);
  const double far_ms = time_ms(run_scenario("two-sites.yaml", {}, "three-hundred-km"));
  CHECK(far_ms > shortest_ms(3.0));
  CHECK(far_ms < longest_ms(3.0) * 1.02);
  CHECK(time_ms(run_scenario("two-sites.yaml", {}, "dealt-out")) > time_ms(base));
  check_golden("two-sites", base);
}

TEST_CASE("japan-backbone.yaml: headroom by rate and length, and four senders into one host") {
  const RunResults run = run_scenario("japan-backbone.yaml", {});
  check_sound(run);
  // 4 x 64 messages of 16 MiB over Osaka's one host link.
  CHECK(simulated_ms(run) > wire_ms(4 * 64 * 16));
  CHECK(simulated_ms(run) < wire_ms(4 * 64 * 16) * 1.035);
  std::map<std::string, std::int64_t> headroom;
  for (const QueueRow& queue : run.queues) headroom[queue.node + "<" + queue.port] = queue.headroom_configured_bytes;
  // 2 x 300 km x 5 ns/m x 12.5 B/ns = 37.5 MB, and what response and frames add: below 0.2 %.
  CHECK(headroom.at("Sapporo<稚内") == doctest::Approx(37.5e6).epsilon(0.002));
  // Great circle between 35.68 N 139.77 E and 34.69 N 135.50 E, on 6371 km, times 1.3, at 400 Gbps = 50 B/ns.
  const double degree = std::acos(-1.0) / 180;
  const double cosine = std::sin(35.68 * degree) * std::sin(34.69 * degree) +
                        std::cos(35.68 * degree) * std::cos(34.69 * degree) * std::cos((139.77 - 135.50) * degree);
  const double metres = 6'371'000 * std::acos(cosine) * 1.3;
  CHECK(headroom.at("Osaka<Tokyo") == doctest::Approx(2 * metres * 5 * 50).epsilon(0.002));
  check_golden("japan-backbone", run);
}

TEST_CASE("hash-polarisation.yaml: two tiers with one hash use 4 of 16 paths, with seeds of their own 16 of 16") {
  const auto core_links = [](const RunResults& run) {
    const auto up = std::ranges::find_if(run.tiers, [](const TierRow& row) { return row.to == "core"; });
    REQUIRE(up != run.tiers.end());
    return *up;
  };
  const RunResults same = run_scenario("hash-polarisation.yaml", {});
  check_sound(same);
  // 32 aggregation switches with 4 uplinks each, and each of them sends all of it to one.
  CHECK(core_links(same).links == 128);
  CHECK(core_links(same).unused_links == 96);
  CHECK(core_links(same).max_to_mean > 4);
  CHECK(core_links(same).unused.front() == "pod1-aggregation1 > core2");
  const RunResults own = run_scenario("hash-polarisation.yaml", {}, "per-switch");
  check_sound(own);
  CHECK(core_links(own).unused_links == 0);
  CHECK(own.simulated_ps * 2 < same.simulated_ps);
  for (const RunResults* run : {&same, &own}) {
    for (const TierRow& row : run->tiers) {
      CHECK(row.max_bytes == doctest::Approx(static_cast<double>(row.plan_max_bytes)).epsilon(1e-4));  // acknowledges
      CHECK(row.unused_links == row.plan_unused_links);
    }
  }
  check_golden("hash-polarisation", same);
}

TEST_CASE("fail-an-uplink.yaml: one step is lost to the failure, and later ones take what the remaining links allow") {
  const RunResults run = run_scenario("fail-an-uplink.yaml", {});
  check_sound(run);
  REQUIRE(run.steps.size() == 12);
  CHECK(run.drops.link > 0);
  CHECK(run.transfers.retransmitted_packets >= run.drops.link / 2);  // acknowledges are lost, too
  REQUIRE(run.reconvergences.size() == 1);
  CHECK(run.reconvergences[0].time_ps == 250'000'000'000);  // 100 ms and 150 ms
  CHECK(run.reconvergences[0].cut_off_hosts == 0);
  // Each rank sends 2 x 3/4 x 200 MB a step, in slices with 82 B for 4096 B of payload. All buckets go out one behind
  // the other, from when the first is ready: 1 MiB of 200 MB of a backward pass of 20 ms.
  const double rank_ms = 1.5 * 200e6 * 4178 / 4096 * 8 / 100e9 * 1e3;
  // With one uplink two ranks share 100 Gbps.
  const double remaining_ms = 10 + 2 * rank_ms;
  for (std::size_t step = 3; step < 12; ++step) {
    CHECK(run.steps[step].step_ms > remaining_ms);
    CHECK(run.steps[step].step_ms < remaining_ms * 1.03);
  }
  // The failure is at 100 ms, in the third step, which waits for 150 ms and a time-out of 67.1 ms at most.
  CHECK(run.steps[2].step_ms > 150 + run.steps[0].step_ms);
  CHECK(run.steps[2].step_ms < 150 + 67.2 + 2 * rank_ms + 30);
  check_golden("fail-an-uplink", run);
}

TEST_CASE("victim-flow.yaml: PAUSE stops a priority as a whole, and takes fair shares away") {
  const auto bystander_ms = [](const RunResults& run) {
    check_sound(run);
    double last = 0;
    for (const TransferRow& row : run.transfer_rows) {
      if (row.from == "victim") last = std::max(last, static_cast<double>(row.finish_ps.value()) * 1e-9);
    }
    return last;
  };
  const RunResults run = run_scenario("victim-flow.yaml", {});
  // Alone 32 messages on the wire; fair beside a fifth of a receiver's link: 80 of 100 Gbps.
  CHECK(bystander_ms(run_scenario("victim-flow.yaml", {}, "alone")) == doctest::Approx(wire_ms(32)).epsilon(0.005));
  CHECK(bystander_ms(run) > 3 * wire_ms(32) / 0.8);
  // Who pauses whom: the switch with the busy port its neighbour, and that one the bystander's host.
  const auto paused = [&](const char* node, const char* port) {
    return std::ranges::any_of(run.pauses, [&](const PauseRow& row) { return row.node == node && row.port == port; });
  };
  CHECK(paused("right", "left"));
  CHECK(paused("left", "victim"));
  CHECK_FALSE(paused("right", "idle"));
  check_golden("victim-flow", run);
}
