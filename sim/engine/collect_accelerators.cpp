// Accelerators: what they held, for whom, and what they have promised and not kept.
#include <fmt/format.h>

#include <algorithm>

#include "core/quantity_text.hpp"
#include "engine/state.hpp"

namespace soya {

namespace {

/// One direction of a connection: at the accelerator that acknowledges it, and at the one that delivers it.
struct RelayedFlow {
  const ConnectionRelay* near;
  const ConnectionRelay* far;
};

[[nodiscard]] NodeId partner_of(const SimulationState& state, std::size_t index) {
  return state.scenario.topology.accelerators[index].partner;
}

[[nodiscard]] RelayedFlow relayed_flow(const SimulationState& state, std::size_t index, const ConnectionRelay& near) {
  const Accelerator& partner = state.accelerator_at(partner_of(state, index));
  return {&near, partner.connection_of(near.remote.host, near.remote.queue_pair)};
}

[[nodiscard]] const std::string& identity_of(const SimulationState& state, FlowRef flow) {
  return state.jobs[flow.job.index()].job->connections()[flow.connection].identity;
}

[[nodiscard]] AcceleratorFlowRow flow_row(const SimulationState& state, std::size_t index, std::size_t connection) {
  const RelayedFlow relayed = relayed_flow(state, index, state.accelerators[index].connections()[connection]);
  AcceleratorFlowRow row;
  row.accelerator = state.node_name(state.routing->ports().node_of(AcceleratorId{index}));
  row.flow = identity_of(state, state.relayed[index][connection]);
  row.from = state.node_name(state.node_of(relayed.near->local.host));
  row.to = state.node_name(state.node_of(relayed.near->remote.host));
  row.held_peak_bytes = relayed.near->held.peak().count();
  row.retransmitted_packets = relayed.near->haul.retransmitted();
  row.redelivered_packets = relayed.far->site.retransmitted();
  row.acknowledged_bytes = relayed.near->acknowledged;
  row.delivered_bytes = relayed.far->delivered;
  row.acknowledged_ahead_bytes = relayed.near->ahead_peak;
  row.last_acknowledged_ps = relayed.near->last_acknowledged.picoseconds();
  row.last_delivered_ps = relayed.far->last_delivered.picoseconds();
  return row;
}

[[nodiscard]] AcceleratorRow accelerator_row(const SimulationState& state, std::size_t index) {
  const Accelerator& one = state.accelerators[index];
  const AcceleratorCounters& counters = one.counters();
  const Time now = state.now;
  AcceleratorRow row;
  row.name = state.node_name(state.routing->ports().node_of(AcceleratorId{index}));
  row.partner = state.node_name(partner_of(state, index));
  row.buffer_bytes = state.scenario.topology.accelerators[index].buffer.count();
  row.outbound_peak_bytes = one.outbound().peak().count();
  row.outbound_mean_bytes = one.outbound().mean(now).count();
  row.inbound_peak_bytes = one.inbound().peak().count();
  row.inbound_mean_bytes = one.inbound().mean(now).count();
  for (const ConnectionRelay& relay : one.connections()) row.retransmitted_packets += relay.haul.retransmitted();
  row.duplicate_packets = counters.haul_duplicates;
  row.dropped_frames = counters.lossless_drops + counters.lossy_drops + counters.refused_out_of_order;
  row.pausing_ps = one.pausing_time(now).picoseconds();
  row.haul_payload_bytes = counters.haul_payload;
  if (counters.haul_payload > 0 && counters.last_haul_arrival > counters.first_haul_arrival) {
    const auto span = static_cast<double>((counters.last_haul_arrival - counters.first_haul_arrival).picoseconds());
    row.haul_goodput_gbps = static_cast<double>(counters.haul_payload) * 8e3 / span;
  }
  return row;
}

}  // namespace

void SimulationState::collect_accelerators(RunResults& results) const {
  for (std::size_t i = 0; i < accelerators.size(); ++i) {
    results.accelerators.push_back(accelerator_row(*this, i));
    for (std::size_t c = 0; c < accelerators[i].connections().size(); ++c) {
      AcceleratorFlowRow row = flow_row(*this, i, c);
      if (row.held_peak_bytes > 0) results.accelerator_flows.push_back(std::move(row));
    }
  }
}

/// A line for each direction of a connection whose sender was told more than its receiver has, the most bytes first.
std::vector<std::string> SimulationState::undelivered() const {
  struct Promise {
    std::int64_t bytes;
    std::string line;
  };
  std::vector<Promise> promises;
  for (std::size_t i = 0; i < accelerators.size(); ++i) {
    for (std::size_t c = 0; c < accelerators[i].connections().size(); ++c) {
      const RelayedFlow flow = relayed_flow(*this, i, accelerators[i].connections()[c]);
      const std::int64_t bytes = flow.near->acknowledged - flow.far->delivered;
      if (bytes <= 0) continue;
      const bool gave_up = flow.near->failed || flow.far->failed;
      promises.push_back(
          {bytes, fmt::format("acknowledged and not delivered: {} of {}, which wan_accelerator {} acknowledged to {}{}",
                              bytes_text(Bytes{bytes}), identity_of(*this, relayed[i][c]),
                              node_name(routing->ports().node_of(AcceleratorId{i})),
                              node_name(node_of(flow.near->local.host)), gave_up ? "; the accelerators gave up" : "")});
    }
  }
  std::ranges::sort(promises, [](const Promise& a, const Promise& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.line < b.line;
  });
  std::vector<std::string> lines;
  for (Promise& promise : promises) lines.push_back(std::move(promise.line));
  return lines;
}

}  // namespace soya
