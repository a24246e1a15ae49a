// What a switch with off-chip memory does beside the others: read by switch.cpp.
#include <bit>

#include "fabric/switch.hpp"

namespace soya {

void Switch::receive_deep(Context& context, Packet& packet, PortId ingress, PortId egress) {
  const Priority priority = packet.priority;
  const Bytes charge = buffer_.charge_of(packet.frame_size());
  const bool is_lossless = lossless_.contains(priority);
  const Bytes missing = deep_->missing(charge, is_lossless);
  const Admission admission = missing > Bytes{0}
                                  ? buffer_.refuse(ingress, priority, missing)
                                  : buffer_.admit(ingress, egress, priority, packet.frame_size(), context.now);
  // A pressed port has paused all of its senders already.
  if (admission.crossed_xoff() && !deep_->pressed(ingress)) pause_upstream(context, ingress, admission.xoff);
  if (admission.dropped()) {
    if (is_lossless && missing > Bytes{0}) press(context, ingress);
    return drop(context, packet, {ingress, priority}, admission);
  }
  const Time ready = context.now + latency_;
  const bool stays = deep_->arrived(egress.index() * Priority::count + priority.index(), charge, ready);
  if (is_lossless && deep_->above_level()) press(context, ingress);
  ports_[egress.index()].queues[priority.index()].push().set(stays ? ready : Time::never(), packet, ingress);
  PrioritySet& backlog = ports_[egress.index()].port.backlog;
  const bool is_first = !backlog.contains(priority);
  backlog.insert(priority);
  if (is_first && stays) offer(context, egress);
  if (!stays) advance_deep(context);
}

void Switch::left_deep(Context& context, const WaitingFrame& frame, PortId egress, Priority priority) {
  deep_->left(egress.index() * Priority::count + priority.index(), buffer_.charge_of(Bytes{frame.bytes()}));
  relieve(context);
  advance_deep(context);
}

/// All lossless senders of the port pause: what arrives from now on is what its links hold.
void Switch::press(Context& context, PortId ingress) {
  if (deep_->pressed(ingress)) return;
  deep_->press(ingress, context.now);
  PrioritySet running;
  for (unsigned bits = lossless_.bits(); bits != 0; bits &= bits - 1) {
    const Priority priority{static_cast<std::uint8_t>(std::countr_zero(bits))};
    if (!buffer_.off(ingress, priority)) running.insert(priority);
  }
  if (!running.empty()) pause_upstream(context, ingress, running);
}

void Switch::relieve(Context& context) {
  if (!deep_->relief_due()) return;
  for (const PortId port : deep_->relieved(context.now)) {
    for (unsigned bits = lossless_.bits(); bits != 0; bits &= bits - 1) {
      const Priority priority{static_cast<std::uint8_t>(std::countr_zero(bits))};
      if (!buffer_.off(port, priority)) resume_upstream(context, {port, priority});
    }
  }
}

void Switch::advance_deep(Context& context) {
  if (const auto next = deep_->advance(context.now)) context.events.schedule(deep_source_, *next, Phase::timer);
}

void Switch::deep_memory_fired(Context& context) {
  const auto back = deep_->finish(context.now);
  if (back) {
    ports_[back->queue / Priority::count].queues[back->queue % Priority::count][back->position].ready = context.now;
  }
  relieve(context);
  advance_deep(context);
  if (back && back->position == 0) offer(context, PortId{back->queue / Priority::count});
}

}  // namespace soya
