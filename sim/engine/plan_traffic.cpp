#include "engine/plan_traffic.hpp"

#include <algorithm>
#include <variant>

#include "engine/routes.hpp"
#include "topology/route_shares.hpp"

namespace soya {

namespace {

/// What a host does beside acknowledging: it decides whether an acknowledge may wait until it covers another packet.
struct HostLoad {
  Bytes largest_frame{0};         ///< on the wire, of the packets that it sends but acknowledges
  std::int64_t acknowledgers{0};  ///< its ends of connections that acknowledge something
};

[[nodiscard]] const ConnectionConfig& connection_of(const PlanInput& input, const FlowFacts& flow) {
  return (*input.connections[flow.job.index()])[flow.connection];
}

/// The NICs that what `flow` sends goes from and to.
[[nodiscard]] HostPair nics_of(const PlanInput& input, const HostPorts& hosts, const FlowFacts& flow) {
  const ConnectionConfig& connection = connection_of(input, flow);
  const HostPair ends = nics_of(hosts, input.scenario.jobs[flow.job.index()], {connection.a, connection.b});
  return flow.from_a ? ends : HostPair{ends.to, ends.from};
}

[[nodiscard]] Bytes largest_sent(const FrameSizes& sizes, const WireLoad& posted, const WireLoad& answered) {
  const bool data = posted.data > Bytes{0} || answered.data > Bytes{0};
  const Bytes largest = sizes.largest(Operation::write_immediate) + wire_gap;
  return data || posted.control > Bytes{0} ? largest : Bytes{0};
}

[[nodiscard]] std::vector<HostLoad> host_loads(const PlanInput& input, const HostPorts& ports,
                                               const TrafficPlan& plan, const FrameSizes& sizes) {
  std::vector<HostLoad> hosts(input.routing.ports().host_count());
  for (const FlowFacts& flow : plan.flows) {
    const ConnectionTraffic& traffic = plan.traffic[flow.job.index()][flow.connection];
    HostLoad& host = hosts[nics_of(input, ports, flow).from.index()];
    const Exchange& own = flow.from_a ? traffic.by_a : traffic.by_b;
    const Exchange& other = flow.from_a ? traffic.by_b : traffic.by_a;
    host.largest_frame = std::max(host.largest_frame, largest_sent(sizes, own.there, other.back));
    host.acknowledgers += other.back.acknowledge > Bytes{0} ? 1 : 0;
  }
  return hosts;
}

/// A host sends acknowledges first, but never in the midst of a frame, and in turn for its connections. One that waits
/// when the next packet asks answers both. None waits so long where the next one that asks is farther behind than what
/// may be on the wire and in turn; nor where the host sends acknowledges alone, which are no larger than what asks.
[[nodiscard]] bool answers_each(const PlanInput& input, const HostLoad& load, HostId host, const Exchange& asked,
                                const FrameSizes& sizes) {
  if (asked.back.acknowledge == Bytes{0}) return true;
  const NicConfig& nic = input.scenario.nics[host.index()];
  if (nic.ack_delay > Duration{0} || nic.receive) return false;
  const Bytes acknowledge = sizes.acknowledge() + wire_gap;
  const PortMap& ports = input.routing.ports();
  const LinkConfig& link = input.scenario.topology.links[ports.ports_of(ports.node_of(host))[0].link.index()];
  const Rate out = link.rate_from(ports.node_of(host));
  const Rate in = link.rate_from(link.peer_of(ports.node_of(host)));
  if (load.largest_frame == Bytes{0} && out >= in && asked.smallest_ask >= acknowledge) return true;
  if (asked.closest_asks == Exchange::never) return true;
  return serialisation(asked.closest_asks, in) >
         serialisation(load.largest_frame + load.acknowledgers * acknowledge, out);
}

/// The packet that fills a window asks, too.
[[nodiscard]] bool beyond_window(const Exchange& posted, const NicConfig& nic, const NicConfig& peer,
                                 const FrameSizes& sizes) {
  const bool selective =
      nic.retransmission == Retransmission::selective_repeat && peer.retransmission == nic.retransmission;
  const std::int64_t window = selective ? std::min(nic.max_unacked, peer.reorder_window) : nic.max_unacked;
  return posted.messages + posted.payload.count() / sizes.mtu().count() >= window;
}

[[nodiscard]] bool has_losses(const TopologyConfig& topology) {
  return std::ranges::any_of(topology.links, [](const LinkConfig& link) { return link.loss.has_value(); });
}

[[nodiscard]] bool polls(const NicConfig& nic) {
  return nic.receive_queue.has_value();
}

[[nodiscard]] std::vector<std::string> doubts_of(const PlanInput& input, bool relayed) {
  const Scenario& scenario = input.scenario;
  std::vector<std::string> doubts;
  if (has_losses(scenario.topology)) doubts.emplace_back("links lose frames, which are sent again");
  if (!scenario.faults.empty()) doubts.emplace_back("faults lose, hold or reroute frames");
  if (relayed) doubts.emplace_back("accelerators acknowledge for hosts and send frames of their own");
  if (std::ranges::any_of(scenario.nics, polls)) {
    doubts.emplace_back("hosts may lack posted receives, and then messages are sent again");
  }
  if (scenario.stop.after) doubts.emplace_back("stop.after may end the run before the workload is done");
  return doubts;
}

void add_flow(const PlanInput& input, const HostPorts& hosts, const FlowFacts& flow, TrafficPlan& plan,
              bool& relayed) {
  const ConnectionConfig& connection = connection_of(input, flow);
  const HostPair ends = nics_of(input, hosts, flow);
  const PortMap& ports = input.routing.ports();
  const std::vector<PortShare> route = route_shares(input.routing, ends, flow_hash_of(connection, flow.from_a));
  std::vector<LinkShare> column;
  column.reserve(route.size());
  for (const PortShare& hop : route) column.push_back({direction_of(ports, hop.port), hop.share});
  plan.routes.add(column);
  const ConnectionTraffic& traffic = plan.traffic[flow.job.index()][flow.connection];
  plan.demands.push_back(flow.from_a ? traffic.from_a() : traffic.from_b());
  plan.flows.push_back(flow);
  plan.flows.back().certain = std::ranges::all_of(route, [](const PortShare& hop) { return hop.share == 1; });
  relayed = relayed || std::ranges::any_of(route, [&](const PortShare& hop) {
              return ports.is_accelerator(hop.port.node);  // it answers for hosts and sends frames of its own
            });
}

void judge_acknowledges(const PlanInput& input, const HostPorts& ports, TrafficPlan& plan, const FrameSizes& sizes) {
  const std::vector<HostLoad> hosts = host_loads(input, ports, plan, sizes);
  plan.exact.assign(plan.loads.size(), true);
  bool narrow = false;
  for (std::size_t f = 0; f < plan.flows.size(); ++f) {
    FlowFacts& flow = plan.flows[f];
    const ConnectionTraffic& traffic = plan.traffic[flow.job.index()][flow.connection];
    const auto [host, peer] = nics_of(input, ports, flow);
    const Exchange& asked = flow.from_a ? traffic.by_b : traffic.by_a;
    const NicConfig& own = input.scenario.nics[host.index()];
    const bool windowed = beyond_window(asked, input.scenario.nics[peer.index()], own, sizes);
    narrow = narrow || windowed;
    flow.acknowledges_exact = answers_each(input, hosts[host.index()], host, asked, sizes) && !windowed;
    if (flow.acknowledges_exact) continue;
    for (const LinkShare& one : plan.routes[f]) plan.exact[one.direction] = false;
  }
  if (narrow) plan.doubts.emplace_back("packets that fill a window ask for an acknowledge, too");
}

}  // namespace

TrafficPlan plan_traffic(const PlanInput& input) {
  const Scenario& scenario = input.scenario;
  const FrameSizes sizes{scenario.frame};
  const HostPorts hosts{scenario.topology, input.routing.ports()};
  TrafficPlan plan;
  bool relayed = false;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    plan.traffic.push_back(job_traffic(scenario.jobs[j], {sizes, scenario.nics}));
    SOYA_CHECK(plan.traffic.back().size() == input.connections[j]->size(), "every connection has its traffic");
    for (std::uint32_t c = 0; c < plan.traffic.back().size(); ++c) {
      for (const bool from_a : {true, false}) add_flow(input, hosts, {JobId{j}, c, from_a}, plan, relayed);
    }
  }
  plan.loads = link_loads(plan.routes, plan.demands, 2 * scenario.topology.links.size());
  plan.doubts = doubts_of(input, relayed);
  if (!std::ranges::all_of(plan.flows, &FlowFacts::certain)) {
    plan.doubts.emplace_back("switches spread frames over ports: loads are expected ones");
  }
  judge_acknowledges(input, hosts, plan, sizes);
  return plan;
}

}  // namespace soya
