// How much a run will do, told before it starts: packets times the links that each crosses.
// Simplifies: an acknowledge for each packet that asks; what is sent again is not foreseen; where `stop.after` ends
// the run early, jobs send as much as their busiest link lets them by then.
// Source: docs/model.md section 10. Validated by tests/analytic/run_estimate_test.cpp.
#pragma once

#include <cstdint>

#include "engine/plan_input.hpp"
#include "engine/simulation.hpp"

namespace soya {

struct RunEstimate {
  std::int64_t packet_hops{0};  ///< acknowledges and control messages included, PFC frames not
  bool at_least{false};         ///< losses, faults or slow receivers may have packets sent again
  std::int64_t hosts{0};        ///< that send or receive
};

[[nodiscard]] RunEstimate estimate_run(const PlanInput& input);
[[nodiscard]] RunEstimate estimate_run(const Simulation& simulation);

}  // namespace soya
