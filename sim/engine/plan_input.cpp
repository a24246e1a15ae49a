#include "engine/plan_input.hpp"

#include <string>

#include "engine/headroom_auto.hpp"
#include "engine/routes.hpp"
#include "topology/route_loops.hpp"
#include "workload/make_job.hpp"

namespace soya {

namespace {

[[nodiscard]] std::vector<std::string> host_names(const TopologyConfig& topology) {
  std::vector<std::string> names;
  for (const NodeConfig& node : topology.nodes) {
    if (node.kind == NodeKind::host) names.push_back(node.name);
  }
  return names;
}

}  // namespace

PlannedScenario::PlannedScenario(const Scenario& scenario) : scenario_{scenario}, routing_{routing_of(scenario)} {
  std::vector<Diagnostic> errors = route_problems(scenario.topology, routing_);
  for (Diagnostic& problem : formula_problems(scenario, routing_.ports())) errors.push_back(std::move(problem));
  for (Diagnostic& problem : path_problems(scenario)) errors.push_back(std::move(problem));
  if (!errors.empty()) throw ScenarioError(std::move(errors));
  jobs_ = make_jobs(scenario.jobs, host_names(scenario.topology));
}

PlanInput PlannedScenario::input() const {
  PlanInput input{scenario_, routing_, {}};
  for (const std::unique_ptr<Job>& job : jobs_) input.connections.push_back(&job->connections());
  return input;
}

}  // namespace soya
