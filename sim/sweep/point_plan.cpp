#include "sweep/point_plan.hpp"

#include <algorithm>
#include <cmath>

#include "engine/plan.hpp"
#include "engine/plan_traffic.hpp"

namespace soya {

std::int64_t estimated_packet_hops(const Scenario& scenario) {
  const PlannedScenario planned{scenario};
  const TrafficPlan traffic = plan_traffic(planned.input());
  constexpr double headers = 82;      // on the wire, beside the payload of a packet
  constexpr double acknowledge = 86;  // on the wire
  const double packet = static_cast<double>(scenario.frame.mtu.count()) + headers;
  double hops = 0;
  for (const WireLoad& load : traffic.loads) {
    hops += static_cast<double>(load.data.count()) / packet;
    hops += static_cast<double>((load.acknowledge + load.control).count()) / acknowledge;
  }
  return std::llround(hops);
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
