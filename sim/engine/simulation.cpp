#include "engine/simulation.hpp"

#include <algorithm>

#include "engine/paths.hpp"
#include "engine/stall_time.hpp"
#include "engine/state.hpp"

namespace soya {

namespace {

/// A monitor is asked this often: every 2^13 events.
constexpr std::uint64_t events_between_reports = 1 << 13;

using Kind = FaultStep::Kind;

void add_steps(const LinkDownFault& fault, SimulationState& state) {
  state.faults.push_back({Kind::link_down, fault.down, fault.link});
  if (fault.up) state.faults.push_back({Kind::link_up, *fault.up, fault.link});
}

void add_steps(const HoldFault& fault, SimulationState& state) {
  state.faults.push_back({Kind::hold, fault.from, fault.link, fault.node});
  state.faults.push_back({Kind::release, fault.until, fault.link, fault.node});
}

void add_steps(const DropFault& fault, SimulationState& state) {
  constexpr PacketKind kinds[] = {PacketKind::data, PacketKind::acknowledge, PacketKind::pfc};
  const PortId port = state.routing->ports().port_on(fault.link, fault.from);
  state.port_at({fault.from, port}).outgoing().lose_nth(kinds[static_cast<std::size_t>(fault.kind)], fault.nth);
}

void add_steps(const LossBurstFault& fault, SimulationState& state) {
  if (fault.frames) state.faults.push_back({Kind::lose_next, fault.at, fault.link, fault.from, *fault.frames});
  if (!fault.until) return;
  state.faults.push_back({Kind::begin_burst, fault.at, fault.link, fault.from});
  state.faults.push_back({Kind::end_burst, *fault.until, fault.link, fault.from});
}

/// The link goes over to the ways of `to` at `at`.
void add_switch_over(const ProtectionFault& fault, Time at, const LinkConfig& to, SimulationState& state) {
  if (fault.outage > Duration{0}) {
    state.faults.push_back({Kind::link_down, at, fault.link});
    state.faults.push_back({Kind::link_up, at + fault.outage, fault.link});
  }
  FaultStep reroute{Kind::reroute, at + fault.outage, fault.link};
  reroute.forward = to.forward_way();
  reroute.reverse = to.reverse_way();
  state.faults.push_back(reroute);
}

void add_steps(const ProtectionFault& fault, SimulationState& state) {
  const LinkConfig& own = state.scenario.topology.links[fault.link.index()];
  add_switch_over(fault, fault.at, fault.other_path(own), state);
  if (fault.until) add_switch_over(fault, *fault.until, own, state);
}

void build_script(SimulationState& state) {
  for (const FaultConfig& fault : state.scenario.faults) {
    std::visit([&](const auto& one) { add_steps(one, state); }, fault);
  }
  std::stable_sort(state.faults.begin(), state.faults.end(),
                   [](const FaultStep& a, const FaultStep& b) { return a.at < b.at; });
  state.fault_source = state.add_source("engine\x1f" "faults", {EventKind::fault, 0, 0});
  if (!state.faults.empty()) state.events.schedule(state.fault_source, state.faults.front().at, Phase::wire_free);

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

void SimulationState::apply_faults() {
  for (; next_fault < faults.size() && faults[next_fault].at <= context.now; ++next_fault) apply(faults[next_fault]);
  if (next_fault < faults.size()) events.schedule(fault_source, faults[next_fault].at, Phase::wire_free);
}

void SimulationState::apply(const FaultStep& step) {
  const PortMap& map = routing->ports();
  const LinkPorts& ends = map.ends_of(step.link);
  const auto each_way = [&](auto change) {
    for (const PortRef ref : {ends.a, ends.b}) change(port_at(ref).incoming);
  };
  const auto outgoing = [&]() -> Link& { return port_at({step.node, map.port_on(step.link, step.node)}).outgoing(); };
  switch (step.kind) {
    case Kind::link_down:
      return each_way([&](Link& link) { link.down(context); });
    case Kind::link_up:
      return each_way([](Link& link) { link.up(); });
    case Kind::reroute:
      port_at(ends.b).incoming.reroute(step.forward);
      return port_at(ends.a).incoming.reroute(step.reverse);
    case Kind::begin_burst:
      return outgoing().begin_burst();
    case Kind::end_burst:
      return outgoing().end_burst();
    case Kind::lose_next:
      return outgoing().lose_next(step.frames);
    case Kind::hold:
    case Kind::release:
      return hold_egress(step);
  }
}

void SimulationState::hold_egress(const FaultStep& step) {
  const PortMap& map = routing->ports();
  const bool held = step.kind == Kind::hold;
  if (map.is_host(step.node)) return nics[map.host_at(step.node).index()].hold(context, held);
  const PortId port = map.port_on(step.link, step.node);
  if (map.is_accelerator(step.node)) return accelerator_at(step.node).hold(context, port, held);
  switches[map.switch_at(step.node).index()].hold(context, port, held);
}

bool SimulationState::report_progress() {
  IdealTimes ideal{*this};
  for (const std::uint32_t record : unreported) monitor->transfer_finished(transfer_row(transfers[record], ideal));
  unreported.clear();
  return monitor->proceed({context.now, static_cast<std::int64_t>(events.popped()), transfers_finished,
                           transfers_in_all, counters.packet_hops});
}

}  // namespace soya
