// A result is the same byte for byte whatever number of threads a run takes: random fabrics with faults, losses,
// pauses over long links, slow receivers and accelerators, cut wherever they can be cut.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "property/dice.hpp"
#include "property/random_scenario.hpp"
#include "property/random_sites.hpp"
#include "support/result_text.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Counts {
  std::int64_t built{0};
  std::int64_t several{0};  ///< runs in more than one part
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
    CAPTURE(count);
    Simulation simulation{scenario, {count, true}};
    const auto parts = static_cast<std::int64_t>(simulation.partitions().parts);
    counts.several += parts > 1 ? 1 : 0;
    counts.most = std::max(counts.most, parts);
    REQUIRE(first_difference(expected, result_text(simulation.run())) == "");
  }
}

/// Some links get up to 400 us long, so that pauses are under way for longer than they last.
void stretch(Scenario& scenario, Dice& dice) {
  for (LinkConfig& link : scenario.topology.links) {
    if (dice.chance(30)) link.delay = Duration{dice.between(1, 400) * 1'000'000};
    if (dice.chance(10)) link.reverse_delay = Duration{dice.between(1, 400) * 1'000'000};
  }
}

}  // namespace

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
          ", pauses: ", counts.pauses, ", expired: ", counts.expired, ", lost: ", counts.lost);
  CHECK(counts.built > static_cast<std::int64_t>(property_seeds() * 2 / 3));
  CHECK(counts.most == 8);
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
