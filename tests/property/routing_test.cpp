// Laws that hold whatever way frames take, and whatever links and switches fail and come back.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include "engine/simulation.hpp"
#include "engine/state.hpp"
#include "property/laws.hpp"
#include "property/random_scenario.hpp"

using namespace soya;
using namespace soya::test;

TEST_CASE("whatever way frames take, nothing is dropped, and patient NICs send nothing twice") {
  std::int64_t gaps = 0;
  std::array<int, 5> policies{};
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    Scenario scenario = random_scenario(seed, {.ways = Ways::any});
    for (const SwitchConfig& config : scenario.switches) ++policies.at(static_cast<std::size_t>(config.routing.policy));
    for (NicConfig& nic : scenario.nics) {
      nic.retransmission = Retransmission::selective_repeat;
      nic.reorder_timeout = Duration{1'000'000'000'000};  // as the time-out
    }
    Simulation simulation{scenario};
    const RunResults results = simulation.run();
    CHECK(results.sound);
    for (const std::string& line : results.why_not) CHECK(line == "");
    CHECK(results.drops.lossless == 0);
    CHECK(results.transfers.retransmitted_packets == 0);
    check_delivered_once(scenario, results);
    check_empty(simulation.state());
    for (const TransferRow& row : results.transfer_rows) CHECK(row.slowdown.value_or(0) >= 1.0 - 1e-9);
    for (const HostRow& host : results.hosts) {
      CHECK(host.duplicate_packets == 0);
      gaps += host.gaps;
    }
  }
  for (const int switches : policies) CHECK(switches > 0);
  CHECK(gaps > 0);
}

TEST_CASE("NICs that take overtaking for loss deliver everything once all the same") {
  std::int64_t again = 0;
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    Scenario scenario = random_scenario(seed, {.ways = Ways::any});
    scenario.stop.stalled_after.reset();  // what nobody tells of is made good by time-outs of a second
    Simulation simulation{scenario};
    const RunResults results = simulation.run();
    CHECK(results.sound);
    CHECK(results.drops.lossless == 0);
    check_delivered_once(scenario, results);
    check_empty(simulation.state());
    again += results.transfers.retransmitted_packets;
  }
  CHECK(again > 0);
}

TEST_CASE("switches and links that fail and come back lose frames, not payload, by every policy") {
  std::int64_t in_switches = 0;
  std::int64_t no_path = 0;
  std::int64_t rerouted = 0;
  std::uint64_t given_up = 0;
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    const Traffic traffic = seed % 2 == 0 ? Traffic::lossless : Traffic::mixed;
    const Scenario scenario = random_scenario(seed, {traffic, HeadroomSizes::automatic, Script::failures, Ways::any});
    Simulation simulation{scenario};
    const RunResults results = simulation.run();
    check_empty(simulation.state());
    // A lossy queue may refuse the same frame of a window each time anew, until its sender gives up.
    const bool gave_up = results.drops.lossy > 0 && std::ranges::any_of(results.why_not, [](const std::string& why) {
                           return why.starts_with("retries exhausted");
                         });
    given_up += gave_up ? 1 : 0;
    if (!gave_up) {
      check_delivered_once(scenario, results);
      for (const std::string& line : results.why_not) CHECK_MESSAGE(line.starts_with("lossless drop"), line);
      CHECK(results.sound == (results.drops.lossless == 0));
    }
    std::int64_t lost = 0;
    for (const LinkRow& row : results.links) lost += row.lost_frames;
    for (const SwitchRow& row : results.switches) {
      lost += row.no_path_frames + row.failure_frames;
      in_switches += row.failure_frames;
      no_path += row.no_path_frames;
    }
    CHECK(lost == results.drops.link);
    rerouted += static_cast<std::int64_t>(results.reconvergences.size());
    if (!results.reconvergences.empty()) CHECK(results.reconvergences.front().lost_frames <= results.drops.link);
  }
  CHECK(in_switches > 0);
  CHECK(no_path > 0);
  CHECK(rerouted > 0);
  CHECK(given_up <= property_seeds() / 50);
}
