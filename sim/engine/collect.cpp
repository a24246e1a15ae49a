// From components and job reports to plain results. The only place that reads counters for a result.
#include <algorithm>

#include <fmt/format.h>

#include "engine/plan_input.hpp"
#include "engine/state.hpp"
#include "engine/step_plan.hpp"
#include "planning/collective_bounds.hpp"

namespace soya {

namespace {

/// Divided, not multiplied by 1e-9, which is inexact: 30 ms are 30, not 30.000000000000004.
[[nodiscard]] double milliseconds(Duration duration) { return static_cast<double>(duration.picoseconds()) / 1e9; }

[[nodiscard]] std::vector<HostRow> host_rows(const SimulationState& state) {
  std::vector<HostRow> rows;
  for (std::size_t h = 0; h < state.nics.size(); ++h) {
    const Nic& nic = state.nics[h];
    HostRow row;
    row.name = state.node_name(state.node_of(HostId{h}));
    row.sent_payload_bytes = nic.counters().sent_payload;
    row.sent_packets = nic.counters().sent_packets;
    row.received_packets = nic.counters().received_packets;
    row.pause_frames_sent = nic.port().counters().pause_frames;
    row.completions_stalled_ps = nic.completions_stalled(state.now).picoseconds();
    for (const QueuePair& queue_pair : nic.queue_pairs()) {
      row.received_payload_bytes += queue_pair.responder.delivered() + queue_pair.requester.delivered();
      row.retransmitted_packets += queue_pair.requester.retransmitted();
      row.timeouts += queue_pair.timeouts;
      row.naks_received += queue_pair.naks_received;
      row.rnr_naks_received += queue_pair.rnr_naks_received;
      row.gaps += queue_pair.responder.gaps() + queue_pair.requester.gaps();
      row.duplicate_packets += queue_pair.responder.duplicates() + queue_pair.requester.duplicates();
    }
    rows.push_back(row);
  }
  return rows;
}

[[nodiscard]] int ordinal_among_parallel(const PortMap& map, PortRef ref) {
  const auto plugs = map.ports_of(ref.node);
  int ordinal = 0;
  for (std::size_t p = 0; p < ref.port.index(); ++p) ordinal += plugs[p].peer == plugs[ref.port.index()].peer ? 1 : 0;
  return ordinal;
}

/// Both directions of every link, seen from the transmitter. Fills in the pause totals on the way.
[[nodiscard]] std::vector<LinkRow> link_rows(const SimulationState& state, PfcTotals& pfc) {
  const PortMap& map = state.routing->ports();
  const double simulated = std::max<double>(1, static_cast<double>(state.now.picoseconds()));
  std::vector<LinkRow> rows;
  for (std::size_t n = 0; n < map.node_count(); ++n) {
    for (std::size_t p = 0; p < map.ports_of(NodeId{n}).size(); ++p) {
      const PortRef ref{NodeId{n}, PortId{p}};
      const PortLink& plug = map.at(ref);
      const Port& port = state.port_at(ref);
      LinkRow row;
      row.from = state.node_name(ref.node);
      row.to = state.node_name(plug.peer);
      row.ordinal = ordinal_among_parallel(map, ref);
      row.rate_gbps = port.rate().gbps();
      row.wire_bytes = port.counters().wire_bytes;
      row.frames = port.counters().frames + port.counters().control_frames;
      row.utilisation = static_cast<double>(port.busy_time(state.now).picoseconds()) / simulated;
      row.paused_ps = port.pause_clock.any_paused_time(state.now).picoseconds();
      row.lost_frames = state.lost_towards({plug.peer, plug.peer_port});
      pfc.in_flight_max = std::max(pfc.in_flight_max, port.pause_refresher.most_in_flight());
      for (std::uint8_t priority = 0; priority < Priority::count; ++priority) {
        row.pause_frames[priority] = port.pause_clock.pauses_received()[priority];
        const std::int64_t paused = port.pause_clock.paused_time(Priority{priority}, state.now).picoseconds();
        pfc.paused_ps_total += paused;
        pfc.refreshes += port.pause_refresher.refreshes()[priority];
        pfc.expired += state.expired_while_meant(ref, Priority{priority});
        pfc.paused_share_max = std::max(pfc.paused_share_max, static_cast<double>(paused) / simulated);
      }
      rows.push_back(row);
    }
  }
  return rows;
}

[[nodiscard]] StepRow step_row(const std::string& job, const StepReport& step, const std::optional<DdpPlan>& plan) {
  StepRow row;
  row.job = job;
  row.step = step.step;
  row.forward_ms = milliseconds(step.forward);
  row.backward_ms = milliseconds(step.backward);
  row.communication_ms = milliseconds(step.communication);
  row.exposed_ms = milliseconds(step.exposed);
  row.idle_ms = milliseconds(step.idle);
  row.step_ms = milliseconds(step.step_time);
  row.sent_bytes_total = step.sent_total.count();
  row.sent_bytes_per_rank_min = step.sent_per_rank_min.count();
  row.sent_bytes_per_rank_max = step.sent_per_rank_max.count();
  if (plan) {
    row.plan_step_ms = milliseconds(plan->step_time);
    row.plan_exposed_ms = milliseconds(plan->exposed);
    row.condition_ms = milliseconds(plan->condition.communication);
  }
  return row;
}

[[nodiscard]] CollectiveRow collective_row(const CollectiveReport& report) {
  CollectiveRow row;
  row.name = report.name;
  row.bytes = report.bytes.count();
  row.ranks = report.ranks;
  const auto picoseconds = static_cast<double>((report.finished - report.started).picoseconds());
  row.time_us = picoseconds / 1e6;
  if (picoseconds > 0) {
    row.algbw_GBps = static_cast<double>(row.bytes) * 1e3 / picoseconds;
    const Ratio factor = busbw_factor(Collective::all_reduce, report.ranks);
    row.busbw_GBps = row.algbw_GBps * static_cast<double>(factor.numerator) / static_cast<double>(factor.denominator);
  }
  return row;
}

void collect_jobs(const SimulationState& state, RunResults& results) {
  const PlanInput input = state.plan_input();
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    const Job& job = *state.jobs[j].job;
    const JobReport report = job.report();
    const std::optional<DdpPlan> plan = step_plan(input, JobId{j});
    for (const StepReport& step : report.steps) results.steps.push_back(step_row(job.name(), step, plan));
    for (const CollectiveReport& collective : report.collectives) {
      results.collectives.push_back(collective_row(collective));
    }
  }
}

}  // namespace

