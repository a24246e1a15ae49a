#include "sweep/point_plan.hpp"

#include <algorithm>

#include "engine/plan.hpp"
#include "engine/run_estimate.hpp"

namespace soya {

std::int64_t estimated_packet_hops(const Scenario& scenario) {
  const PlannedScenario planned{scenario};
  return estimate_run(planned.input()).packet_hops;
}

std::vector<std::pair<std::string, double>> closed_forms(const Scenario& scenario) {
  const PlannedScenario planned{scenario};
  const Plan plan = plan_of(planned.input());
  std::vector<std::pair<std::string, double>> forms;
  if (!plan.headroom.empty()) {
    const HeadroomBudget& budget = plan.headroom.front().budget;
    forms.emplace_back("plan.headroom_auto_bytes", static_cast<double>(budget.automatic.count()));
    forms.emplace_back("plan.headroom_static_bytes", static_cast<double>(budget.tight_static.count()));
    forms.emplace_back("plan.headroom_dynamic_bytes", static_cast<double>(budget.tight_dynamic.count()));
  }
  Duration longest{0};
  for (const TrainingPlan& training : plan.training) {
    if (training.followed) longest = std::max(longest, training.step.step_time);
  }
  constexpr double picoseconds_per_ms = 1e9;
  if (longest > Duration{0}) {
    forms.emplace_back("plan.step_ms", static_cast<double>(longest.picoseconds()) / picoseconds_per_ms);
  }
  return forms;
}

}  // namespace soya
