#include "engine/load_plan.hpp"

#include <algorithm>
#include <tuple>
#include <variant>

namespace soya {

namespace {

struct KindOf {
  std::string operator()(const FlowsConfig&) const { return "flows"; }
  std::string operator()(const AllReduceConfig&) const { return "all_reduce"; }
  std::string operator()(const DdpConfig&) const { return "ddp"; }
  std::string operator()(const PerftestConfig&) const { return "perftest"; }
};

/// The flows of a list, and a perftest's queue pairs; a collective has too many messages to name.
[[nodiscard]] std::vector<TransferPlan> transfers_of(const PlanInput& input, const TrafficPlan& traffic, JobId id) {
  std::vector<TransferPlan> transfers;
  const JobConfig& job = input.scenario.jobs[id.index()];
  const auto* flows = std::get_if<FlowsConfig>(&job);
  if (flows == nullptr && !std::holds_alternative<PerftestConfig>(job)) return transfers;
  const std::vector<ConnectionConfig>& connections = *input.connections[id.index()];
  for (std::size_t c = 0; c < connections.size(); ++c) {
    const Bytes payload = traffic.traffic[id.index()][c].by_a.payload;
    const Time start = flows == nullptr ? Time{0} : flows->flows[c].start;
    transfers.push_back(
        {connections[c].identity, connections[c].a, connections[c].b, payload, start, Duration{0}, std::nullopt});
  }
  return transfers;
}

[[nodiscard]] std::vector<Duration> times_at_rate(const PlanInput& input, const std::vector<WireLoad>& loads) {
  std::vector<Duration> times;
  times.reserve(loads.size());
  for (LinkDirection d = 0; d < loads.size(); ++d) {
    const LinkConfig& link = input.scenario.topology.links[d / 2];
    times.push_back(serialisation(loads[d].total(), link.rate_from(d % 2 == 0 ? link.a : link.b)));
  }
  return times;
}

[[nodiscard]] std::vector<LinkDirection> hottest(const PlanInput& input, const std::vector<Duration>& times) {
  std::vector<LinkDirection> order;
  for (LinkDirection d = 0; d < times.size(); ++d) {
    if (times[d] > Duration{0}) order.push_back(d);
  }
  const std::vector<NodeConfig>& nodes = input.scenario.topology.nodes;
  const PortMap& ports = input.routing.ports();
  std::ranges::stable_sort(order, [&](LinkDirection a, LinkDirection b) {
    if (times[a] != times[b]) return times[a] > times[b];
    const auto ends = [&](LinkDirection d) {
      const PortRef egress = egress_of(ports, d);
      return std::tie(nodes[egress.node.index()].name, nodes[ports.at(egress).peer.index()].name);
    };
    return ends(a) < ends(b);
  });
  return order;
}

}  // namespace

LoadPlan load_plan(const PlanInput& input) {
  LoadPlan plan;
  plan.traffic = plan_traffic(input);
  for (std::size_t j = 0; j < input.scenario.jobs.size(); ++j) {
    const JobConfig& job = input.scenario.jobs[j];
    JobPlan one;
    one.name = std::visit([](const auto& config) { return config.name; }, job);
    one.kind = std::visit(KindOf{}, job);
    for (const ConnectionTraffic& traffic : plan.traffic.traffic[j]) one.sends += traffic.from_a() + traffic.from_b();
    one.transfers = transfers_of(input, plan.traffic, JobId{j});
    plan.jobs.push_back(std::move(one));
  }
  plan.tiers = tier_links(input.scenario.topology, input.routing);
  plan.times = times_at_rate(input, plan.traffic.loads);
  plan.hottest = hottest(input, plan.times);
  add_bounds(input, plan);
  add_estimates(input, plan);
  return plan;
}

std::vector<PathHop> hops_of(const PlanInput& input, std::span<const LinkShare> column) {
  const TopologyConfig& topology = input.scenario.topology;
  const PortMap& ports = input.routing.ports();
  std::vector<PathHop> hops;
  hops.reserve(column.size());
  for (const LinkShare& one : column) {
    const NodeId node = egress_of(ports, one.direction).node;
    const LinkConfig& link = topology.links[one.direction / 2];
    const bool pipeline = !ports.is_host(node) && !ports.is_accelerator(node);
    hops.push_back({link.rate_from(node), link.one_way_from(node),
                    pipeline ? input.scenario.switches[ports.switch_at(node).index()].latency : Duration{0}});
  }
  return hops;
}

Duration alone(const PlanInput& input, const TrafficPlan& traffic, std::size_t flow, Operation operation, Bytes size) {
  const FrameSizes sizes{input.scenario.frame};
  // The two ends of a connection come one after the other.
  const std::vector<PathHop> there = hops_of(input, traffic.routes[flow]);
  const std::vector<PathHop> back = hops_of(input, traffic.routes[flow ^ 1U]);
  const std::vector<FrameRun> frames = message_frames(sizes, operation, size);
  if (operation == Operation::read) return read_time({there, back}, frames, sizes.read_request() + wire_gap);
  return completion_time({there, back}, frames, sizes.acknowledge() + wire_gap);
}

}  // namespace soya
