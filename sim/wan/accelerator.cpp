#include "wan/accelerator.hpp"

#include <algorithm>

namespace soya {

namespace {

constexpr std::uint32_t none = UINT32_MAX;

[[nodiscard]] PrioritySet common(PrioritySet a, PrioritySet b) {
  return PrioritySet{static_cast<std::uint8_t>(a.bits() & b.bits())};
}

}  // namespace

Accelerator::Accelerator(const PfcConfig& pfc, const Setup& setup)
    : setup_{setup}, lossless_{pfc.priorities}, site_{pfc, setup.site}, haul_{pfc, setup.haul} {}

void Accelerator::add_connection(const ConnectionEnd& local, const ConnectionEnd& remote) {
  const auto index = static_cast<std::uint32_t>(connections_.size());
  connections_.emplace_back(local, remote);
  for (const ConnectionEnd* end : {&local, &remote}) {
    if (by_destination_.size() <= end->host.index()) by_destination_.resize(end->host.index() + 1);
    std::vector<std::uint32_t>& there = by_destination_[end->host.index()];
    if (there.size() <= end->queue_pair.index()) there.resize(end->queue_pair.index() + 1, none);
    there[end->queue_pair.index()] = index;
  }
}

std::uint32_t Accelerator::index_to(HostId host, QueuePairId queue_pair) const {
  if (host.index() >= by_destination_.size()) return none;
  const std::vector<std::uint32_t>& there = by_destination_[host.index()];
  return queue_pair.index() < there.size() ? there[queue_pair.index()] : none;
}

ConnectionRelay* Accelerator::find(const Packet& packet) {
  const std::uint32_t index = index_to(packet.destination, packet.queue_pair);
  return index == none ? nullptr : &connections_[index];
}

const ConnectionRelay* Accelerator::connection_of(HostId host, QueuePairId queue_pair) const {
  const std::uint32_t index = index_to(host, queue_pair);
  if (index == none || connections_[index].local.host != host) return nullptr;
  return &connections_[index];
}

void Accelerator::arrive(Context& context, PortId at) {
  Side& from = side(at);
  Packet& packet = from.port.incoming.take(context);
  if (packet.kind == PacketKind::pfc) {
    const PfcFields fields = packet.pfc;
    context.packets.release(packet);
    if (from.port.pause_clock.receive(context, fields)) offer(context, from);
    return;
  }
  &from == &site_ ? take_from_site(context, packet) : take_from_haul(context, packet);
}

/// Something may be sent: now if the wire is free, else when it is.
void Accelerator::offer(Context& context, Side& side) {
  if (side.port.idle(context.now)) {
    transmit(context, side);
  } else {
    side.port.wake_when_free(context);
  }
}

void Accelerator::transmit(Context& context, PortId port) {
  transmit(context, side(port));
}

void Accelerator::transmit(Context& context, Side& side) {
  if (!side.port.idle(context.now)) return side.port.wake_when_free(context);
  const std::uint8_t paused = side.port.held() ? std::uint8_t{0xFF} : side.port.pause_clock.paused().bits();
  const PrioritySet allowed{static_cast<std::uint8_t>(~paused)};
  if (side.port.pause_refresher.due()) {
    side.port.start_control(context);
  } else if (!start_next(context, side, allowed)) {
    return;
  }
  for (const WaitingLine* queue : {&side.control, &side.again, &side.data}) {
    if (!common(queue->backlog(), allowed).empty()) return side.port.wake_when_free(context);
  }
  if (side.port.pause_refresher.due()) side.port.wake_when_free(context);
}

/// Starts a reply, else what is sent again, else the frame whose turn it is. Returns whether there was one.
bool Accelerator::start_next(Context& context, Side& side, PrioritySet allowed) {
  if (const PrioritySet replies = common(side.control.backlog(), allowed); !replies.empty()) {
    const Priority priority = side.control.oldest(replies);
    const Turn turn = side.control.head(priority);
    side.control.pop(priority);
    if (turn.packet == nullptr) {
      start_reply_to_site(context, connections_[turn.connection]);
    } else {
      if (is_probe(*turn.packet)) passing_at_probe_ = passing_sent_;
      start_packet(context, side, *turn.packet);
    }
    return true;
  }
  for (WaitingLine* queue : {&side.again, &side.data}) {
    for (PrioritySet waiting; !(waiting = common(queue->backlog(), allowed)).empty();) {
      const Priority priority = queue->oldest(waiting);
      if (&side == &site_) {
        if (start_site_packet(context, priority)) return true;
        continue;
      }
      if (start_haul_packet(context, *queue, priority)) return true;
      if (waits_for_room_) return false;
    }
  }
  return false;
}

void Accelerator::start_packet(Context& context, Side& side, Packet& packet) {
  side.port.start(context, {&packet, packet.frame, packet.priority, packet.kind});
}

Packet& Accelerator::copy(Context& context, const Packet& kept) const {
  Packet& packet = context.packets.take();
  packet = kept;
  return packet;
}

void Accelerator::pause_clock_fired(Context& context, PortId port) {
  if (side(port).port.pause_clock.wake(context)) offer(context, side(port));
}

void Accelerator::pause_refresh_fired(Context& context, PortId port) {
  if (side(port).port.pause_refresher.wake(context)) offer(context, side(port));
}

void Accelerator::hold(Context& context, PortId port, bool held) {
  side(port).port.hold(held);
  if (!held) offer(context, side(port));
}

}  // namespace soya
