// What arrives at a NIC: pauses, requests, and what replies and READ responses say.
#include "core/check.hpp"
#include "nic/nic.hpp"
#include "transport/rnr_timer.hpp"

namespace soya {

void Nic::arrive(Context& context) {
  Packet& packet = port_.incoming.take(context);
  if (watches_arrivals_) [[unlikely]]
    return arrive_other(context, packet);
  if (packet.kind == PacketKind::data) [[likely]] {
    ++counters_.received_packets;
    QueuePair& queue_pair = at(packet.queue_pair);
    if (!queue_pair.responder.moved_on(packet)) [[unlikely]] {
      handle_request(context, queue_pair, packet);
    } else if (packet.ack_request) {
      acknowledge(context, queue_pair);
    }
  } else if (packet.kind == PacketKind::acknowledge) [[likely]] {
    ++counters_.received_packets;
    QueuePair& queue_pair = at(packet.queue_pair);
    if (!queue_pair.requester.moved_on(packet)) [[unlikely]] {
      handle_other(context, queue_pair, packet);
    } else {
      if (queue_pair.requester.awaits_acknowledge()) {
        restart_steady_timer(context, queue_pair);
      } else {
        queue_pair.deadline = Time::never();
      }
      if (activate(queue_pair)) offer(context);
    }
  } else {
    return arrive_other(context, packet);
  }
  context.packets.release(packet);
}

/// Any packet but what most are, or one to a NIC with options.
void Nic::arrive_other(Context& context, Packet& packet) {
  if (packet.kind == PacketKind::pfc) return obey(context, packet);
  ++counters_.received_packets;
  if (config_.receive) return buffer(context, packet);
  handle(context, packet);
}

void Nic::handle(Context& context, Packet& packet) {
  handle_other(context, at(packet.queue_pair), packet);
  context.packets.release(packet);
}

void Nic::handle_request(Context& context, QueuePair& queue_pair, const Packet& packet) {
  const Responder::Arrival arrival = queue_pair.responder.receive(packet, context.now);
  if (arrival.message) received_messages(context, queue_pair);
  if (arrival.response) activate(queue_pair);
  if (arrival.young) await_order(context, queue_pair);
  if (arrival.reply) {
    const bool delays_replies = config_.ack_delay > Duration{0};
    if (delays_replies && arrival.can_wait && queue_pair.responder.owed() == Reply::acknowledge) {
      return delay_reply(context, queue_pair);
    }
    owe_reply(queue_pair);
  }
  if (arrival.reply || arrival.response) offer(context);
}

void Nic::obey(Context& context, Packet& pause) {
  const PfcFields fields = pause.pfc;
  context.packets.release(pause);
  if (port_.pause_clock.receive(context, fields)) offer(context);
}

void Nic::handle_other(Context& context, QueuePair& queue_pair, const Packet& packet) {
  switch (packet.kind) {
    case PacketKind::data:
    case PacketKind::read_request:
      return handle_request(context, queue_pair, packet);
    case PacketKind::read_response:
      if (queue_pair.requester.responded(packet, context.now)) progressed(context, queue_pair);
      if (queue_pair.requester.next_old_gap()) await_order(context, queue_pair);
      return;
    case PacketKind::acknowledge:
      if (queue_pair.requester.replied(packet)) progressed(context, queue_pair);
      return;
    case PacketKind::nak:
      return handle_nak(context, queue_pair, packet);
    case PacketKind::rnr_nak:
      return receiver_not_ready(context, queue_pair, packet);
    case PacketKind::pfc:
      SOYA_CHECK(false, "a PFC frame ends at its port");
  }
}

void Nic::handle_nak(Context& context, QueuePair& queue_pair, const Packet& packet) {
  ++queue_pair.naks_received;
  if (!queue_pair.requester.replied(packet)) return;
  context.observe(FactKind::retransmission, port_.node(), port_.id(), queue_pair.priority, queue_pair.requester.next());
  progressed(context, queue_pair);
}

void Nic::receiver_not_ready(Context& context, QueuePair& queue_pair, const Packet& packet) {
  ++queue_pair.rnr_naks_received;
  if (!queue_pair.requester.receiver_not_ready(packet)) return;
  queue_pair.round_trip.disturbed();
  progressed(context, queue_pair);
  if (queue_pair.requester.failed()) {
    ++context.counters.failed_queue_pairs;
  } else {
    wait(context, {context.now + rnr_time(packet.count), Wait::Kind::receiver, queue_pair.id});
  }
}

void Nic::received_messages(Context& context, QueuePair& queue_pair) {
  std::vector<Responder::Received>& received = queue_pair.responder.received();
  for (const Responder::Received& message : received) {
    const NicCompletion arrived{
        NicCompletion::Kind::received, queue_pair.id, {message.size, message.tag, 0, 0}, message.took_receive};
    // A host that polls its memory learns of a WRITE without a completion.
    if (message.took_receive) {
      complete(context, arrived);
    } else {
      hand_over(context, arrived);
    }
  }
  received.clear();
}

/// An acknowledge is owed that may wait for more to acknowledge.
void Nic::delay_reply(Context& context, QueuePair& queue_pair) {
  if (queue_pair.replying || queue_pair.delays_reply) return;
  queue_pair.delays_reply = true;
  wait(context, {context.now + config_.ack_delay, Wait::Kind::reply, queue_pair.id});
}

/// Packets were acknowledged, or are to be sent again; requests may be complete.
void Nic::progressed(Context& context, QueuePair& queue_pair) {
  for (const SendCompletion& work : queue_pair.requester.completions()) {
    complete(context, {NicCompletion::Kind::sent, queue_pair.id, work, false});
  }
  queue_pair.requester.completions().clear();
  if (adapts_timeouts_) queue_pair.round_trip.acknowledged(queue_pair.requester.acknowledged(), context.now);
  if (queue_pair.requester.awaits_acknowledge()) {
    restart_timer(context, queue_pair);
  } else {
    queue_pair.deadline = Time::never();
  }
  if (activate(queue_pair)) offer(context);
}

// A slow receiver.

void Nic::buffer(Context& context, Packet& packet) {
  if (occupancy_ + packet.frame_size() > config_.receive->buffer) {
    const bool lossless = lossless_.contains(packet.priority);
    if (lossless) ++counters_.overruns;
    ++(lossless ? context.counters.lossless_drops : context.counters.lossy_drops);
    context.observe(FactKind::frame_dropped, port_.node(), port_.id(), packet.priority, packet.frame);
    return context.packets.release(packet);
  }
  occupancy_ += packet.frame_size();
  receive_buffer_.push() = &packet;
  if (receive_buffer_.size() == 1) {
    context.events.schedule(receive_source_, context.now + serialisation(packet.frame_size(), config_.receive->rate),
                            Phase::timer);
  }
  if (occupancy_ < config_.receive->xoff) return;
  for (std::uint8_t p = 0; p < Priority::count; ++p) {
    if (lossless_.contains(Priority{p})) port_.pause_refresher.pause(context, Priority{p});
  }
  if (port_.pause_refresher.due()) offer(context);
}

void Nic::receive_fired(Context& context) {
  Packet& packet = *receive_buffer_.front();
  receive_buffer_.pop();
  occupancy_ -= packet.frame_size();
  if (!receive_buffer_.empty()) {
    const Bytes next = receive_buffer_.front()->frame_size();
    context.events.schedule(receive_source_, context.now + serialisation(next, config_.receive->rate), Phase::timer);
  }
  if (occupancy_ <= config_.receive->xon) {
    for (std::uint8_t p = 0; p < Priority::count; ++p) port_.pause_refresher.resume(context, Priority{p});
  }
  handle(context, packet);
  if (port_.pause_refresher.due()) offer(context);
}

}  // namespace soya
