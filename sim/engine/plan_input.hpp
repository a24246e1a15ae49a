// What planning works on: a scenario, its routes and its jobs' connections, without NICs, switches and buffers, so that
// it takes seconds for ten thousand hosts.
// Simplifies: nothing. Source: docs/architecture.md. Validated by tests/unit/engine/plan_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "scenario/scenario.hpp"
#include "topology/routing.hpp"
#include "workload/job.hpp"

namespace soya {

struct PlanInput {
  const Scenario& scenario;
  const Routing& routing;
  std::vector<const std::vector<ConnectionConfig>*> connections;  ///< by JobId
};

/// Owns what a `PlanInput` looks at. Throws `ScenarioError` where the scenario has no plan: a pair of hosts without a
/// path, routes in a loop. Routes go round `dead` links, by LinkId, or none. `scenario` outlives it.
class PlannedScenario {
 public:
  explicit PlannedScenario(const Scenario& scenario, const std::vector<bool>& dead = {});

  [[nodiscard]] PlanInput input() const;
  [[nodiscard]] const Routing& routing() const { return routing_; }

 private:
  const Scenario& scenario_;
  Routing routing_;
  std::vector<std::unique_ptr<Job>> jobs_;
};

}  // namespace soya
