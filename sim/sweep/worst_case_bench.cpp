#include "sweep/worst_case_bench.hpp"

#include <algorithm>

namespace soya {

namespace {

// Nodes and hosts by their order, links by their host.
constexpr std::uint32_t host_a = 0;
constexpr std::uint32_t host_b = 1;
constexpr std::uint32_t host_z = 2;
constexpr std::uint32_t switch_node = 3;

constexpr Priority lossless{3};
constexpr Priority lossy{0};
/// One way, of the links of b and z.
constexpr Duration near{1'000};
/// Frames that are sent beyond the need of the formula, so that no end of a message hides a need that is larger.
constexpr std::int64_t frames_beyond = 64;

/// When a port that sends without a break from 0 on has sent `wire` bytes: rounded down as WireClock does.
Duration left_after(Bytes wire, Rate rate) {
  const Int128 bit_picoseconds = static_cast<Int128>(wire.count()) * 8 * 1'000'000'000'000;
  return Duration{static_cast<std::int64_t>(bit_picoseconds / rate.bits_per_second())};
}

LinkConfig link_of(std::uint32_t host, Rate rate, Duration delay) {
  LinkConfig link;
  link.a = NodeId{host};
  link.b = NodeId{switch_node};
  link.rate = rate;
  link.length = Length{0};
  link.delay = delay;
  return link;
}

FlowConfig flow_of(std::uint32_t from, std::uint32_t to, Priority priority) {
  FlowConfig flow;
  flow.from = HostId{from};
  flow.to = HostId{to};
  flow.priority = priority;
  flow.operation = Operation::send;
  return flow;
}

}  // namespace

WorstCaseBench::WorstCaseBench(const WorstCase& what)
    : what_{what},
      sizes_{what.frame},
      reverse_rate_{what.reverse_rate.value_or(what.rate)},
      reverse_frame_{sizes_.middle()},
      other_frame_{what.message
                       ? sizes_.data(what.operation, PacketPosition::only, std::min(*what.message, what.frame.mtu))
                       : sizes_.middle()} {
  const Bytes largest = query_of(what_).largest_frame;
  // Enough for buffers that no single frame fills.
  const Bytes enough = 3 * in_cells(largest);
  Bytes wire{0};
  std::int64_t frames = 0;
  for (; held_ < enough; ++frames) {
    held_ += in_cells(frame_at(frames));
    wire += frame_at(frames) + wire_gap;
  }
  trigger_frame_ = frame_at(frames);
  wire += trigger_frame_ + wire_gap;
  // Late enough that the reverse frame and the other group's can be where they shall be.
  start_ = Time{0} + 3 * reverse_time() + 4 * serialisation(largest + wire_gap, what_.rate) + 2 * near;
  trigger_ = start_ + left_after(wire, what_.rate) + what_.one_way;
}

Duration WorstCaseBench::trigger_time() const {
  return serialisation(trigger_frame_ + wire_gap, what_.rate);
}

Duration WorstCaseBench::reverse_time() const {
  return serialisation(reverse_frame_ + wire_gap, reverse_rate_);
}

Bytes WorstCaseBench::frame_at(std::int64_t index) const {
  if (!what_.message) return sizes_.middle();
  const std::int64_t packets = sizes_.packets(*what_.message);
  const std::int64_t at = index % packets;
  const bool last = at + 1 == packets;
  const Bytes payload = last ? *what_.message - at * sizes_.mtu() : sizes_.mtu();
  const PacketPosition position = packets == 1 ? PacketPosition::only
                                  : at == 0    ? PacketPosition::first
                                  : last       ? PacketPosition::last
                                               : PacketPosition::middle;
  return sizes_.data(what_.operation, position, payload);
}

Bytes WorstCaseBench::in_cells(Bytes frame) const {
  if (!what_.cell) return frame;
  return (frame.count() + what_.cell->count() - 1) / what_.cell->count() * *what_.cell;
}

Scenario WorstCaseBench::scenario(Bytes headroom, const WorstCasePhase& phase) const {
  Scenario scenario;
  scenario.name = "worst-case";
  scenario.frame = what_.frame;
  scenario.pfc.priorities = PrioritySet{0b0000'1000};
  scenario.pfc.response = what_.response;
  add_fabric(scenario);
  scenario.switches.push_back(switch_config(headroom));
  FlowsConfig flows{.name = "flows", .flows = sender_flows(), .where = {}};
  if (phase.other) flows.flows.push_back(other_flow(*phase.other));
  scenario.jobs.emplace_back(std::move(flows));
  add_reverse(scenario, phase.reverse);
  // The PAUSE has taken effect, and what was sent until then is in.
  const Duration pause = reverse_time() + serialisation(pfc_frame + wire_gap, reverse_rate_);
  const Duration last_frame = serialisation(query_of(what_).largest_frame + wire_gap, what_.rate);
  const Time end = trigger_ + pause + query_of(what_).round_trip() + what_.response + 2 * last_frame;
  scenario.faults.emplace_back(HoldFault{LinkId{host_z}, NodeId{switch_node}, Time{0}, end + 1_s, {}});
  scenario.stop.after = end - Time{0};
  scenario.stop.stalled_after = 2 * (end - Time{0});
  return scenario;
}

void WorstCaseBench::add_fabric(Scenario& scenario) const {
  NicConfig nic;
  nic.queue_depth = 1'000'000'000;
  nic.ack_every = 1'000'000'000;
  nic.timeout = 86'400_s;
  for (const char* name : {sender, "b", "z"}) {
    scenario.topology.nodes.push_back({name, NodeKind::host, {}});
    scenario.nics.push_back(nic);
  }
  scenario.topology.nodes.push_back({"s", NodeKind::switch_, {}});
  scenario.topology.links = {link_of(host_a, what_.rate, what_.one_way), link_of(host_b, what_.rate, near),
                             link_of(host_z, reverse_rate_, near)};
  scenario.topology.links.front().reverse_rate = reverse_rate_;
  scenario.topology.links.front().reverse_delay = what_.way_back;
}

SwitchConfig WorstCaseBench::switch_config(Bytes headroom) const {
  SwitchConfig config;
  config.latency = Duration{0};
  config.headroom.size = headroom;
  config.buffer.reserved = Bytes{0};
  config.buffer.cell = what_.cell;
  const Bytes carved = 3 * headroom;
  if (what_.threshold == ThresholdKind::static_) {
    // The trigger is the first frame that takes the group to the threshold.
    const Bytes threshold = held_ + in_cells(trigger_frame_);
    config.buffer.threshold = StaticThreshold{threshold};
    config.buffer.size = carved + 2 * threshold;
  } else {
    // With alpha 1 a group's threshold is shared - its own use - the others'. The group holds half a frame less than
    // that when only the trigger is missing, and half a frame more when the other group's frame has come.
    config.buffer.threshold = DynamicThreshold{{1, 1}};
    config.buffer.size = carved + 2 * held_ + in_cells(other_frame_) / 2;
  }
  return config;
}

/// What the sender sends is more than it can until the PAUSE takes effect.
std::vector<FlowConfig> WorstCaseBench::sender_flows() const {
  const HeadroomQuery query = query_of(what_);
  const Bytes wire = 2 * headroom_budget(query).in_flight() + held_ + frames_beyond * (query.largest_frame + wire_gap);
  FlowConfig flow = flow_of(host_a, host_z, lossless);
  flow.operation = what_.operation;
  flow.start = start_;
  if (what_.message) {
    flow.size = *what_.message;
    flow.messages = wire.count() / sizes_.message_on_wire(flow.operation, flow.size).count() + 1;
    return {flow};
  }
  // No queue pair has 2^23 packets outstanding; where more are sent, several take turns.
  constexpr std::int64_t most_packets = 1 << 22;
  const std::int64_t packets = wire.count() / (sizes_.middle() + wire_gap).count() + 1;
  const std::int64_t flows = packets / most_packets + 1;
  flow.operation = Operation::send;
  flow.size = (packets / flows + 1) * sizes_.mtu();
  return std::vector<FlowConfig>(static_cast<std::size_t>(flows), flow);
}

/// One frame on the wire from s to a that starts `before` the trigger is in. It is lost there: an acknowledge of it
/// would take the sender's wire from the frames that are counted.
void WorstCaseBench::add_reverse(Scenario& scenario, Duration before) const {
  FlowConfig flow = flow_of(host_z, host_a, lossy);
  flow.size = sizes_.mtu();
  flow.start = trigger_ - before - near - left_after(reverse_frame_ + wire_gap, reverse_rate_);
  std::get<FlowsConfig>(scenario.jobs.front()).flows.push_back(flow);
  scenario.faults.emplace_back(DropFault{LinkId{host_a}, NodeId{switch_node}, DropKind::data, 1, {}});
}

/// One frame of b that is in `before` the trigger is.
FlowConfig WorstCaseBench::other_flow(Duration before) const {
  FlowConfig flow = flow_of(host_b, host_z, lossless);
  flow.operation = what_.message ? what_.operation : Operation::send;
  flow.size = what_.message ? std::min(*what_.message, sizes_.mtu()) : sizes_.mtu();
  flow.start = trigger_ - before - near - left_after(other_frame_ + wire_gap, what_.rate);
  return flow;
}

}  // namespace soya
