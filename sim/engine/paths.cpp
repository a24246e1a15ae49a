#include "engine/paths.hpp"

#include <algorithm>

namespace soya {

std::vector<PathHop> hops_between(const SimulationState& state, HostPair ends, std::uint64_t flow_hash) {
  std::vector<Duration> latencies;
  latencies.reserve(state.scenario.switches.size());
  for (const SwitchConfig& one : state.scenario.switches) latencies.push_back(one.latency);
  return path_hops(state.scenario.topology, state.routing->ports(), state.routing->path(ends, flow_hash), latencies);
}

namespace {

/// One direction of a connection: its ends, and the hash by which switches choose its path.
struct Direction {
  HostPair ends;
  std::uint64_t flow_hash{0};
};

Direction direction_of(const SimulationState& state, JobId id, std::uint32_t connection, bool from_a) {
  const JobState& job = state.jobs[id.index()];
  const ConnectionConfig& config = job.job->connections()[connection];
  const HostId from = from_a ? config.a : config.b;
  const QueuePairId queue_pair = from_a ? job.ends[connection].at_a : job.ends[connection].at_b;
  return {{from, from_a ? config.b : config.a},
          state.nics[from.index()].queue_pairs()[queue_pair.index()].setup.flow_hash};
}

std::vector<PathHop> hops_of(const SimulationState& state, const Direction& direction) {
  return hops_between(state, direction.ends, direction.flow_hash);
}

}  // namespace

ConnectionPaths connection_paths(const SimulationState& state, JobId id, std::uint32_t connection) {
  return {hops_of(state, direction_of(state, id, connection, true)),
          hops_of(state, direction_of(state, id, connection, false))};
}

PathLoss connection_loss(const SimulationState& state, JobId id, std::uint32_t connection, bool from_a, Bytes wire) {
  const Direction direction = direction_of(state, id, connection, from_a);
  return path_loss(state.scenario.topology, state.routing->ports(),
                   state.routing->path(direction.ends, direction.flow_hash), wire);
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
  const RoundTrip round{from_a ? paths_.forward : paths_.back, from_a ? paths_.back : paths_.forward};
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
