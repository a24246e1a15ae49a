// No run is faster than its plan says it can be, whatever the scenario: jobs, transfers, collectives and steps. And no
// direction of a link carries more than planned, or less than data and control messages, where nothing is lost.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "engine/load_plan.hpp"
#include "engine/state.hpp"
#include "property/random_scenario.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Sums of rounded times.
constexpr std::int64_t rounding_ps = 1'000;

std::int64_t finish_of_flow(const RunResults& results, const std::string& flow, std::int64_t& start) {
  std::int64_t finish = 0;
  for (const TransferRow& row : results.transfer_rows) {
    if (row.flow != flow) continue;
    start = std::min(start, row.start_ps);
    finish = std::max(finish, row.finish_ps.value_or(INT64_MAX / 2));
  }
  return finish;
}

}  // namespace

TEST_CASE("lower bounds are never above what a run takes") {
  int bounded = 0;
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    const Scenario scenario = random_scenario(seed, {});
    const PlannedScenario planned{scenario};
    const LoadPlan plan = load_plan(planned.input());
    Simulation simulation{scenario};
    const RunResults results = simulation.run();
    if (!results.complete || results.transfers.finished < results.transfers.count) continue;
    CHECK(plan.at_least.picoseconds() <= results.simulated_ps + rounding_ps);
    for (const JobPlan& job : plan.jobs) {
      CAPTURE(job.name);
      ++bounded;
      CHECK(job.at_least.picoseconds() <= results.simulated_ps + rounding_ps);
      for (const TransferPlan& flow : job.transfers) {
        std::int64_t start = INT64_MAX;
        const std::int64_t finish = finish_of_flow(results, flow.flow, start);
        if (start == INT64_MAX) continue;
        CHECK(flow.at_least.picoseconds() <= finish - start + rounding_ps);
      }
      for (const CollectiveRow& row : results.collectives) {
        if (job.kind != "all_reduce" || !row.name.starts_with(job.name + "/")) continue;
        CHECK(job.unit_at_least->picoseconds() <= std::llround(row.time_us * 1e6) + rounding_ps);
      }
      for (const StepRow& row : results.steps) {
        if (row.job != job.name || row.step != 0) continue;
        CHECK(job.unit_at_least->picoseconds() <= std::llround(row.step_ms * 1e9) + rounding_ps);
      }
    }
  }
  CHECK(bounded > static_cast<int>(property_seeds()) / 2);
}

TEST_CASE("without losses every link carries its data and control messages, and acknowledges up to the planned ones") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= property_seeds(); ++seed) {
    CAPTURE(seed);
    Scenario scenario = random_scenario(seed, {});
    scenario.faults.clear();
    const PlannedScenario planned{scenario};
    const TrafficPlan plan = plan_traffic(planned.input());
    if (!plan.doubts.empty()) continue;
    Simulation simulation{scenario};
    const RunResults results = simulation.run();
    if (!results.sound || results.transfers.retransmitted_packets > 0 || results.drops.lossy > 0) continue;
    ++compared;
    const SimulationState& state = simulation.state();
    for (LinkDirection d = 0; d < plan.loads.size(); ++d) {
      const PortCounters sent = state.port_at(egress_of(state.routing->ports(), d)).counters();
      const std::int64_t measured = sent.wire_bytes - sent.control_frames * (pfc_frame + wire_gap).count();
      CHECK(measured <= plan.loads[d].total().count());
      CHECK(measured >= (plan.loads[d].data + plan.loads[d].control).count());
    }
  }
  CHECK(compared > static_cast<int>(property_seeds()) / 20);
}
