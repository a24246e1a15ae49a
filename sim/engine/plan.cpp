#include "engine/plan.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/headroom_auto.hpp"
#include "engine/state.hpp"
#include "engine/step_plan.hpp"

namespace soya {

namespace {

/// What ports must have in common to be one line of the plan.
using Alike = std::tuple<Bytes, Bytes, Bytes, Bytes, Bytes, Bytes>;

[[nodiscard]] Alike alike(const HeadroomPlan& plan) {
  const HeadroomBudget& budget = plan.budget;
  return {budget.automatic, plan.configured, budget.propagation, budget.waiting, budget.pause_frame, budget.response};
}

[[nodiscard]] auto name_of(const HeadroomPlan& plan) {
  return std::tie(plan.node, plan.port);
}

[[nodiscard]] std::vector<TrainingPlan> training_plans(const SimulationState& state) {
  std::vector<TrainingPlan> plans;
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    std::optional<DdpPlan> step = step_plan(state, JobId{j});
    if (!step) continue;
    const auto& config = std::get<DdpConfig>(state.scenario.jobs[j]);
    plans.push_back({config.name, config.backward, std::move(*step)});
  }
  return plans;
}

[[nodiscard]] std::vector<HeadroomPlan> headroom_plans(const SimulationState& state) {
  if (state.scenario.pfc.priorities.empty()) return {};
  const auto budgets = headroom_budgets(state.scenario, state.routing->ports());
  std::map<Alike, HeadroomPlan> kinds;
  for (std::size_t s = 0; s < budgets.size(); ++s) {
    const NodeId node = state.node_of(SwitchId{s});
    const std::vector<Bytes> sizes =
        headroom_of_groups(state.scenario.switches[s].headroom, state.scenario.pfc.priorities, state.headroom_auto[s]);
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      HeadroomPlan plan{state.node_name(node), state.port_name(node, PortId{p}), 0, sizes[p], budgets[s][p]};
      HeadroomPlan& kind = kinds.try_emplace(alike(plan), plan).first->second;
      plan.ports = kind.ports + 1;
      // The first by name, not by number: the order of a file changes nothing.
      if (name_of(kind) < name_of(plan)) {
        kind.ports = plan.ports;
      } else {
        kind = std::move(plan);
      }
    }
  }
  std::vector<HeadroomPlan> plans;
  for (auto& [key, kind] : kinds) plans.push_back(std::move(kind));
  std::sort(plans.begin(), plans.end(), [](const HeadroomPlan& a, const HeadroomPlan& b) {
    if (a.budget.automatic != b.budget.automatic) return a.budget.automatic > b.budget.automatic;
    return name_of(a) < name_of(b);
  });
  return plans;
}

}  // namespace

Plan plan_of(const Simulation& simulation) {
  return {training_plans(simulation.state()), headroom_plans(simulation.state())};
}

}  // namespace soya
