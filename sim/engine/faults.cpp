// What goes wrong by script, and how the fabric gets over it: read by simulation.cpp.
#include <algorithm>
#include <memory>

#include "core/quantity_text.hpp"
#include "engine/routes.hpp"
#include "engine/state.hpp"

namespace soya {

namespace {

using Kind = FaultStep::Kind;

void add_steps(const LinkDownFault& fault, SimulationState& state) {
  state.faults.push_back({Kind::link_down, fault.down, fault.link, NodeId::none()});
  if (fault.up) state.faults.push_back({Kind::link_up, *fault.up, fault.link, NodeId::none()});
}

void add_steps(const SwitchDownFault& fault, SimulationState& state) {
  state.faults.push_back({Kind::switch_down, fault.down, LinkId::none(), fault.node});
  if (fault.up) state.faults.push_back({Kind::switch_up, *fault.up, LinkId::none(), fault.node});
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
    state.faults.push_back({Kind::link_down, at, fault.link, NodeId::none()});
    state.faults.push_back({Kind::link_up, at + fault.outage, fault.link, NodeId::none()});
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

/// "h1, h2, h3 and 5 more".
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t spelled_out = 16;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), spelled_out); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() <= spelled_out) return text;
  return text + " and " + grouped(static_cast<std::int64_t>(names.size() - spelled_out)) + " more";
}

}  // namespace

void SimulationState::build_faults() {
  for (const FaultConfig& fault : scenario.faults) {
    std::visit([&](const auto& one) { add_steps(one, *this); }, fault);
  }
  for (std::size_t i = 0; i < reconvergences.size(); ++i) {
    FaultStep step{Kind::reconverge, reconvergences[i].at, LinkId::none()};
    step.reconvergence = i;
    faults.push_back(step);
  }
  std::ranges::stable_sort(faults, {}, &FaultStep::at);
  fault_source = add_script_source(
      "engine\x1f"
      "faults",
      {EventKind::fault, 0, 0});
  if (!faults.empty()) script.schedule(fault_source, faults.front().at, Phase::wire_free);
}

void SimulationState::apply_faults() {
  for (; next_fault < faults.size() && faults[next_fault].at <= now; ++next_fault) apply(faults[next_fault]);
  if (next_fault < faults.size()) script.schedule(fault_source, faults[next_fault].at, Phase::wire_free);
}

void SimulationState::apply(const FaultStep& step) {
  const PortMap& map = routing->ports();
  // The receiver's half of a cut link has to know its delay, too.
  const auto reroute = [&](PortRef ref, Duration one_way) {
    link_towards(ref).reroute(one_way);
    port_at(ref).incoming.reroute(one_way);
  };
  const auto outgoing = [&]() -> Link& { return port_at({step.node, map.port_on(step.link, step.node)}).outgoing(); };
  switch (step.kind) {
    case Kind::link_down:
    case Kind::switch_down:
      return take_down({step.link, step.node, step.at, std::nullopt});
    case Kind::link_up:
    case Kind::switch_up:
      return bring_up({step.link, step.node, step.at, std::nullopt});
    case Kind::reroute:
      reroute(map.ends_of(step.link).b, step.forward);
      return reroute(map.ends_of(step.link).a, step.reverse);
    case Kind::reconverge:
      return reconverge(reconvergences[step.reconvergence]);
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
  Context& context = home_of(step.node).context;
  if (map.is_host(step.node)) return nics[map.host_at(step.node).index()].hold(context, held);
  const PortId port = map.port_on(step.link, step.node);
  if (map.is_accelerator(step.node)) return accelerator_at(step.node).hold(context, port, held);
  switches[map.switch_at(step.node).index()].hold(context, port, held);
}

/// Links lose what is on them; a switch loses what waits in it. Pauses end on both sides of each link, so that frames
/// which wait for it leave, and are lost.
void SimulationState::take_down(const Outage& outage) {
  for (const LinkId link : links_of(scenario.topology, outage)) {
    const LinkPorts& ends = routing->ports().ends_of(link);
    take_down(ends.a);
    take_down(ends.b);
  }
  if (!outage.node.is_none()) {
    switches[routing->ports().switch_at(outage.node).index()].fail(home_of(outage.node).context);
  }
}

void SimulationState::bring_up(const Outage& outage) {
  for (const LinkId link : links_of(scenario.topology, outage)) {
    const LinkPorts& ends = routing->ports().ends_of(link);
    for (const PortRef ref : {ends.a, ends.b}) {
      link_towards(ref).up();
      if (!is_down_towards(ref)) port_at(ref).link_returned(home_of(ref.node).context);
    }
  }
}

void SimulationState::reconverge(const Reconvergence& to) {
  rerouted = std::make_unique<Routing>(routing_of(scenario, to.dead));
  for (std::size_t s = 0; s < switches.size(); ++s) switches[s].reroute(rerouted->table(SwitchId{s}));
  std::int64_t lost = totals().lost_frames;
  for (const ReconvergenceRow& row : reconverged) lost -= row.lost_frames;
  const std::vector<std::string> cut_off = cut_off_hosts(scenario.topology, to.dead);
  reconverged.push_back({(now - Time{0}).picoseconds(), to.what, static_cast<std::int64_t>(cut_off.size()),
                         listed(cut_off), lost});
}

}  // namespace soya
