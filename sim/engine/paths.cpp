#include "engine/paths.hpp"

#include <algorithm>

#include "topology/route_shares.hpp"

namespace soya {

namespace {

[[nodiscard]] std::vector<PathHop> hops_of(const SimulationState& state, const std::vector<PortRef>& path) {
  return path_hops(state.scenario.topology, state.routing->ports(), path, state.latencies);
}

/// What an end of a connection sends, as routes see it.
struct Sending {
  HostPair ends;
  std::uint64_t flow_hash{0};
};

[[nodiscard]] Sending sending_of(const SimulationState& state, FlowRef flow, bool from_a) {
  const JobState& job = state.jobs[flow.job.index()];
  const ConnectionEnds& ends = job.ends[flow.connection];
  const HostPair nics = ends.from(from_a);
  const QueuePairId queue_pair = from_a ? ends.at_a : ends.at_b;
  return {nics, state.nics[nics.from.index()].queue_pairs()[queue_pair.index()].flow_hash};
}

/// Of ways that frames of one flow share, what all ports as far from the sender do together. Every frame passes one of
/// them, so that nothing is faster than these hops.
[[nodiscard]] std::vector<PathHop> hops_side_by_side(const SimulationState& state, const Sending& sending) {
  const PortMap& map = state.routing->ports();
  std::vector<std::size_t> depth(map.node_count(), SIZE_MAX);
  depth[map.node_of(sending.ends.from).index()] = 0;
  std::vector<std::vector<PortRef>> stages;
  for (const PortShare& share : route_shares(*state.routing, sending.ends, sending.flow_hash)) {
    const std::size_t here = depth[share.port.node.index()];
    std::size_t& there = depth[map.at(share.port).peer.index()];
    there = std::min(there, here + 1);
    stages.resize(std::max(stages.size(), here + 1));
    stages[here].push_back(share.port);
  }
  stages.resize(std::min(stages.size(), depth[map.node_of(sending.ends.to).index()]));
  std::vector<PathHop> hops;
  for (const std::vector<PortRef>& stage : stages) {
    const std::vector<PathHop> ports = hops_of(state, stage);
    PathHop together = ports.front();
    for (std::size_t p = 1; p < ports.size(); ++p) {
      together.rate = Rate{together.rate.bits_per_second() + ports[p].rate.bits_per_second()};
      together.one_way = std::min(together.one_way, ports[p].one_way);
      together.latency_before = std::min(together.latency_before, ports[p].latency_before);
    }
    hops.push_back(together);
  }
  return hops;
}

/// `there` and `back` are the ways of what an end of `flow` sends and of what it receives.
[[nodiscard]] Acknowledger acknowledger(const SimulationState& state, FlowRef flow, const std::vector<PortRef>& there,
                                        const std::vector<PortRef>& back) {
  const PortMap& map = state.routing->ports();
  for (std::size_t hop = 0; hop < there.size(); ++hop) {
    const NodeId node = there[hop].node;
    if (!map.is_accelerator(node)) continue;
    const std::vector<FlowRef>& relayed = state.relayed[map.accelerator_at(node).index()];
    if (std::ranges::find(relayed, flow) == relayed.end()) continue;
    const auto answers = std::ranges::find(back, node, &PortRef::node);
    return {hop, static_cast<std::size_t>(answers - back.begin())};
  }
  return {there.size(), 0};
}

/// The way of what an end of a connection sends.
[[nodiscard]] std::vector<PortRef> path_of(const SimulationState& state, FlowRef flow, bool from_a) {
  const Sending sending = sending_of(state, flow, from_a);
  return state.routing->path(sending.ends, sending.flow_hash);
}

}  // namespace

ConnectionPaths connection_paths(const SimulationState& state, JobId id, std::uint32_t connection) {
  const FlowRef flow{id, connection};
  const std::vector<PortRef> forward = path_of(state, flow, true);
  const std::vector<PortRef> back = path_of(state, flow, false);
  const Acknowledger of_a = acknowledger(state, flow, forward, back);
  const Acknowledger of_b = acknowledger(state, flow, back, forward);
  if (!state.routing->spreads_anywhere()) return {hops_of(state, forward), hops_of(state, back), of_a, of_b};
  return {hops_side_by_side(state, sending_of(state, flow, true)),
          hops_side_by_side(state, sending_of(state, flow, false)), of_a, of_b};
}

PathLoss connection_loss(const SimulationState& state, JobId id, std::uint32_t connection, bool from_a, Bytes wire) {
  const FlowRef flow{id, connection};
  std::vector<PortRef> path = path_of(state, flow, from_a);
  path.resize(acknowledger(state, flow, path, path_of(state, flow, !from_a)).there);
  return path_loss(state.scenario.topology, state.routing->ports(), path, wire);
}

IdealTimes::IdealTimes(const SimulationState& state) : state_{state}, answers_(state.jobs.size()) {}

Duration IdealTimes::completion(const TransferRecord& record) {
  const std::vector<ConnectionConfig>& connections = state_.jobs[record.job.index()].job->connections();
  std::vector<std::vector<Answer>>& of_job = answers_[record.job.index()];
  if (of_job.empty()) of_job.resize(connections.size());
  std::vector<Answer>& answers = of_job[record.connection];
  const Key key{record.size, record.operation, record.messages, record.from == connections[record.connection].a};
  const auto known = std::ranges::find(answers, key, &Answer::key);
  if (known != answers.end()) return known->time;
  if (answers.size() == most_answers) answers.erase(answers.begin());
  answers.push_back({key, computed(record, key.from_a)});
  return answers.back().time;
}

Duration IdealTimes::computed(const TransferRecord& record, bool from_a) {
  ++walks_;
  const ConnectionPaths paths = connection_paths(state_, record.job, record.connection);
  const RoundTrip round = paths.round_trip(from_a);
  const std::vector<FrameRun> frames = message_frames(state_.sizes, record.operation, record.size);
  const bool reads = record.operation == Operation::read;
  Duration time = reads ? read_time(round, frames, state_.sizes.read_request() + wire_gap)
                        : completion_time(round, frames, state_.sizes.acknowledge() + wire_gap);
  if (record.messages > 1) {  // the others of a series behind it, at the rate of the slowest link
    const Rate slowest = std::ranges::min(reads ? round.back : round.forward, {}, &PathHop::rate).rate;
    time += (record.messages - 1) * serialisation(state_.sizes.message_on_wire(record.operation, record.size), slowest);
  }
  return time;
}

}  // namespace soya
