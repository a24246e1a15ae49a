// The planned load of every link direction beside the bytes that a run puts there, PFC frames apart.
// Simplifies: nothing. Source: docs/model.md section 10. Validated by the tests that use it.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/plan_input.hpp"
#include "engine/plan_traffic.hpp"
#include "engine/state.hpp"
#include "support/fabric_bench.hpp"

namespace soya::test {

/// PFC frames are 64 B, an acknowledge 62 + 4 B; each with 20 B of preamble and gap.
constexpr std::int64_t pfc_wire = 84;
constexpr std::int64_t acknowledge_wire = 86;

struct LoadComparison {
  TrafficPlan plan;
  RunResults results;
  std::vector<std::int64_t> measured;  ///< by LinkDirection
};

inline LoadComparison run_beside_plan(const Scenario& scenario) {
  const PlannedScenario planned{scenario};
  LoadComparison both{plan_traffic(planned.input()), {}, {}};
  Simulation simulation{scenario};
  both.results = simulation.run();
  CHECK(both.results.sound);
  CHECK(both.results.transfers.retransmitted_packets == 0);
  const SimulationState& state = simulation.state();
  for (LinkDirection d = 0; d < both.plan.loads.size(); ++d) {
    const PortCounters sent = state.port_at(egress_of(state.routing->ports(), d)).counters();
    both.measured.push_back(sent.wire_bytes - sent.control_frames * pfc_wire);
  }
  return both;
}

/// Largest |measured / planned − 1| of the directions that are planned to carry `least` or more.
inline double largest_error(const LoadComparison& both, Bytes least) {
  double error = 0;
  std::size_t compared = 0;
  for (LinkDirection d = 0; d < both.plan.loads.size(); ++d) {
    const std::int64_t planned = both.plan.loads[d].total().count();
    if (planned < least.count()) continue;
    ++compared;
    error = std::max(error, std::abs(static_cast<double>(both.measured[d]) / static_cast<double>(planned) - 1));
  }
  CHECK(compared > 0);
  return error;
}

}  // namespace soya::test
