#include "engine/simulation.hpp"

#include <algorithm>

#include "engine/paths.hpp"
#include "engine/stall_time.hpp"
#include "engine/state.hpp"

namespace soya {

namespace {

/// A monitor is asked this often: every 2^13 events.
constexpr std::uint64_t events_between_reports = 1 << 13;

void build_script(SimulationState& state) {
  state.build_faults();

  state.stalled_after = state.scenario.stop.stalled_after.value_or(automatic_stall_time(state.scenario));
  state.stall_source = state.add_source("engine\x1f" "stall", {EventKind::stall_check, 0, 0});
  state.circular_after = circular_stall_time(state.scenario);
  state.events.schedule(state.stall_source, Time{0} + state.circular_after, Phase::sample);

  state.sample_source = state.add_source("engine\x1f" "sampler", {EventKind::sample, 0, 0});
  if (state.scenario.measure.sample) {
    state.sampler.emplace(*state.scenario.measure.sample);
    state.events.schedule(state.sample_source, Time{0} + *state.scenario.measure.sample, Phase::sample);
  }
}

}  // namespace

Simulation::Simulation(const Scenario& scenario) : state_{std::make_unique<SimulationState>(scenario)} {
  state_->build_fabric();
  state_->build_jobs();
  state_->connect_accelerators();
  build_script(*state_);
}

Simulation::~Simulation() = default;

const std::vector<std::string>& Simulation::warnings() const { return state_->warnings; }

void Simulation::observe(Observer& observer) { state_->context.observer = &observer; }

RunResults Simulation::run(RunMonitor* monitor) {
  state_->monitor = monitor;
  state_->run();
  return state_->collect();
}

void SimulationState::run() {
  const Time last = Time{0} + std::min(scenario.stop.after.value_or(longest_run), longest_run);
  const auto over = [&] { return parts_unfinished == 0 && quiet(); };
  while (!over()) {
    if (events.empty()) {
      ending = Ending::drained;
      return;
    }
    if (events.next_time() > last) {
      context.now = last;
      ending = Ending::stopped;
      return;
    }
    const EventQueue::Fired fired = events.pop();
    context.now = fired.time;
    fingerprint = (fingerprint ^ fired.identity ^ static_cast<std::uint64_t>(fired.time.picoseconds())) *
                  0x9e3779b97f4a7c15ULL;
    fingerprint ^= fingerprint >> 29;
    dispatch(fired.event);
    if (ending != Ending::done) return;
    if (events.popped() % events_between_reports == 0 && monitor != nullptr && !report_progress()) {
      ending = Ending::interrupted;
      return;
    }
  }
}

void SimulationState::dispatch(const Event& event) {
  const PortId part{event.part};
  switch (event.kind) {
    case EventKind::switch_arrival: return switches[event.object].arrive(context, part);
    case EventKind::host_arrival: return nics[event.object].arrive(context);
    case EventKind::switch_transmit: return switches[event.object].transmit(context, part);
    case EventKind::nic_transmit: return nics[event.object].transmit(context);
    case EventKind::switch_pause_clock: return switches[event.object].pause_clock_fired(context, part);
    case EventKind::nic_pause_clock: return nics[event.object].pause_clock_fired(context);
    case EventKind::switch_pause_refresh: return switches[event.object].pause_refresh_fired(context, part);
    case EventKind::nic_pause_refresh: return nics[event.object].pause_refresh_fired(context);
    case EventKind::switch_deep_memory: return switches[event.object].deep_memory_fired(context);
    case EventKind::accelerator_arrival: return accelerators[event.object].arrive(context, part);
    case EventKind::accelerator_transmit: return accelerators[event.object].transmit(context, part);
    case EventKind::accelerator_pause_clock: return accelerators[event.object].pause_clock_fired(context, part);
    case EventKind::accelerator_pause_refresh: return accelerators[event.object].pause_refresh_fired(context, part);
    case EventKind::accelerator_timer: return accelerators[event.object].timer_fired(context);
    case EventKind::nic_timer: return nics[event.object].timer_fired(context);
    case EventKind::nic_receive: return nics[event.object].receive_fired(context);
    case EventKind::host_completions: return deliver_completions(HostId{event.object});
    case EventKind::job_wake: return wake_job(HostId{event.object}, JobId{event.part});
    case EventKind::fault: return apply_faults();
    case EventKind::stall_check: return check_stall();
    case EventKind::sample: return take_sample();
    case EventKind::nic_wait: return nics[event.object].wait_fired(context);
  }
}

bool SimulationState::report_progress() {
  IdealTimes ideal{*this};
  for (const std::uint32_t record : unreported) monitor->transfer_finished(transfer_row(transfers[record], ideal));
  unreported.clear();
  return monitor->proceed({context.now, static_cast<std::int64_t>(events.popped()), transfers_finished,
                           transfers_in_all, counters.packet_hops});
}

}  // namespace soya
