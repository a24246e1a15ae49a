// A result is a function of the scenario alone: not of the run, the thread, or the order of a file.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "engine/simulation.hpp"
#include "property/random_scenario.hpp"
#include "support/result_text.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr RandomOptions everything{Traffic::mixed, HeadroomSizes::starved, Script::failures, Ways::any};

std::string run_text(const Scenario& scenario) {
  return result_text(Simulation{scenario}.run());
}

/// What each flow met, whatever the order in which flows are listed.
std::vector<std::string> by_flow(const RunResults& results) {
  std::vector<std::string> rows;
  for (const TransferRow& row : results.transfer_rows) {
    rows.push_back(row.flow + ' ' + row.from + ' ' + row.to + ' ' + std::to_string(row.bytes) + ' ' +
                   std::to_string(row.start_ps) + ' ' + std::to_string(row.finish_ps.value_or(-1)) + ' ' +
                   std::to_string(row.retransmitted_packets.value_or(-1)) + ' ' + std::to_string(row.ideal_ps));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

TEST_CASE("the same scenario gives the same result, run twice and in two threads at once") {
  for (std::uint64_t seed = 1; seed <= property_seeds() / 2; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = random_scenario(seed, everything);
    const std::string first = run_text(scenario);
    std::string here;
    std::string there;
    std::thread other{[&] { there = run_text(scenario); }};
    here = run_text(scenario);
    other.join();
    CHECK(first_difference(first, here) == "");
    CHECK(first_difference(first, there) == "");
  }
}

TEST_CASE("another seed gives another order of events") {
  std::int64_t differ = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Scenario scenario = random_scenario(seed, {});
    const std::string first = Simulation{scenario}.run().fingerprint;
    scenario.seed += 1'000'000;
    differ += Simulation{scenario}.run().fingerprint == first ? 0 : 1;
  }
  CHECK(differ >= 15);
}

TEST_CASE("the order of nodes, links, flows and faults in a file changes nothing") {
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    const Scenario scenario = random_scenario(seed, everything);
    const RunResults listed = Simulation{scenario}.run();
    const RunResults shuffled = Simulation{permuted(scenario, seed)}.run();
    CHECK(by_flow(listed) == by_flow(shuffled));
    CHECK(listed.fingerprint == shuffled.fingerprint);
    CHECK(first_difference(summary_json(listed, {}), summary_json(shuffled, {})) == "");
  }
}
