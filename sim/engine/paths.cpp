#include "engine/paths.hpp"

#include <algorithm>

namespace soya {

namespace {

[[nodiscard]] std::vector<PathHop> hops_of(const SimulationState& state, const std::vector<PortRef>& path) {
  std::vector<Duration> latencies;
  latencies.reserve(state.routing->ports().forwarder_count());
  for (const SwitchConfig& one : state.scenario.switches) latencies.push_back(one.latency);
  latencies.resize(state.routing->ports().forwarder_count());  // an accelerator has no pipeline
  return path_hops(state.scenario.topology, state.routing->ports(), path, latencies);
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
  const JobState& job = state.jobs[flow.job.index()];
  const ConnectionConfig& config = job.job->connections()[flow.connection];
  const HostId from = from_a ? config.a : config.b;
  const QueuePairId queue_pair = from_a ? job.ends[flow.connection].at_a : job.ends[flow.connection].at_b;
  return state.routing->path({from, from_a ? config.b : config.a},
                             state.nics[from.index()].queue_pairs()[queue_pair.index()].setup.flow_hash);
}

}  // namespace

ConnectionPaths connection_paths(const SimulationState& state, JobId id, std::uint32_t connection) {
  const FlowRef flow{id, connection};
  const std::vector<PortRef> forward = path_of(state, flow, true);
  const std::vector<PortRef> back = path_of(state, flow, false);
  return {hops_of(state, forward), hops_of(state, back), acknowledger(state, flow, forward, back),
          acknowledger(state, flow, back, forward)};
}

PathLoss connection_loss(const SimulationState& state, JobId id, std::uint32_t connection, bool from_a, Bytes wire) {
  const FlowRef flow{id, connection};
  std::vector<PortRef> path = path_of(state, flow, from_a);
  path.resize(acknowledger(state, flow, path, path_of(state, flow, !from_a)).there);
  return path_loss(state.scenario.topology, state.routing->ports(), path, wire);
}

Duration IdealTimes::completion(const TransferRecord& record) {
  if (record.job != job_ || record.connection != connection_) {
    job_ = record.job;
    connection_ = record.connection;
    paths_ = connection_paths(state_, job_, connection_);
    known_ = false;
  }
  const bool from_a = record.from == state_.jobs[job_.index()].job->connections()[connection_].a;
  const Key key{record.size, record.operation, record.messages, from_a};
  if (known_ && key == key_) return time_;
  known_ = true;
  key_ = key;
  const RoundTrip round = paths_.round_trip(from_a);
  const std::vector<FrameRun> frames = message_frames(state_.sizes, record.operation, record.size);
  const bool reads = record.operation == Operation::read;
  time_ = reads ? read_time(round, frames, state_.sizes.read_request() + wire_gap)
                : completion_time(round, frames, state_.sizes.acknowledge() + wire_gap);
  if (record.messages > 1) {  // the others of a series behind it, at the rate of the slowest link
    const Rate slowest = std::ranges::min(reads ? round.back : round.forward, {}, &PathHop::rate).rate;
    time_ +=
        (record.messages - 1) * serialisation(state_.sizes.message_on_wire(record.operation, record.size), slowest);
  }
  return time_;
}

}  // namespace soya
