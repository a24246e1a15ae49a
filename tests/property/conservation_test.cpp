// Laws that hold in every fabric whose headroom meets its budget, whatever the traffic and the tie order.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <variant>

#include "engine/simulation.hpp"
#include "engine/state.hpp"
#include "property/laws.hpp"
#include "property/random_scenario.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// A packet that overtook another would have made a NAK, a duplicate or a time-out.
void check_order_kept(const SimulationState& state) {
  for (const Nic& nic : state.nics) {
    for (const QueuePair& queue_pair : nic.queue_pairs()) {
      CHECK(queue_pair.naks_received == 0);
      CHECK(queue_pair.timeouts == 0);
      CHECK(queue_pair.responder.duplicates() == 0);
      CHECK(queue_pair.requester.retransmitted() == 0);
    }
  }
}

template <class Visit>
void for_each_port(SimulationState& state, Visit visit) {
  const PortMap& map = state.routing->ports();
  for (std::size_t n = 0; n < map.node_count(); ++n) {
    for (std::size_t p = 0; p < map.ports_of(NodeId{n}).size(); ++p) visit(state.port_at({NodeId{n}, PortId{p}}));
  }
}

/// Whether a NIC may end a run with an acknowledge that it still owes: a duplicate came while its XON was lost.
enum class OwedAcknowledges { none, possible };

/// Lets the clocks run on until the last pause that was in force has ended by itself.
void check_pauses_end(SimulationState& state, OwedAcknowledges owed = OwedAcknowledges::none) {
  for_each_port(state, [](const Port& port) {
    CHECK(port.pause_refresher.asking().empty());
    CHECK_FALSE(port.pause_refresher.due());
  });
  Time last = state.now;
  for (const LinkConfig& link : state.scenario.topology.links) {
    for (const Rate rate : {link.rate, link.rate_from(link.b)}) {
      last = std::max(last, state.now + response_time(state.scenario.pfc, rate) +
                                quanta_time(state.scenario.pfc.quanta, rate));
    }
  }
  const std::int64_t packets = state.totals().packets;
  while (state.next_key().time <= last && state.ending == Ending::done) state.step();
  for_each_port(state, [](const Port& port) { CHECK(port.pause_clock.paused().empty()); });
  if (owed == OwedAcknowledges::none) CHECK(state.totals().packets == packets);
}

void check_lossless(const RunResults& results) {
  CHECK(results.sound);
  for (const std::string& line : results.why_not) CHECK(line == "");
  CHECK(results.drops.lossless == 0);
  CHECK(results.buffers.headroom_margin_bytes.value_or(0) >= 0);
  for (const SwitchRow& row : results.switches) CHECK(row.buffer_peak_bytes <= row.buffer_size_bytes);
  for (const QueueRow& row : results.queues) {
    if (!row.lossless) continue;
    CHECK(row.dropped_frames == 0);
    CHECK(row.headroom_peak_bytes <= row.headroom_auto_bytes);
  }
  for (const LinkRow& row : results.links) CHECK(row.utilisation <= 1.0 + 1e-9);
  for (const TransferRow& row : results.transfer_rows) CHECK(row.slowdown.value_or(0) >= 1.0 - 1e-9);
}

}  // namespace

TEST_CASE("a lossless fabric delivers everything once, in order, without a drop, and ends empty") {
  std::int64_t pauses = 0;
  std::int64_t fabrics_with_pauses = 0;
  std::int64_t off_chip = 0;
  std::int64_t pressed = 0;
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    Scenario scenario = random_scenario(seed, {});
    for (const std::uint64_t tie_order : {seed, seed + 1'000'000}) {
      CAPTURE(tie_order);
      scenario.seed = tie_order;
      Simulation simulation{scenario};
      const RunResults results = simulation.run();
      check_lossless(results);
      check_delivered_once(scenario, results);
      check_order_kept(simulation.state());
      check_empty(simulation.state());
      check_pauses_end(simulation.state());
      pauses += results.pfc.pause_frames;
      fabrics_with_pauses += results.pfc.pause_frames > 0 ? 1 : 0;
      for (const Switch& one : simulation.state().switches) {
        if (one.deep_memory() == nullptr) continue;
        off_chip += one.deep_memory()->written() > Bytes{0} ? 1 : 0;
        pressed += one.deep_memory()->pressed_time(simulation.state().now) > Duration{0} ? 1 : 0;
      }
    }
  }
  // The property is about pauses: most of these fabrics must need some.
  MESSAGE(pauses << " pauses in " << fabrics_with_pauses << " of " << 2 * property_seeds() << " runs");
  MESSAGE(off_chip << " switches wrote off chip, " << pressed << " paused because their on-chip memory was full");
  CHECK(off_chip * 10 >= static_cast<std::int64_t>(property_seeds()));
  CHECK(pressed > 0);
  CHECK(fabrics_with_pauses * 2 >= static_cast<std::int64_t>(property_seeds()));
}

