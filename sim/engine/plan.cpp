#include "engine/plan.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/headroom_auto.hpp"
#include "engine/state.hpp"
#include "engine/step_plan.hpp"
#include "planning/tier_load.hpp"

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

[[nodiscard]] std::vector<TrainingPlan> training_plans(const PlanInput& input) {
  std::vector<TrainingPlan> plans;
  for (std::size_t j = 0; j < input.scenario.jobs.size(); ++j) {
    const auto* config = std::get_if<DdpConfig>(&input.scenario.jobs[j]);
    if (config == nullptr) continue;
    const RingNetwork network = ring_network(input, JobId{j}, config->hosts, config->ring);
    if (const std::int64_t slices = ring_slices(*config); slices > most_slices_followed) {
      DdpPlan condition;
      condition.condition = ddp_condition(*config, ring_rate(network));
      plans.push_back({config->name, config->backward, std::move(condition), false});
    } else {
      plans.push_back({config->name, config->backward, plan_ddp(*config, network)});
    }
  }
  return plans;
}

[[nodiscard]] std::vector<HeadroomPlan> headroom_plans(const Scenario& scenario, const PortMap& ports) {
  if (scenario.pfc.priorities.empty()) return {};
  const auto budgets = headroom_budgets(scenario, ports);
  const auto automatic = automatic_headroom(scenario, ports);
  std::map<Alike, HeadroomPlan> kinds;
  for (std::size_t s = 0; s < budgets.size(); ++s) {
    const NodeId node = ports.node_of(SwitchId{s});
    const std::string& name = scenario.topology.nodes[node.index()].name;
    const std::vector<Bytes> sizes =
        headroom_of_groups(scenario.switches[s].headroom, scenario.pfc.priorities, automatic[s]);
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      HeadroomPlan plan{name, port_label(scenario.topology, ports, {node, PortId{p}}), 0, sizes[p], budgets[s][p]};
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

Plan plan_of(const PlanInput& input) {
  return {training_plans(input), headroom_plans(input.scenario, input.routing.ports())};
}

Plan plan_of(const Simulation& simulation) {
  return plan_of(simulation.state().plan_input());
}

}  // namespace soya
