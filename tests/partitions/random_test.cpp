// A result is the same byte for byte whatever number of threads a run takes: random fabrics with faults, losses,
// pauses over long links, slow receivers and accelerators, cut wherever they can be cut.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/observer.hpp"
#include "engine/simulation.hpp"
#include "engine/state.hpp"
#include "property/dice.hpp"
#include "property/random_scenario.hpp"
#include "property/random_sites.hpp"
#include "support/result_text.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Counts {
  std::int64_t built{0};
  std::int64_t several{0};  ///< runs in more than one part
  std::int64_t layers{0};   ///< … whose sides take turns
  std::int64_t most{0};     ///< parts
  std::int64_t pauses{0};
  std::int64_t expired{0};  ///< pauses that ran out while they were meant
  std::int64_t lost{0};
};

/// Whether buffers are large enough for links that grew.
bool can_be_built(const Scenario& scenario) {
  try {
    const Simulation simulation{scenario};
    return true;
  } catch (const ScenarioError&) {
    return false;
  }
}

void check_threads(const Scenario& scenario, const std::vector<int>& threads, Counts& counts) {
  ++counts.built;
  const RunResults one = Simulation{scenario}.run();
  counts.pauses += one.pfc.pause_frames;
  counts.expired += one.pfc.expired;
  counts.lost += one.drops.link;
  const std::string expected = result_text(one);
  for (const int count : threads) {
    for (const bool by_layers : {false, true}) {
      CAPTURE(count);
      CAPTURE(by_layers);
      Simulation simulation{scenario, {count, true, by_layers}};
      const PartitionsUsed used = simulation.partitions();
      if (by_layers && !used.by_layers) continue;
      counts.several += used.parts > 1 ? 1 : 0;
      counts.layers += used.by_layers ? 1 : 0;
      counts.most = std::max(counts.most, static_cast<std::int64_t>(used.parts));
      REQUIRE(first_difference(expected, result_text(simulation.run())) == "");
    }
  }
}

/// Some links get up to 400 us long, so that pauses are under way for longer than they last.
void stretch(Scenario& scenario, Dice& dice) {
  for (LinkConfig& link : scenario.topology.links) {
    if (dice.chance(30)) link.delay = Duration{dice.between(1, 400) * 1'000'000};
    if (dice.chance(10)) link.reverse_delay = Duration{dice.between(1, 400) * 1'000'000};
  }
}

/// All facts, in their order.
struct Diary final : Observer {
  void observe(const Fact& fact) override {
    text += std::to_string(fact.time.picoseconds()) + ' ' + std::to_string(static_cast<int>(fact.kind)) + ' ' +
            std::to_string(fact.node.index()) + ' ' + std::to_string(fact.port.index()) + '\n';
  }
  std::string text;
};

struct Interrupt final : RunMonitor {
  bool proceed(const Progress&) override { return false; }
  void transfer_finished(const TransferRow&) override {}
};

/// What is told of finished transfers while a run lasts.
struct Finishes final : RunMonitor {
  bool proceed(const Progress&) override { return true; }
  void transfer_finished(const TransferRow& row) override { rows.push_back(row); }
  std::vector<TransferRow> rows;
};

}  // namespace

TEST_CASE("an observer is told the same facts in the same order however the fabric is cut, with egresses held") {
  std::int64_t several = 0;
  std::size_t facts = 0;
  for (std::uint64_t seed = 1; seed <= property_seeds() / 4; ++seed) {
    CAPTURE(seed);
    const RandomOptions kind{Traffic::mixed, HeadroomSizes::automatic, seed % 2 == 0 ? Script::holds : Script::outages,
                             Ways::any};
    const Scenario scenario = random_scenario(seed, kind);
    if (!can_be_built(scenario)) continue;
    Diary one;
    Simulation whole{scenario};
    whole.observe(one);
    const std::string expected = result_text(whole.run());
    Diary many;
    Simulation cut{scenario, {3, true}};
    several += cut.partitions().parts > 1 ? 1 : 0;
    cut.observe(many);
    REQUIRE(first_difference(expected, result_text(cut.run())) == "");
    REQUIRE(first_difference(one.text, many.text) == "");
    facts += one.text.size();
  }
  CHECK(several > 0);
  CHECK(facts > 0);
}

