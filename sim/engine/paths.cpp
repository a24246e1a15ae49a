#include "engine/paths.hpp"

namespace soya {

std::vector<PathHop> path_hops(const SimulationState& state, HostPair ends, std::uint64_t flow_hash) {
  const PortMap& map = state.routing->ports();
  std::vector<PathHop> hops;
  for (const PortRef ref : state.routing->path(ends, flow_hash)) {
    const LinkConfig& link = state.scenario.topology.links[map.at(ref).link.index()];
    PathHop hop;
    hop.rate = link.rate_from(ref.node);
    hop.one_way = link.one_way();
    if (!map.is_host(ref.node)) hop.latency_before = state.scenario.switches[map.switch_at(ref.node).index()].latency;
    hops.push_back(hop);
  }
  return hops;
}

Duration ideal_completion(const SimulationState& state, const TransferRecord& record) {
  const JobState& job = state.jobs[record.job.index()];
  const ConnectionConfig& connection = job.job->connections()[record.connection];
  const ConnectionEnds& ends = job.ends[record.connection];
  const bool from_a = record.from == connection.a;
  const HostId to = from_a ? connection.b : connection.a;
  const auto hash_at = [&](HostId host, QueuePairId id) {
    return state.nics[host.index()].queue_pairs()[id.index()].setup.flow_hash;
  };
  const std::vector<PathHop> forward =
      path_hops(state, {record.from, to}, hash_at(record.from, from_a ? ends.at_a : ends.at_b));
  const std::vector<PathHop> back = path_hops(state, {to, record.from}, hash_at(to, from_a ? ends.at_b : ends.at_a));
  const std::vector<FrameRun> frames = message_frames(state.sizes, record.operation, record.size);
  return completion_time({forward, back}, frames, state.sizes.acknowledge() + wire_gap);
}

}  // namespace soya
