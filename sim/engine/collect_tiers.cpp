// What planning said of the links beside what they carried, link by link and tier by tier.
#include <algorithm>

#include "engine/plan_traffic.hpp"
#include "engine/state.hpp"
#include "planning/tier_load.hpp"

namespace soya {

namespace {

constexpr std::size_t unused_named = 8;

[[nodiscard]] TierRow tier_row(const SimulationState& state, const TierLinks& links, const std::vector<Bytes>& measured,
                               const std::vector<Bytes>& planned) {
  TierRow row;
  row.from = links.from;
  row.to = links.to;
  row.links = static_cast<std::int64_t>(links.directions.size());
  row.choice = links.choice;
  const LoadSpread found = spread_of(links, measured);
  row.unused_links = found.unused;
  row.mean_bytes = found.mean.count();
  row.max_bytes = found.max.count();
  row.max_to_mean = found.max_to_mean;
  const LoadSpread expected = spread_of(links, planned);
  row.plan_unused_links = expected.unused;
  row.plan_mean_bytes = expected.mean.count();
  row.plan_max_bytes = expected.max.count();
  row.plan_max_to_mean = expected.max_to_mean;
  for (const LinkDirection d : links.directions) {
    if (measured[d] > Bytes{0} || row.unused.size() == unused_named) continue;
    row.unused.push_back(direction_name(state.scenario.topology, state.routing->ports(), d));
  }
  return row;
}

}  // namespace

PlanInput SimulationState::plan_input() const {
  PlanInput input{scenario, *routing, {}};
  for (const JobState& job : jobs) input.connections.push_back(&job.job->connections());
  return input;
}

void SimulationState::collect_tiers(RunResults& results) const {
  const TrafficPlan plan = plan_traffic(plan_input());
  const PortMap& ports = routing->ports();
  std::vector<Bytes> measured;
  std::vector<Bytes> planned;
  for (LinkDirection d = 0; d < plan.loads.size(); ++d) {
    const PortCounters sent = port_at(egress_of(ports, d)).counters();
    measured.push_back(Bytes{sent.wire_bytes} - sent.control_frames * (pfc_frame + wire_gap));
    planned.push_back(plan.loads[d].total());
  }
  // Link rows come port by port.
  std::size_t row = 0;
  for (std::size_t n = 0; n < ports.node_count(); ++n) {
    for (std::size_t p = 0; p < ports.ports_of(NodeId{n}).size(); ++p, ++row) {
      const LinkDirection d = direction_of(ports, {NodeId{n}, PortId{p}});
      results.links[row].pfc_bytes = results.links[row].wire_bytes - measured[d].count();
      results.links[row].plan_bytes = planned[d].count();
    }
  }
  for (const TierLinks& links : tier_links(scenario.topology, *routing)) {
    results.tiers.push_back(tier_row(*this, links, measured, planned));
  }
}

}  // namespace soya
