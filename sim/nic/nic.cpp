#include "nic/nic.hpp"

#include <algorithm>

#include "transport/rnr_timer.hpp"

namespace soya {

namespace {

[[nodiscard]] PrioritySet unpaused(PrioritySet backlog, PrioritySet paused) {
  return PrioritySet{static_cast<std::uint8_t>(backlog.bits() & ~paused.bits())};
}

[[nodiscard]] PrioritySet either(PrioritySet one, PrioritySet other) {
  return PrioritySet{static_cast<std::uint8_t>(one.bits() | other.bits())};
}

}  // namespace

Nic::Nic(const NicConfig& config, const PfcConfig& pfc, const FrameSizes& sizes, const Setup& setup)
    : sizes_{&sizes},
      host_{setup.host},
      acknowledge_frame_{static_cast<std::uint32_t>(sizes.acknowledge().count())},
      limits_messages_{config.message_rate.has_value()},
      adapts_timeouts_{config.adaptive_retransmission},
      watches_requests_{limits_messages_ || adapts_timeouts_},
      watches_arrivals_{config.receive || config.ack_delay > Duration{0} || adapts_timeouts_},
      timeout_{config.retransmission_timeout()},
      port_{pfc, setup.port},
      timer_source_{setup.timer},
      receive_source_{setup.receive},
      completions_source_{setup.completions},
      waits_source_{setup.waits},
      ack_interval_{serialisation(config.ack_every * (sizes.middle() + wire_gap), setup.port.rate)},
      lossless_{pfc.priorities},
      config_{config} {}

QueuePairId Nic::add_queue_pair(const QueuePairSetup& setup) {
  const QueuePairId id{queue_pairs_.size()};
  queue_pairs_.emplace_back(id, setup);
  return id;
}

void Nic::post(Context& context, QueuePairId queue_pair, const SendRequest& request) {
  at(queue_pair).requester.post(request, *sizes_);
  activate(at(queue_pair));
  // All that is posted at this instant is seen before the port chooses.
  if (port_.idle(context.now)) {
    if (!port_.wake_pending(context)) port_.wake_at(context, context.now);
  } else {
    port_.wake_when_free(context);
  }
}

[[gnu::flatten]] void Nic::transmit(Context& context) {
  if (!port_.idle(context.now)) return port_.wake_when_free(context);
  const PrioritySet paused = port_.held() ? PrioritySet{0xFF} : port_.pause_clock.paused();
  if (port_.pause_refresher.due()) [[unlikely]] {
    port_.start_control(context);
    if (port_.pause_refresher.due()) return port_.wake_when_free(context);
  } else {
    const PrioritySet replies = unpaused(repliers_.backlog(), paused);
    Packet* packet = replies.empty() ? next_data(context, paused) : &next_reply(context, replies);
    if (packet == nullptr) return;
    port_.start(context, {packet, packet->frame, packet->priority, packet->kind});
  }
  if (!unpaused(either(repliers_.backlog(), senders_.backlog()), paused).empty()) port_.wake_when_free(context);
}

[[gnu::always_inline]] inline Packet& Nic::new_packet(Context& context, const QueuePair& queue_pair) {
  Packet& packet = context.packets.take();
  packet.flow_hash = queue_pair.flow_hash;
  packet.source = host_;
  packet.destination = queue_pair.peer;
  packet.queue_pair = queue_pair.peer_queue_pair;
  ++counters_.sent_packets;
  ++context.counters.packets;
  return packet;
}

/// The wire is free: the acknowledge that is owed need not wait its turn, unless others do or it is paused.
[[gnu::flatten]] void Nic::acknowledge_at_once(Context& context, QueuePair& queue_pair) {
  const bool others_wait = !either(repliers_.backlog(), senders_.backlog()).empty() || port_.pause_refresher.due();
  const bool may_start = !port_.held() && !port_.pause_clock.paused().contains(queue_pair.ack_priority);
  if (others_wait || !may_start || !queue_pair.responder.owes_acknowledge()) [[unlikely]] {
    owe_reply(queue_pair);
    return transmit(context);
  }
  Packet& packet = new_reply(context, queue_pair);
  queue_pair.responder.fill_acknowledge(packet);
  port_.start(context, {&packet, packet.frame, packet.priority, packet.kind});
}

/// A packet for a reply, but for what the responder fills in.
[[gnu::always_inline]] inline Packet& Nic::new_reply(Context& context, const QueuePair& queue_pair) {
  Packet& packet = new_packet(context, queue_pair);
  packet.frame = acknowledge_frame_;
  packet.payload = 0;
  packet.priority = queue_pair.ack_priority;
  packet.ack_request = false;
  return packet;
}

[[gnu::always_inline]] inline Packet& Nic::next_reply(Context& context, PrioritySet eligible) {
  QueuePair& queue_pair = repliers_.next(queue_pairs_, eligible);
  Packet& packet = new_reply(context, queue_pair);
  bool owes_more = false;
  if (queue_pair.responder.owes_acknowledge()) [[likely]] {
    queue_pair.responder.fill_acknowledge(packet);
  } else {
    owes_more = fill_other_reply(queue_pair, packet);
  }
  if (owes_more) [[unlikely]] {
    repliers_.move_to_back(queue_pairs_, queue_pair, queue_pair.ack_priority);
  } else {
    queue_pair.replying = false;
    repliers_.remove_first(queue_pair, queue_pair.ack_priority);
  }
  return packet;
}

/// Returns whether more is owed.
[[gnu::noinline]] bool Nic::fill_other_reply(QueuePair& queue_pair, Packet& packet) const {
  const bool more = queue_pair.responder.fill_reply(packet);
  if (packet.kind == PacketKind::rnr_nak) packet.count = rnr_code(config_.rnr_timer).value_or(0);
  return more;
}

/// The request or READ response whose turn it is, if there is one.
[[gnu::always_inline]] inline Packet* Nic::next_data(Context& context, PrioritySet paused) {
  for (PrioritySet eligible; !(eligible = unpaused(senders_.backlog(), paused)).empty();) {
    QueuePair& queue_pair = senders_.next(queue_pairs_, eligible);
    if (watches_requests_ || queue_pair.responder.has_response()) [[unlikely]] {
      Packet* packet = next_with_options(context, queue_pair);
      end_turn(queue_pair, packet != nullptr && has_data(queue_pair));
      if (packet != nullptr) return packet;
    } else if (queue_pair.requester.can_send()) [[likely]] {
      Packet& packet = next_request(context, queue_pair);
      end_turn(queue_pair, queue_pair.requester.can_send());
      return &packet;
    } else {  // an acknowledge or a failure may have left it nothing to send
      end_turn(queue_pair, false);
    }
  }
  return nullptr;
}

/// The queue pair whose turn it was waits for the next one, or has nothing more to send.
[[gnu::always_inline]] inline void Nic::end_turn(QueuePair& queue_pair, bool has_more) {
  if (has_more) {
    senders_.move_to_back(queue_pairs_, queue_pair, queue_pair.priority);
  } else {
    queue_pair.sending = false;
    senders_.remove_first(queue_pair, queue_pair.priority);
  }
}

/// The same of `queue_pair`, where it has READ responses to send, or the NIC limits messages or times packets.
[[gnu::noinline]] Packet* Nic::next_with_options(Context& context, QueuePair& queue_pair) {
  // Within a queue pair requests and READ responses take turns.
  if (queue_pair.responder.has_response() && !(queue_pair.responded_last && has_request(queue_pair))) {
    return &next_response(context, queue_pair);
  }
  if (!queue_pair.requester.can_send()) return nullptr;
  if (limits_messages_ && must_await_slot(context, queue_pair)) return nullptr;
  const Sequence highest = queue_pair.requester.highest();
  Packet& packet = next_request(context, queue_pair);
  if (adapts_timeouts_) {
    const Sequence end = queue_pair.requester.highest();
    if (end == highest) {
      queue_pair.round_trip.disturbed();
    } else if (packet.ack_request) {
      queue_pair.round_trip.started(end, context.now);
    }
  }
  return &packet;
}

Packet& Nic::next_response(Context& context, QueuePair& queue_pair) {
  Packet& packet = new_packet(context, queue_pair);
  queue_pair.responded_last = true;
  packet.priority = queue_pair.priority;
  queue_pair.responder.fill_response(packet, *sizes_);
  counters_.sent_payload += packet.payload;
  return packet;
}

[[gnu::always_inline]] inline Packet& Nic::next_request(Context& context, QueuePair& queue_pair) {
  Packet& packet = new_packet(context, queue_pair);
  queue_pair.responded_last = false;
  packet.priority = queue_pair.priority;
  queue_pair.requester.fill_next(packet, *sizes_);
  if (packet.kind == PacketKind::data) [[likely]]
    counters_.sent_payload += packet.payload;
  if (packet.ack_request && queue_pair.deadline == Time::never()) restart_timer(context, queue_pair);
  return packet;
}

void Nic::pause_clock_fired(Context& context) {
  if (port_.pause_clock.wake(context)) offer(context);
}

void Nic::pause_refresh_fired(Context& context) {
  if (port_.pause_refresher.wake(context)) offer(context);
}

void Nic::hold(Context& context, bool held) {
  port_.hold(held);
  if (!held) offer(context);
}

}  // namespace soya