RunResults SimulationState::collect() const {
  if (ending == Ending::done) {
    for (const Switch& one : switches) {
      one.buffer().check_invariants();
      SOYA_CHECK(one.buffer().occupancy() == Bytes{0}, "a quiet fabric has empty buffers");
    }
    for (const Accelerator& one : accelerators) {
      const Bytes held = one.outbound().held() + one.inbound().held();
      SOYA_CHECK(held == Bytes{0}, "accelerators have delivered everything when a run is done");
    }
  }
  const RunCounters counters = totals();
  RunResults results;
  results.name = scenario.name;
  results.seed = scenario.seed;
  results.version = SOYA_VERSION;
  results.complete = ending != Ending::interrupted;
  results.why_not = why_not_sound();
  results.sound = results.why_not.empty() && results.complete;
  results.warnings = warnings;
  results.simulated_ps = now.picoseconds();
  results.events = events_handled();
  results.packets = counters.packets;
  results.packet_hops = counters.packet_hops;
  results.peak_pending_events = static_cast<std::int64_t>(script.peak_size());
  for (const auto& one : partitions) {
    results.peak_pending_events += static_cast<std::int64_t>(one->events.peak_size());
    results.peak_packets += one->packets.peak();
  }
  results.fingerprint = fmt::format("{:016x}", fingerprint());
  results.drops = {counters.lossless_drops, counters.lossy_drops, counters.lost_frames};
  results.pfc.pause_frames = counters.pause_frames;
  results.pfc.resume_frames = counters.resume_frames;
  results.hosts = host_rows(*this);
  results.links = link_rows(*this, results.pfc);
  collect_tiers(results);
  collect_buffers(results);
  collect_pauses(results);
  collect_accelerators(results);
  collect_transfers(results);
  collect_jobs(*this, results);
  collect_perftest(results);
  results.reconvergences = reconverged;
  results.samples = sample_rows();
  return results;
}

}  // namespace soya
