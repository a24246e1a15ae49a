#include "fabric/switch.hpp"

#include <algorithm>
#include <bit>

namespace soya {

Switch::Switch(const PfcConfig& pfc, const Setup& setup)
    : routes_{*setup.routes},
      latency_{setup.latency},
      pause_books_{setup.ports.size(), setup.largest_frame},
      buffer_{setup.buffer},
      lossless_{pfc.priorities} {
  ports_.reserve(setup.ports.size());
  for (const PortSetup& port : setup.ports) ports_.emplace_back(pfc, port, setup.scheduler, setup.largest_frame);
  if (setup.choice) choice_ = std::make_unique<PathChoice>(*setup.choice);
  if (!setup.buffer.deep) return;
  deep_ = std::make_unique<DeepMemory>(DeepMemory::Setup{*setup.buffer.deep, setup.buffer.buffer.size,
                                                         setup.buffer.buffer.xon_offset, setup.ports.size()});
  deep_source_ = setup.deep_memory;
}

// All that a frame needs on its way in and out is in one piece of code each: calls between them cost 4 %.
[[gnu::flatten]] void Switch::arrive(Context& context, PortId ingress) {
  Port& port = ports_[ingress.index()].port;
  Packet& packet = port.incoming.take(context);
  if (packet.kind != PacketKind::pfc) [[likely]]
    return receive(context, packet, ingress);
  const PfcFields fields = packet.pfc;
  context.packets.release(packet);
  if (port.pause_clock.receive(context, fields)) offer(context, ingress);
}

PortId Switch::fetch_for(const Packet& packet, PortId ingress) const {
  if (packet.kind == PacketKind::pfc || choice_ || deep_) return PortId::none();
  const PortId egress = routes_.next_port(packet.destination, packet.flow_hash);
  buffer_.fetch(ingress, packet.priority);
  buffer_.fetch(egress, packet.priority);
  const SwitchPort& out = ports_[egress.index()];
  out.port.fetch();
  __builtin_prefetch(&out.queues[packet.priority.index()]);
  return egress;
}

inline void Switch::receive(Context& context, Packet& packet, PortId ingress) {
  const PortId egress =
      choice_ ? choose_egress(packet, context.now) : routes_.next_port(packet.destination, packet.flow_hash);
  if (choice_ && egress.is_none()) [[unlikely]]
    return lose(context, packet, ingress);
  const Priority priority = packet.priority;
  const Bytes frame = packet.frame_size();
  const bool watched = pause_books_.watches(ingress, priority);
  if (watched) [[unlikely]] {
    note_arrival(context, {ingress, priority}, frame);
  }
  if (deep_) [[unlikely]]
    return receive_deep(context, packet, ingress, egress);
  SwitchPort& out = ports_[egress.index()];
  bool leaves = passes(out, priority, context.now);
  if (leaves && !watched && buffer_.pass(ingress, egress, priority, frame)) {
    return out.port.start(context, {&packet, packet.frame, priority, packet.kind});
  }
  if (!buffer_.store_below_threshold(ingress, egress, priority, frame)) {
    if (!admit(context, packet, ingress, egress)) return;
    leaves = passes(out, priority, context.now);  // unless it goes after the PFC frame that it called for
  }
  if (!leaves) return enqueue(context, packet, ingress, egress, out);
  out.port.start(context, {&packet, packet.frame, priority, packet.kind});
  left(context, {ingress, priority}, egress, frame);
  if (out.port.pause_refresher.due()) out.port.wake_when_free(context);
}

/// Whether a frame is stored that its group's threshold may have something against. Whom that pauses is told.
bool Switch::admit(Context& context, Packet& packet, PortId ingress, PortId egress) {
  const Admission admission = buffer_.admit(ingress, egress, packet.priority, packet.frame_size(), context.now);
  if (admission.crossed_xoff()) pause_upstream(context, ingress, admission.xoff);
  if (!admission.dropped()) return true;
  drop(context, packet, {ingress, packet.priority}, admission);
  return false;
}

/// A frame has begun to leave: its group may be on again, and others.
inline void Switch::left(Context& context, PriorityGroup group, PortId egress, Bytes frame) {
  for (const PriorityGroup on : buffer_.release(group.port, egress, group.priority, frame, context.now)) {
    resume_upstream(context, on);
  }
  if (pause_books_.watching()) [[unlikely]] {
    note_release(context, group);
  }
}

/// The port that the frame leaves by; none where no path is left.
[[gnu::noinline]] PortId Switch::choose_egress(const Packet& packet, Time now) {
  return choice_->choose(routes_, packet, now, [&](PortId port) { return buffer_.queue_bytes(port, packet.priority); });
}

/// Nothing leads to the frame's destination any more.
void Switch::lose(Context& context, Packet& packet, PortId ingress) {
  ++losses_.no_path;
  ++context.counters.lost_frames;
  context.observe(FactKind::frame_lost, port(ingress).node(), ingress, packet.priority, packet.frame);
  context.packets.release(packet);
}

// What pauses cost is looked at apart, so that frames of a switch that waits for no sender pay a branch.
[[gnu::noinline]] void Switch::note_arrival(Context& context, PriorityGroup group, Bytes frame) {
  pause_books_.arrived(context, port(group.port), group.priority, frame, buffer_.stored(group.port, group.priority));
}

[[gnu::noinline]] void Switch::note_release(const Context& context, PriorityGroup group) {
  if (!pause_books_.watches(group.port, group.priority)) return;
  pause_books_.released(group.port, group.priority, buffer_.stored(group.port, group.priority), context.now);
}

void Switch::pause_upstream(Context& context, PortId ingress, PrioritySet priorities) {
  for (unsigned bits = priorities.bits(); bits != 0; bits &= bits - 1) {
    const Priority priority{static_cast<std::uint8_t>(std::countr_zero(bits))};
    ports_[ingress.index()].port.pause_refresher.pause(context, priority);
    pause_books_.off(ingress, priority, context.now);
    context.observe(FactKind::xoff, port(ingress).node(), ingress, priority, 0);
  }
  offer_control(context, ingress);
}

void Switch::drop(Context& context, Packet& packet, PriorityGroup group, const Admission& admission) {
  if (admission.drop == DropReason::headroom_exhausted) {
    ++context.counters.lossless_drops;
    const auto same_group = [&](const LosslessDrop& seen) { return seen.group == group; };
    if (std::none_of(lossless_drops_.begin(), lossless_drops_.end(), same_group)) {
      lossless_drops_.push_back({context.now, group, admission.missing, admission.limit});
    }
  } else {
    ++context.counters.lossy_drops;
  }
  context.observe(FactKind::frame_dropped, port(group.port).node(), group.port, group.priority, packet.frame);
  context.packets.release(packet);
}

inline void Switch::enqueue(Context& context, Packet& packet, PortId ingress, PortId egress, SwitchPort& out) {
  out.queues[packet.priority.index()].push().set(context.now + latency_, packet, ingress);
  // Who waits behind another frame is looked at when that one leaves.
  if (out.port.backlog.contains(packet.priority)) return;
  out.port.backlog.insert(packet.priority);
  if (out.port.idle(context.now)) return transmit(context, egress);
  out.port.wake_when_free(context);
}

/// Whether a frame of `priority` that has just been admitted leaves at once: nothing is before it, or holds it back.
inline bool Switch::passes(const SwitchPort& out, Priority priority, Time now) const {
  return out.port.idle(now) && out.port.backlog.empty() && latency_ == Duration{0} && !out.port.held() &&
         !out.port.pause_clock.paused().contains(priority) && !out.port.pause_refresher.due();
}

inline void Switch::dequeue(SwitchPort& egress, Priority priority) {
  Ring<WaitingFrame>& queue = egress.queues[priority.index()];
  queue.pop();
  if (!queue.empty()) return;
  egress.port.backlog.erase(priority);
  if (egress.port.takes_turns) egress.scheduler.emptied(priority);
}

/// A PFC frame may be due.
inline void Switch::offer_control(Context& context, PortId egress) {
  if (ports_[egress.index()].port.pause_refresher.due()) offer(context, egress);
}

[[gnu::flatten]] void Switch::transmit(Context& context, PortId egress) {
  SwitchPort& out = ports_[egress.index()];
  Port& port = out.port;
  if (!port.idle(context.now)) return port.wake_when_free(context);
  if (port.pause_refresher.due()) {
    port.start_control(context);
    if (!port.backlog.empty()) port.wake_when_free(context);
    return;
  }
  if (start_frame(context, egress, out)) {
    const unsigned waiting = port.backlog.bits() & ~static_cast<unsigned>(port.pause_clock.paused().bits());
    if (waiting != 0 || port.pause_refresher.due()) port.wake_when_free(context);
  }
}

/// The queue of `eligible` that sends next, charged for its head.
inline Priority Switch::choose(SwitchPort& egress, PrioritySet eligible) {
  const unsigned bits = eligible.bits();
  if ((bits & (bits - 1)) == 0) [[likely]]
    return Priority{static_cast<std::uint8_t>(std::countr_zero(bits))};
  egress.port.takes_turns = true;
  HeadBytes head_bytes{};
  for (std::size_t p = 0; p < Priority::count; ++p) {
    if (!egress.queues[p].empty()) head_bytes[p] = egress.queues[p].front().bytes();
  }
  return egress.scheduler.pick(eligible, head_bytes);
}

/// Starts the frame the scheduler chooses. If the next one is still in the pipeline, wakes when it is out.
inline bool Switch::start_frame(Context& context, PortId egress, SwitchPort& out) {
  if (out.port.held()) return false;
  PrioritySet eligible;
  Time earliest = Time::never();
  for (unsigned bits = out.port.backlog.bits() & ~static_cast<unsigned>(out.port.pause_clock.paused().bits());
       bits != 0; bits &= bits - 1) {
    const Priority priority{static_cast<std::uint8_t>(std::countr_zero(bits))};
    const Time ready = out.queues[priority.index()].front().ready;
    if (ready <= context.now) {
      eligible.insert(priority);
    } else {
      earliest = std::min(earliest, ready);
    }
  }
  if (eligible.empty()) {
    if (earliest != Time::never()) out.port.wake_at(context, earliest);
    return false;
  }
  const Priority priority = choose(out, eligible);
  const WaitingFrame frame = out.queues[priority.index()].front();
  dequeue(out, priority);
  out.port.start(context, {frame.packet, frame.bytes(), priority, frame.kind()});
  left(context, {frame.ingress, priority}, egress, Bytes{frame.bytes()});
  if (deep_) [[unlikely]]
    left_deep(context, frame, egress, priority);
  return true;
}

/// The group is on again; its sender too, unless on-chip memory holds its port back.
void Switch::resume_upstream(Context& context, PriorityGroup group) {
  if (deep_ && deep_->pressed(group.port)) return;
  ports_[group.port.index()].port.pause_refresher.resume(context, group.priority);
  pause_books_.on(port(group.port), group.priority, buffer_.stored(group.port, group.priority), context.now);
  context.observe(FactKind::xon, port(group.port).node(), group.port, group.priority, 0);
  offer_control(context, group.port);
}

void Switch::pause_clock_fired(Context& context, PortId port) {
  if (ports_[port.index()].port.pause_clock.wake(context)) offer(context, port);
}

void Switch::pause_refresh_fired(Context& context, PortId port) {
  if (ports_[port.index()].port.pause_refresher.wake(context)) offer(context, port);
}

void Switch::hold(Context& context, PortId egress, bool held) {
  ports_[egress.index()].port.hold(held);
  if (!held) offer(context, egress);
}

void Switch::reroute(const RoutingTable& routes) {
  routes_ = routes;
  choice_->rerouted();
}

void Switch::fail(Context& context) {
  if (deep_) deep_->lose_all(context.now);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    SwitchPort& out = ports_[p];
    for (std::uint8_t q = 0; q < Priority::count; ++q) {
      const Priority priority{q};
      while (!out.queues[q].empty()) {
        const WaitingFrame frame = out.queues[q].front();
        dequeue(out, priority);
        left(context, {frame.ingress, priority}, PortId{p}, Bytes{frame.bytes()});
        ++losses_.failure;
        ++context.counters.lost_frames;
        context.observe(FactKind::frame_lost, out.port.node(), PortId{p}, priority, frame.bytes());
        context.packets.release(*frame.packet);
      }
    }
  }
  if (!deep_) return;
  // What on-chip memory held back by whole ports is on again, too.
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    for (unsigned bits = ports_[p].port.pause_refresher.asking().bits(); bits != 0; bits &= bits - 1) {
      resume_upstream(context, {PortId{p}, Priority{static_cast<std::uint8_t>(std::countr_zero(bits))}});
    }
  }
}

}  // namespace soya
