// What closed forms say of a scenario before it is simulated: its training steps, and the headroom of its ports.
// Simplifies: each job alone on its links; every channel takes the path of the first.
// Source: docs/model.md sections 5 and 9. Validated by tests/unit/engine/plan_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "engine/plan_input.hpp"
#include "engine/simulation.hpp"
#include "planning/ddp_plan.hpp"
#include "planning/headroom_budget.hpp"

namespace soya {

/// A job of data-parallel training.
struct TrainingPlan {
  std::string job;
  Duration backward;
  DdpPlan step;
  bool followed{true};  ///< false: too many slices for a closed form, and of `step` only the condition is filled in
};

/// The ports with the same budget and the same headroom, under the first of their names.
struct HeadroomPlan {
  std::string node;
  std::string port;
  std::size_t ports{0};
  Bytes configured;  ///< of each lossless group
  HeadroomBudget budget{};
};

struct Plan {
  std::vector<TrainingPlan> training;
  std::vector<HeadroomPlan> headroom;  ///< the largest budget first; empty where no priority is lossless
};

[[nodiscard]] Plan plan_of(const PlanInput& input);
[[nodiscard]] Plan plan_of(const Simulation& simulation);

}  // namespace soya