TEST_CASE("buffers obey their conservation laws after every event, in every mode and with too little headroom, too") {
  std::array<int, std::variant_size_v<HeadroomMode>> seen{};
  // Enough for every mode to come up, however few seeds are asked for.
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(property_seeds() / 5, 30); ++seed) {
    CAPTURE(seed);
    const HeadroomSizes sizes = seed % 2 == 0 ? HeadroomSizes::automatic : HeadroomSizes::starved;
    Simulation simulation{random_scenario(seed, {Traffic::mixed, sizes, Script::losses})};
    SimulationState& state = simulation.state();
    for (const SwitchConfig& one : state.scenario.switches) ++seen[one.headroom.mode.index()];
    while (!state.is_over() && state.ending == Ending::done) {
      const Time before = state.now;
      state.step();
      REQUIRE(state.now >= before);
      for (const Switch& one : state.switches) {
        one.buffer().check_invariants();
        if (one.deep_memory() != nullptr) one.deep_memory()->check_invariants();
      }
    }
    CHECK(state.ending == Ending::done);
    for (const Switch& one : state.switches) CHECK(one.buffer().occupancy() == Bytes{0});
  }
  for (const int times : seen) CHECK(times > 0);
}

TEST_CASE("lossy classes and lost packets cost time, never payload and never a lossless frame") {
  std::int64_t lossy_drops = 0;
  std::int64_t lost = 0;
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    const Scenario scenario = random_scenario(seed, {Traffic::mixed, HeadroomSizes::automatic, Script::losses});
    Simulation simulation{scenario};
    const RunResults results = simulation.run();
    check_lossless(results);
    check_delivered_once(scenario, results);
    check_empty(simulation.state());
    check_pauses_end(simulation.state());
    std::int64_t lost_on_links = 0;
    for (const LinkRow& row : results.links) lost_on_links += row.lost_frames;
    CHECK(lost_on_links == results.drops.link);
    lossy_drops += results.drops.lossy;
    lost += results.drops.link;
  }
  MESSAGE(lossy_drops << " lossy drops, " << lost << " frames lost on links");
  CHECK(lossy_drops > 0);
  CHECK(lost > 0);
}

TEST_CASE("links that go down and come back lose frames, not payload") {
  std::int64_t lost = 0;
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    const Scenario scenario = random_scenario(seed, {Traffic::lossless, HeadroomSizes::automatic, Script::outages});
    Simulation simulation{scenario};
    const RunResults results = simulation.run();
    check_delivered_once(scenario, results);
    check_empty(simulation.state());
    check_pauses_end(simulation.state(), OwedAcknowledges::possible);
    // A PFC frame may be lost, too; then a buffer may overflow, and the run must say so.
    CHECK(results.sound == (results.drops.lossless == 0));
    lost += results.drops.link;
  }
  CHECK(lost > 0);
}

TEST_CASE("too little headroom loses frames, and the run says so, never silently") {
  std::int64_t unsound = 0;
  std::uint64_t given_up = 0;
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    const Scenario scenario = random_scenario(seed, {Traffic::lossless, HeadroomSizes::starved, Script::holds});
    Simulation simulation{scenario};
    const RunResults results = simulation.run();
    // Where a buffer refuses the same frame of a window each time anew, a queue pair ends after its last retry.
    const bool gave_up = std::ranges::any_of(
        results.why_not, [](const std::string& why) { return why.starts_with("retries exhausted"); });
    if (!gave_up) check_delivered_once(scenario, results);
    given_up += gave_up ? 1 : 0;
    check_empty(simulation.state());
    std::int64_t dropped = 0;
    std::int64_t places = 0;
    for (const QueueRow& row : results.queues) {
      dropped += row.dropped_frames;
      places += row.dropped_frames > 0 ? 1 : 0;
    }
    // On-chip memory in front of off-chip memory is large enough but where nothing is kept for landing.
    bool on_chip = false;
    for (std::size_t s = 0; s < scenario.switches.size(); ++s) {
      for (const LosslessDrop& drop : simulation.state().switches[s].lossless_drops()) {
        if (drop.limit != HeadroomLimit::on_chip) continue;
        CHECK(std::holds_alternative<NoHeadroom>(scenario.switches[s].headroom.mode));
        on_chip = true;
      }
    }
    // Every mode has a tightest store of bytes, and it was too small exactly where frames were lost.
    if (!on_chip) CHECK((results.buffers.headroom_margin_bytes.value_or(0) < 0) == (dropped > 0));
    CHECK(dropped == results.drops.lossless);
    CHECK(results.sound == (dropped == 0));
    if (!gave_up) CHECK(results.why_not.size() == static_cast<std::size_t>(places <= 5 ? places : 6));
    unsound += results.sound ? 0 : 1;
  }
  MESSAGE(unsound << " of " << property_seeds() << " starved fabrics lose frames");
  CHECK(given_up <= property_seeds() / 50);
  CHECK(unsound * 4 >= static_cast<std::int64_t>(property_seeds()));
}
