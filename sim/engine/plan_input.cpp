#include "engine/plan_input.hpp"

#include <string>
#include <utility>
#include <variant>

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

/// Connections without a path where there was one before links went down: the first few.
[[nodiscard]] std::vector<Diagnostic> cut_off(const PlanInput& input) {
  constexpr std::size_t named = 8;
  std::vector<Diagnostic> problems;
  std::size_t others = 0;
  const PortMap& ports = input.routing.ports();
  const auto name = [&](HostId host) { return input.scenario.topology.nodes[ports.node_of(host).index()].name; };
  const HostPorts host_ports{input.scenario.topology, ports};
  for (std::size_t j = 0; j < input.connections.size(); ++j) {
    for (const ConnectionConfig& one : *input.connections[j]) {
      const HostPair nics = nics_of(host_ports, input.scenario.jobs[j], {one.a, one.b});
      for (const bool from_a : {true, false}) {
        const HostPair ends = from_a ? nics : HostPair{nics.to, nics.from};
        if (!input.routing.path(ends, flow_hash_of(one, from_a)).empty()) continue;
        if (problems.size() == named) {
          ++others;
        } else {
          problems.push_back(
              {{}, "with the remaining links there is no path " + name(ends.from) + " -> " + name(ends.to)});
        }
      }
    }
  }
  if (others > 0) problems.push_back({{}, "and none for " + std::to_string(others) + " more connections' ends"});
  return problems;
}

}  // namespace

PlannedScenario::PlannedScenario(const Scenario& scenario, const std::vector<bool>& dead)
    : scenario_{scenario}, routing_{routing_of(scenario, dead)} {
  std::vector<Diagnostic> errors = route_problems(scenario.topology, routing_);
  for (Diagnostic& problem : formula_problems(scenario, routing_.ports())) errors.push_back(std::move(problem));
  for (Diagnostic& problem : path_problems(scenario)) errors.push_back(std::move(problem));
  if (!errors.empty()) throw ScenarioError(std::move(errors));
  jobs_ = make_jobs(scenario.jobs, host_names(scenario.topology));
  if (dead.empty()) return;
  errors = cut_off(input());
  if (!errors.empty()) throw ScenarioError(std::move(errors));
}

PlanInput PlannedScenario::input() const {
  PlanInput input{scenario_, routing_, {}};
  for (const std::unique_ptr<Job>& job : jobs_) input.connections.push_back(&job->connections());
  return input;
}

}  // namespace soya