TEST_CASE("an observer sees a frame that the end of a hold starts on a cut link arrive before anything that is later") {
  // Nothing but a time-out is pending while the only packet waits, and behind its start.
  const Scenario scenario = scenario_of(R"(name: held
topology:
  parts:
    - leaf_spine: {leaves: 2, spines: 1, hosts_per_leaf: 1, host_link: {rate: 100Gbps, length: 5m}, fabric_link: {rate: 100Gbps, length: 200m}}
workload:
  - flows: {list: [{from: host1, to: host2, size: 1KiB}]}
faults:
  - hold: {between: [leaf1, spine1], from: 0s, until: 50us}
)");
  const std::string expected = result_text(Simulation{scenario}.run());
  Diary diary;
  Simulation cut{scenario, {3, true}};
  REQUIRE(cut.partitions().parts > 1);
  cut.observe(diary);
  CHECK(first_difference(expected, result_text(cut.run())) == "");
}

TEST_CASE("between windows there is a mailbox to look at for each part and thread, not for each pair of parts") {
  // A three-tier fat tree of k = 12 has 12^3 / 4 = 432 hosts with a port each, and 5 x 12^2 / 4 = 180 switches of 12
  // ports: 2592 ports. A pod has 36 hosts and 12 switches, 180 ports: three are a part of some 512, and 4 parts all 12.
  // The 36 cores between them have 432 ports: one part.
  const Scenario scenario = scenario_of(R"(name: parts
topology:
  parts:
    - fat_tree: {k: 12, host_link: {rate: 100Gbps, length: 200m}, fabric_link: {rate: 100Gbps, length: 200m}}
workload:
  - permutation: {size: 4KiB}
)");
  Simulation one{scenario};
  CHECK(one.partitions().parts == 5);
  CHECK(one.partitions().by_layers);
  CHECK(one.partitions().threads == 1);
  CHECK(one.state().mail.size() == 5);
  const Simulation two{scenario, {8, true}};
  CHECK(two.partitions().parts == 8);
  CHECK(two.state().mail.size() == 8 * two.partitions().threads);
  const RunResults results = one.run();
  CHECK(results.sound);
  for (const Mailbox& box : one.state().mail) CHECK(box.empty());
  // Fetching what a window will touch is no part of the result.
  Simulation unprepared{scenario};
  REQUIRE(unprepared.state().is_large);
  unprepared.state().is_large = false;
  CHECK(first_difference(result_text(results), result_text(unprepared.run())) == "");
}

namespace {

/// Two fabrics of four hosts each that no link joins: a part each.
Scenario two_fabrics(const std::string& workload) {
  return scenario_of(R"(name: apart
topology:
  parts:
    - leaf_spine: {prefix: a, leaves: 1, spines: 1, hosts_per_leaf: 4, host_link: {rate: 100Gbps, length: 5m}, fabric_link: {rate: 100Gbps, length: 5m}}
    - leaf_spine: {prefix: b, leaves: 1, spines: 1, hosts_per_leaf: 4, host_link: {rate: 100Gbps, length: 5m}, fabric_link: {rate: 100Gbps, length: 5m}}
)" + workload);
}

}  // namespace

