#include "engine/simulation.hpp"

#include <algorithm>

#include "engine/paths.hpp"
#include "engine/stall_time.hpp"
#include "engine/state.hpp"

namespace soya {

namespace {

void build_script(SimulationState& state) {
  state.build_faults();

  state.stalled_after = state.scenario.stop.stalled_after.value_or(automatic_stall_time(state.scenario));
  state.stall_source = state.add_script_source(
      "engine\x1f"
      "stall",
      {EventKind::stall_check, 0, 0});
  state.circular_after = circular_stall_time(state.scenario);
  state.script.schedule(state.stall_source, Time{0} + state.circular_after, Phase::sample);

  state.sample_source = state.add_script_source(
      "engine\x1f"
      "sampler",
      {EventKind::sample, 0, 0});
  if (state.scenario.measure.sample) {
    state.sampler.emplace(*state.scenario.measure.sample);
    state.script.schedule(state.sample_source, Time{0} + *state.scenario.measure.sample, Phase::sample);
  }
}

}  // namespace

Simulation::Simulation(const Scenario& scenario, const Threads& threads)
    : state_{std::make_unique<SimulationState>(scenario)} {
  state_->build_fabric(threads);
  state_->build_jobs();
  state_->connect_accelerators();
  build_script(*state_);
}

Simulation::~Simulation() = default;

const std::vector<std::string>& Simulation::warnings() const {
  return state_->warnings;
}

PartitionsUsed Simulation::partitions() const {
  const Cuts& cuts = state_->cuts;
  return {cuts.parts, state_->members, cuts.lookahead, cuts.balance, !cuts.sides.empty()};
}

void Simulation::observe(Observer& observer) {
  for (const auto& one : state_->partitions) one->context.observer = &observer;
}

RunResults Simulation::run(RunMonitor* monitor) {
  state_->monitor = monitor;
  state_->run();
  return state_->collect();
}

inline void SimulationState::handle(Partition& partition, const EventQueue::Fired& fired) {
  partition.context.now = fired.time;
  dispatch(partition, fired.event);
}

void SimulationState::run_before(Partition& partition, const EventKey& end) {
  const auto handle_it = [&](const EventQueue::Fired& fired) { handle(partition, fired); };
  while (partition.events.pop_before(end, handle_it)) {
  }
}

void SimulationState::run_until_quiet(Partition& partition, const EventKey& end, std::uint64_t most) {
  const auto handle_it = [&](const EventQueue::Fired& fired) { handle(partition, fired); };
  for (; most > 0 && !partition.quiet(); --most) {
    if (!partition.events.pop_before(end, handle_it)) return;
  }
}

void SimulationState::step_script() {
  const EventQueue::Fired fired = script.pop();
  now = fired.time;
  for (const auto& one : partitions) {
    one->context.now = now;
    one->context.acting = &script;
  }
  dispatch_script(fired.event);
  for (const auto& one : partitions) one->context.acting = &one->events;
  for (Mailbox& box : mail) box.turn();  // an egress that is released starts a frame at once
}

EventKey SimulationState::next_key() {
  EventKey next = script.next_key();
  for (const auto& one : partitions) next = std::min(next, one->events.next_key());
  return next;
}

void SimulationState::step() {
  const EventKey next = next_key();
  now = next.time;
  if (script.next_key() == next) {
    step_script();
    return deliver_all_mail();
  }
  const auto whose = std::ranges::find_if(partitions, [&](const auto& one) { return one->events.next_key() == next; });
  SOYA_CHECK(whose != partitions.end(), "an event is the script's or a partition's");
  handle(**whose, (*whose)->events.pop());
  deliver_all_mail();
}

void SimulationState::dispatch(Partition& partition, const Event& event) {
  Context& context = partition.context;
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
    case EventKind::host_completions: return deliver_completions(partition, HostId{event.object});
    case EventKind::job_wake: return wake_job(partition, HostId{event.object}, JobId{event.part});
    case EventKind::nic_wait: return nics[event.object].wait_fired(context);
    case EventKind::fault:
    case EventKind::stall_check:
    case EventKind::sample: SOYA_CHECK(false, "an event of the script is no partition's");
  }
}

void SimulationState::dispatch_script(const Event& event) {
  if (event.kind == EventKind::fault) return apply_faults();
  if (event.kind == EventKind::stall_check) return check_stall();
  take_sample();
}

bool SimulationState::report_progress() {
  std::int64_t finished = 0;
  std::vector<const TransferRecord*> records;
  for (const auto& one : partitions) {
    for (const std::uint32_t record : one->unreported) records.push_back(&one->transfers[record]);
    one->unreported.clear();
    finished += one->transfers_finished;
  }
  // Each partition tells of its own in order; none is ahead of what another has told before.
  std::ranges::stable_sort(records, {}, &TransferRecord::finish);
  IdealTimes ideal{*this};
  for (const TransferRecord* record : records) monitor->transfer_finished(transfer_row(*record, ideal));
  return monitor->proceed({now, events_handled(), finished, transfers_in_all, totals().packet_hops});
}

}  // namespace soya
