// The closed form of a training step on this fabric, for the result that the simulation is printed beside.
// Simplifies: every channel takes the path of the first. Source: docs/model.md section 9.
// Validated by tests/analytic/ddp_test.cpp.
#pragma once

#include <optional>

#include "engine/state.hpp"
#include "planning/ddp_plan.hpp"

namespace soya {

/// The plan of job `id`; absent when it is not data-parallel training.
[[nodiscard]] std::optional<DdpPlan> step_plan(const SimulationState& state, JobId id);

}  // namespace soya
