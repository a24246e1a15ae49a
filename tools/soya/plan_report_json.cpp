// The JSON of `soya plan`: stable keys, units in the names.
#include <cmath>
#include <nlohmann/json.hpp>

#include "plan_report.hpp"

namespace soya::cli {

namespace {

using Json = nlohmann::ordered_json;

Json time_json(const std::optional<Duration>& time) {
  return time ? Json(time->picoseconds()) : Json();
}

void add_load(Json& json, const WireLoad& load) {
  json["data_bytes"] = load.data.count();
  json["acknowledge_bytes"] = load.acknowledge.count();
  json["control_bytes"] = load.control.count();
}

Json transfers_json(const PlanReport& report, const JobPlan& job) {
  Json rows = Json::array();
  const auto name = [&](HostId host) {
    return report.scenario.topology.nodes[report.ports.node_of(host).index()].name;
  };
  for (const TransferPlan& one : job.transfers) {
    rows.push_back({{"flow", one.flow},
                    {"from", name(one.from)},
                    {"to", name(one.to)},
                    {"payload_bytes", one.payload.count()},
                    {"start_ps", (one.start - Time{0}).picoseconds()},
                    {"at_least_ps", one.at_least.picoseconds()},
                    {"estimate_ps", time_json(one.estimate)}});
  }
  return rows;
}

Json jobs_json(const PlanReport& report, const LoadPlan& plan) {
  Json rows = Json::array();
  for (const JobPlan& job : plan.jobs) {
    Json row{{"name", job.name}, {"kind", job.kind}};
    add_load(row, job.sends);
    row["at_least_ps"] = job.at_least.picoseconds();
    row["estimate_ps"] = time_json(job.estimate);
    row["part"] = job.unit.empty() ? Json() : Json(job.unit);
    row["part_at_least_ps"] = time_json(job.unit_at_least);
    row["transfers"] = transfers_json(report, job);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json tiers_json(const PlanReport& report, const LoadPlan& plan) {
  std::vector<Bytes> loads;
  for (const WireLoad& load : plan.traffic.loads) loads.push_back(load.total());
  Json rows = Json::array();
  for (const TierLinks& links : plan.tiers) {
    const LoadSpread spread = spread_of(links, loads);
    Json unused = Json::array();
    for (const LinkDirection d : links.directions) {
      if (loads[d] == Bytes{0}) unused.push_back(direction_name(report.scenario.topology, report.ports, d));
    }
    rows.push_back({{"from", links.from},
                    {"to", links.to},
                    {"links", links.directions.size()},
                    {"choice", links.choice},
                    {"mean_bytes", spread.mean.count()},
                    {"max_bytes", spread.max.count()},
                    {"max_to_mean", std::isfinite(spread.max_to_mean) ? Json(spread.max_to_mean) : Json()},
                    {"unused", std::move(unused)}});
  }
  return rows;
}

Json links_json(const PlanReport& report, const LoadPlan& plan) {
  Json rows = Json::array();
  const TopologyConfig& topology = report.scenario.topology;
  for (LinkDirection d = 0; d < plan.traffic.loads.size(); ++d) {
    const PortRef egress = egress_of(report.ports, d);
    const LinkConfig& link = topology.links[d / 2];
    Json row{{"from", topology.nodes[egress.node.index()].name},
             {"to", topology.nodes[report.ports.at(egress).peer.index()].name},
             {"name", direction_name(topology, report.ports, d)},
             {"rate_bps", link.rate_from(egress.node).bits_per_second()}};
    add_load(row, plan.traffic.loads[d]);
    row["load_bytes"] = plan.traffic.loads[d].total().count();
    row["time_ps"] = plan.times[d].picoseconds();
    row["acknowledges_exact"] = static_cast<bool>(plan.traffic.exact[d]);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json loads_json(const PlanReport& report, const LoadPlan& plan) {
  return {{"at_least_ps", plan.at_least.picoseconds()},
          {"bottleneck", plan.hottest.empty()
                             ? Json()
                             : Json(direction_name(report.scenario.topology, report.ports, plan.hottest.front()))},
          {"not_in_it", plan.traffic.doubts},
          {"jobs", jobs_json(report, plan)},
          {"tiers", tiers_json(report, plan)},
          {"links", links_json(report, plan)}};
}

Json training_json(const Plan& plan) {
  Json rows = Json::array();
  for (const TrainingPlan& one : plan.training) {
    const auto known = [&](Duration time) { return one.followed ? Json(time.picoseconds()) : Json(); };
    rows.push_back({{"job", one.job},
                    {"backward_ps", one.backward.picoseconds()},
                    {"data_over_bandwidth_ps", one.step.condition.communication.picoseconds()},
                    {"condition_holds", one.step.condition.holds},
                    {"on_wire_ps", known(one.step.on_wire)},
                    {"exposed_ps", known(one.step.exposed)},
                    {"step_ps", known(one.step.step_time)}});
  }
  return rows;
}

Json headroom_json(const Plan& plan) {
  Json rows = Json::array();
  for (const HeadroomPlan& one : plan.headroom) {
    rows.push_back({{"node", one.node},
                    {"port", one.port},
                    {"ports", one.ports},
                    {"configured_bytes", one.configured.count()},
                    {"auto_bytes", one.budget.automatic.count()}});
  }
  return rows;
}

}  // namespace

std::string plan_report_json(const PlanReport& report) {
  Json json{{"name", report.scenario.name}, {"seed", report.scenario.seed}, {"version", SOYA_VERSION}};
  json["estimate"] = {{"packet_hops", report.estimate.packet_hops},
                      {"packet_hops_at_least", report.estimate.at_least},
                      {"memory_bytes_at_most", estimated_memory_bytes(report.scenario)}};
  json["training"] = training_json(report.plan);
  json.update(loads_json(report, report.loads));
  json["headroom"] = headroom_json(report.plan);
  json["after_faults"] = report.after_faults ? loads_json(report, *report.after_faults) : Json();
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace soya::cli
