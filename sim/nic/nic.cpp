#include "nic/nic.hpp"

#include <algorithm>

#include "transport/rnr_timer.hpp"

namespace soya {

namespace {

[[nodiscard]] PrioritySet unpaused(PrioritySet backlog, PrioritySet paused) {
  return PrioritySet{static_cast<std::uint8_t>(backlog.bits() & ~paused.bits())};
}

}  // namespace

Nic::Nic(const NicConfig& config, const PfcConfig& pfc, const FrameSizes& sizes, const Setup& setup)
    : sizes_{&sizes},
      host_{setup.host},
      acknowledge_frame_{static_cast<std::uint32_t>(sizes.acknowledge().count())},
      slow_receiver_{config.receive.has_value()},
      limits_messages_{config.message_rate.has_value()},
      delays_replies_{config.ack_delay > Duration{0}},
      adapts_timeouts_{config.adaptive_retransmission},
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

void Nic::transmit(Context& context) {
  if (!port_.idle(context.now)) return port_.wake_when_free(context);
  const PrioritySet paused = port_.held() ? PrioritySet{0xFF} : port_.pause_clock.paused();
  if (port_.pause_refresher.due()) [[unlikely]] {
    port_.start_control(context);
  } else {
    const PrioritySet replies = unpaused(repliers_.backlog(), paused);
    Packet* packet = replies.empty() ? next_data(context, paused) : &next_reply(context, replies);
    if (packet == nullptr) return;
    port_.start(context, {packet, packet->frame, packet->priority, packet->kind});
  }
  if (port_.pause_refresher.due() || !unpaused(repliers_.backlog(), paused).empty() ||
      !unpaused(senders_.backlog(), paused).empty()) {
    port_.wake_when_free(context);
  }
}

inline Packet& Nic::new_packet(Context& context, const QueuePair& queue_pair) {
  Packet& packet = context.packets.take();
  packet.flow_hash = queue_pair.flow_hash;
  packet.source = host_;
  packet.destination = queue_pair.peer;
  packet.queue_pair = queue_pair.peer_queue_pair;
  ++counters_.sent_packets;
  ++context.counters.packets;
  return packet;
}

inline Packet& Nic::next_reply(Context& context, PrioritySet eligible) {
  QueuePair& queue_pair = repliers_.next(queue_pairs_, eligible);
  Packet& packet = new_packet(context, queue_pair);
  packet.frame = acknowledge_frame_;
  packet.payload = 0;
  packet.priority = queue_pair.ack_priority;
  packet.ack_request = false;
  if (queue_pair.responder.fill_reply(packet)) [[unlikely]] {
    repliers_.move_to_back(queue_pairs_, queue_pair, queue_pair.ack_priority);
  } else {
    queue_pair.replying = false;
    repliers_.remove_first(queue_pair, queue_pair.ack_priority);
  }
  if (packet.kind == PacketKind::rnr_nak) [[unlikely]]
    packet.count = rnr_code(config_.rnr_timer).value_or(0);
  return packet;
}

/// The request or READ response whose turn it is, if there is one.
[[gnu::always_inline]] inline Packet* Nic::next_data(Context& context, PrioritySet paused) {
  for (PrioritySet eligible; !(eligible = unpaused(senders_.backlog(), paused)).empty();) {
    QueuePair& queue_pair = senders_.next(queue_pairs_, eligible);
    Packet* packet = nullptr;
    // Within a queue pair requests and READ responses take turns.
    if (queue_pair.responder.has_response() && !(queue_pair.responded_last && has_request(queue_pair))) [[unlikely]] {
      packet = &next_response(context, queue_pair);
    } else if (queue_pair.requester.can_send() && !(limits_messages_ && must_await_slot(context, queue_pair))) {
      packet = &next_request(context, queue_pair);
    }
    // An acknowledge or a failure may have left it nothing to send.
    if (packet != nullptr && has_data(queue_pair)) {
      senders_.move_to_back(queue_pairs_, queue_pair, queue_pair.priority);
    } else {
      queue_pair.sending = false;
      senders_.remove_first(queue_pair, queue_pair.priority);
    }
    if (packet != nullptr) return packet;
  }
  return nullptr;
}

Packet& Nic::next_response(Context& context, QueuePair& queue_pair) {
  Packet& packet = new_packet(context, queue_pair);
  queue_pair.responded_last = true;
  packet.priority = queue_pair.priority;
  queue_pair.responder.fill_response(packet, *sizes_);
  counters_.sent_payload += packet.payload;
  return packet;
}

inline Packet& Nic::next_request(Context& context, QueuePair& queue_pair) {
  Packet& packet = new_packet(context, queue_pair);
  queue_pair.responded_last = false;
  packet.priority = queue_pair.priority;
  const Sequence highest = queue_pair.requester.highest();
  queue_pair.requester.fill_next(packet, *sizes_);
  if (packet.kind == PacketKind::data) [[likely]]
    counters_.sent_payload += packet.payload;
  if (adapts_timeouts_) [[unlikely]] {
    const Sequence end = queue_pair.requester.highest();
    if (end == highest) {
      queue_pair.round_trip.disturbed();
    } else if (packet.ack_request) {
      queue_pair.round_trip.started(end, context.now);
    }
  }
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