TEST_CASE("an interrupt ends a run within a moment where parts that no link joins could run to their ends alone") {
  // 8 x 1 GiB are 2^21 packets, which cross two links as their acknowledges do: 2^23 arrivals. A window that holds more
  // than 2^20 events halves the next one, and the expected traffic bounds the first.
  const Scenario scenario = two_fabrics(R"(workload:
  - permutation: {hosts: [ahost1, ahost2, ahost3, ahost4], shift: 1, size: 1GiB}
  - permutation: {hosts: [bhost1, bhost2, bhost3, bhost4], shift: 1, size: 1GiB}
nic: {ack_every: 1}
)");
  Simulation simulation{scenario, {2, true}};
  REQUIRE(simulation.partitions().parts == 2);
  REQUIRE(simulation.partitions().lookahead == Duration{INT64_MAX});
  Interrupt interrupt;
  const RunResults results = simulation.run(&interrupt);
  CHECK_FALSE(results.complete);
  CHECK(results.events < 1 << 22);
}

TEST_CASE("transfers that finish in several parts are told of in the order in which they finish") {
  const Scenario scenario = two_fabrics(R"(workload:
  - all_reduce: {hosts: [ahost1, ahost2, ahost3, ahost4], size: 64MiB}
  - all_reduce: {hosts: [bhost1, bhost2, bhost3, bhost4], size: 64MiB}
)");
  Simulation simulation{scenario, {2, true}};
  REQUIRE(simulation.partitions().parts == 2);
  Finishes told;
  const RunResults results = simulation.run(&told);
  CHECK(results.sound);
  CHECK(told.rows.size() > results.transfer_rows.size() / 2);
  CHECK(std::ranges::is_sorted(told.rows, {}, [](const TransferRow& row) { return row.finish_ps.value(); }));
}

TEST_CASE("random fabrics: the same result with 1, 2, 3, 4 and 8 threads") {
  Counts counts;
  const RandomOptions kinds[] = {
      {Traffic::mixed, HeadroomSizes::starved, Script::failures, Ways::any},
      {Traffic::mixed, HeadroomSizes::automatic, Script::losses, Ways::hashed},
      {Traffic::lossless, HeadroomSizes::automatic, Script::holds, Ways::any},
      {Traffic::mixed, HeadroomSizes::automatic, Script::outages, Ways::any},
  };
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    Dice dice{seed, "threads"};
    RandomOptions options = kinds[seed % std::size(kinds)];
    const bool long_links = dice.chance(50);
    if (long_links) options.headroom = HeadroomSizes::starved;  // links grow behind its back
    Scenario scenario = random_scenario(seed, options);
    if (long_links) stretch(scenario, dice);
    // Down to less than a frame takes: a pause runs out before its refresh can start.
    if (dice.chance(60)) scenario.pfc.quanta = static_cast<int>(dice.one_of({1, 5, 30, 300}));
    if (dice.chance(30)) scenario.measure.sample = Duration{dice.between(1, 20) * 1'000'000};
    if (dice.chance(10)) scenario.stop.after = Duration{dice.between(5, 200) * 1'000'000};
    if (can_be_built(scenario)) check_threads(scenario, {2, 3, 4, 8}, counts);
  }
  MESSAGE("built: ", counts.built, ", parts: ", counts.most, ", runs in several: ", counts.several,
          ", by layers: ", counts.layers, ", pauses: ", counts.pauses, ", expired: ", counts.expired, ", lost: ", counts.lost);
  CHECK(counts.built > static_cast<std::int64_t>(property_seeds() * 2 / 3));
  CHECK(counts.most >= 8);
  CHECK(counts.layers > static_cast<std::int64_t>(property_seeds() / 4));
  CHECK(counts.several > static_cast<std::int64_t>(property_seeds()));
  CHECK(counts.pauses > 0);
  CHECK(counts.expired > 0);
  CHECK(counts.lost > 0);
}

TEST_CASE("accelerators over long links: the same result with 1, 2, 3, 4 and 8 threads") {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= property_seeds() / 4; ++seed) {
    CAPTURE(seed);
    check_threads(RandomSites{seed}.scenario, {2, 3, 4, 8}, counts);
  }
  CHECK(counts.several > 0);
  CHECK(counts.lost > 0);
}
