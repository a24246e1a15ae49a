#include "engine/step_plan.hpp"

#include <utility>

#include "engine/paths.hpp"

namespace soya {

namespace {

/// The paths between the ends of the first connection from `from` to `to`.
[[nodiscard]] RingEdge ring_edge(const SimulationState& state, JobId id, HostId from, HostId to) {
  const std::vector<ConnectionConfig>& connections = state.jobs[id.index()].job->connections();
  for (std::size_t c = 0; c < connections.size(); ++c) {
    if (connections[c].a != from || connections[c].b != to) continue;
    ConnectionPaths paths = connection_paths(state, id, static_cast<std::uint32_t>(c));
    return {std::move(paths.forward), std::move(paths.back)};
  }
  SOYA_CHECK(false, "neighbours of a ring have a connection");
  return {};
}

}  // namespace

std::optional<DdpPlan> step_plan(const SimulationState& state, JobId id) {
  const auto* ddp = std::get_if<DdpConfig>(&state.scenario.jobs[id.index()]);
  if (ddp == nullptr) return std::nullopt;
  RingNetwork network;
  network.frame = state.scenario.frame;
  network.ack_every = state.scenario.nics[ddp->hosts.front().index()].ack_every;
  const std::size_t ranks = ddp->hosts.size();
  for (std::size_t r = 0; r < ranks && ranks > 1; ++r) {
    network.edges.push_back(ring_edge(state, id, ddp->hosts[r], ddp->hosts[(r + 1) % ranks]));
  }
  return plan_ddp(*ddp, network);
}

}  // namespace soya
