#include "nic/nic.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "transport/rnr_timer.hpp"

namespace soya {

namespace {

[[nodiscard]] PrioritySet unpaused(PrioritySet backlog, PrioritySet paused) {
  return PrioritySet{static_cast<std::uint8_t>(backlog.bits() & ~paused.bits())};
}

}  // namespace

Nic::Nic(const NicConfig& config, const PfcConfig& pfc, const FrameSizes& sizes, const Setup& setup)
    : config_{config},
      lossless_{pfc.priorities},
      sizes_{&sizes},
      host_{setup.host},
      port_{pfc, setup.port},
      timer_source_{setup.timer},
      receive_source_{setup.receive},
      completions_source_{setup.completions},
      waits_source_{setup.waits},
      ack_interval_{serialisation(config.ack_every * (sizes.middle() + wire_gap), setup.port.rate)} {}

QueuePairId Nic::add_queue_pair(const QueuePairSetup& setup) {
  queue_pairs_.emplace_back(setup);
  return QueuePairId{queue_pairs_.size() - 1};
}

void Nic::post(Context& context, QueuePairId queue_pair, const SendRequest& request) {
  queue_pairs_[queue_pair.index()].requester.post(request, *sizes_);
  activate(queue_pair);
  // All that is posted at this instant is seen before the port chooses.
  if (port_.idle(context.now)) {
    if (!port_.wake_pending(context)) port_.wake_at(context, context.now);
  } else {
    port_.wake_when_free(context);
  }
}

/// Whether its requester may send, but for a message that waits for its slot.
bool Nic::has_request(const QueuePair& queue_pair) {
  return queue_pair.requester.can_send() && !(queue_pair.awaits_slot && queue_pair.requester.starts_message());
}

void Nic::activate(QueuePairId id) {
  QueuePair& queue_pair = queue_pairs_[id.index()];
  if (queue_pair.sending || !(has_request(queue_pair) || queue_pair.responder.has_response())) return;
  queue_pair.sending = true;
  senders_.append(queue_pairs_, id, queue_pair.setup.priority);
}

/// Something may be sent: now if the wire is free, else when it is.
void Nic::offer(Context& context) {
  if (port_.idle(context.now)) {
    transmit(context);
  } else {
    port_.wake_when_free(context);
  }
}

void Nic::transmit(Context& context) {
  if (!port_.idle(context.now)) return port_.wake_when_free(context);
  const PrioritySet paused = port_.held() ? PrioritySet{0xFF} : port_.pause_clock.paused();
  if (port_.pause_refresher.due()) {
    port_.start_control(context);
  } else if (const PrioritySet replies = unpaused(repliers_.backlog(), paused); !replies.empty()) {
    start_reply(context, replies);
  } else if (!start_data(context, paused)) {
    return;
  }
  if (port_.pause_refresher.due() || !unpaused(repliers_.backlog(), paused).empty() ||
      !unpaused(senders_.backlog(), paused).empty()) {
    port_.wake_when_free(context);
  }
}

Packet& Nic::new_packet(Context& context, const QueuePair& queue_pair) {
  Packet& packet = context.packets.take();
  packet.flow_hash = queue_pair.setup.flow_hash;
  packet.source = host_;
  packet.destination = queue_pair.setup.peer;
  packet.queue_pair = queue_pair.setup.peer_queue_pair;
  ++counters_.sent_packets;
  ++context.counters.packets;
  return packet;
}

inline void Nic::start(Context& context, Packet& packet) {
  port_.start(context, {&packet, packet.frame, packet.priority, packet.kind});
}

void Nic::start_reply(Context& context, PrioritySet eligible) {
  const QueuePairId from = repliers_.take(queue_pairs_, eligible);
  QueuePair& queue_pair = queue_pairs_[from.index()];
  queue_pair.replying = false;
  Packet& packet = new_packet(context, queue_pair);
  queue_pair.responder.fill_reply(packet);
  packet.priority = queue_pair.setup.ack_priority;
  packet.frame = static_cast<std::uint32_t>(sizes_->acknowledge().count());
  packet.payload = 0;
  packet.ack_request = false;
  if (packet.kind == PacketKind::rnr_nak) packet.count = rnr_code(config_.rnr_timer).value_or(0);
  if (queue_pair.responder.owed() != Reply::none) {
    queue_pair.replying = true;
    repliers_.append(queue_pairs_, from, queue_pair.setup.ack_priority);
  }
  start(context, packet);
}

void Nic::start_response(Context& context, QueuePairId from) {
  QueuePair& queue_pair = queue_pairs_[from.index()];
  queue_pair.responded_last = true;
  Packet& packet = new_packet(context, queue_pair);
  packet.priority = queue_pair.setup.priority;
  queue_pair.responder.fill_response(packet, *sizes_);
  counters_.sent_payload += packet.payload;
  activate(from);
  start(context, packet);
}

inline void Nic::start_request(Context& context, QueuePairId from) {
  QueuePair& queue_pair = queue_pairs_[from.index()];
  queue_pair.responded_last = false;
  Packet& packet = new_packet(context, queue_pair);
  packet.priority = queue_pair.setup.priority;
  const Sequence highest = queue_pair.requester.highest();
  queue_pair.requester.fill_next(packet, *sizes_);
  if (packet.kind == PacketKind::data) [[likely]]
    counters_.sent_payload += packet.payload;
  if (config_.adaptive_retransmission) {
    const Sequence end = queue_pair.requester.highest();
    if (end == highest) {
      queue_pair.round_trip.disturbed();
    } else if (packet.ack_request) {
      queue_pair.round_trip.started(end, context.now);
    }
  }
  if (packet.ack_request && queue_pair.deadline == Time::never()) {
    queue_pair.deadline = context.now + timeout_of(queue_pair);
    arm_timer(context, from);
  }
  activate(from);
  start(context, packet);
}

/// Starts the request or READ response whose turn it is. Returns whether there was one.
bool Nic::start_data(Context& context, PrioritySet paused) {
  for (PrioritySet eligible; !(eligible = unpaused(senders_.backlog(), paused)).empty();) {
    const QueuePairId from = senders_.take(queue_pairs_, eligible);
    QueuePair& queue_pair = queue_pairs_[from.index()];
    queue_pair.sending = false;
    // Within a queue pair requests and READ responses take turns.
    if (queue_pair.responder.has_response() && !(queue_pair.responded_last && has_request(queue_pair))) {
      start_response(context, from);
      return true;
    }
    // An acknowledge or a failure may have left it nothing to send.
    if (!queue_pair.requester.can_send()) continue;
    if (config_.message_rate && must_await_slot(context, from)) continue;
    start_request(context, from);
    return true;
  }
  return false;
}

void Nic::arrive(Context& context) {
  Packet& packet = port_.incoming.take(context);
  if (packet.kind == PacketKind::pfc) {
    const PfcFields fields = packet.pfc;
    context.packets.release(packet);
    if (port_.pause_clock.receive(context, fields)) offer(context);
    return;
  }
  accept(context, packet);
}

void Nic::accept(Context& context, Packet& packet) {
  ++counters_.received_packets;
  if (config_.receive) return buffer(context, packet);
  handle(context, packet);
}

void Nic::buffer(Context& context, Packet& packet) {
  if (occupancy_ + packet.frame_size() > config_.receive->buffer) {
    const bool lossless = lossless_.contains(packet.priority);
    if (lossless) ++counters_.overruns;
    ++(lossless ? context.counters.lossless_drops : context.counters.lossy_drops);
    context.observe(FactKind::frame_dropped, port_.node(), port_.id(), packet.priority, packet.frame);
    return context.packets.release(packet);
  }
  occupancy_ += packet.frame_size();
  receive_buffer_.push_back(&packet);
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
  receive_buffer_.pop_front();
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

void Nic::handle(Context& context, Packet& packet) {
  const QueuePairId to = packet.queue_pair;
  Requester& requester = queue_pairs_[to.index()].requester;
  switch (packet.kind) {
    case PacketKind::data:
    case PacketKind::read_request:
      handle_request(context, to, packet);
      break;
    case PacketKind::read_response:
      if (requester.responded(packet, context.now)) progressed(context, to);
      if (requester.next_old_gap()) await_order(context, to);
      break;
    case PacketKind::acknowledge:
      if (requester.replied(packet)) progressed(context, to);
      break;
    case PacketKind::nak:
      handle_nak(context, to, packet);
      break;
    case PacketKind::rnr_nak:
      receiver_not_ready(context, to, packet);
      break;
    case PacketKind::pfc:
      SOYA_CHECK(false, "a PFC frame ends at its port");
  }
  context.packets.release(packet);
}

void Nic::handle_nak(Context& context, QueuePairId id, const Packet& packet) {
  QueuePair& queue_pair = queue_pairs_[id.index()];
  ++queue_pair.naks_received;
  if (!queue_pair.requester.replied(packet)) return;
  context.observe(FactKind::retransmission, port_.node(), port_.id(), queue_pair.setup.priority,
                  queue_pair.requester.next());
  progressed(context, id);
}

void Nic::receiver_not_ready(Context& context, QueuePairId id, const Packet& packet) {
  QueuePair& queue_pair = queue_pairs_[id.index()];
  ++queue_pair.rnr_naks_received;
  if (!queue_pair.requester.receiver_not_ready(packet)) return;
  queue_pair.round_trip.disturbed();
  progressed(context, id);
  if (queue_pair.requester.failed()) {
    ++context.counters.failed_queue_pairs;
  } else {
    wait(context, {context.now + rnr_time(packet.count), Wait::Kind::receiver, id});
  }
}

void Nic::handle_request(Context& context, QueuePairId id, const Packet& packet) {
  QueuePair& queue_pair = queue_pairs_[id.index()];
  const Responder::Arrival arrival = queue_pair.responder.receive(packet, context.now);
  std::vector<Responder::Received>& received = queue_pair.responder.received();
  if (!received.empty()) {
    for (const Responder::Received& message : received) {
      const NicCompletion arrived{
          NicCompletion::Kind::received, id, {message.size, message.tag, 0, 0}, message.took_receive};
      // A host that polls its memory learns of a WRITE without a completion.
      if (message.took_receive) {
        complete(context, arrived);
      } else {
        hand_over(context, arrived);
      }
    }
    received.clear();
  }
  if (arrival.response) [[unlikely]]
    activate(id);
  if (arrival.young) await_order(context, id);
  if (arrival.reply) {
    if (arrival.can_wait && config_.ack_delay > Duration{0} && queue_pair.responder.owed() == Reply::acknowledge) {
      if (queue_pair.replying || queue_pair.delays_reply) return;
      queue_pair.delays_reply = true;
      wait(context, {context.now + config_.ack_delay, Wait::Kind::reply, id});
    } else {
      owe_reply(id);
    }
  }
  if (arrival.reply || arrival.response) offer(context);
}

void Nic::owe_reply(QueuePairId id) {
  QueuePair& queue_pair = queue_pairs_[id.index()];
  if (queue_pair.replying) return;
  queue_pair.replying = true;
  repliers_.append(queue_pairs_, id, queue_pair.setup.ack_priority);
}

/// Packets of `id` were acknowledged, or are to be sent again.
void Nic::progressed(Context& context, QueuePairId id) {
  QueuePair& queue_pair = queue_pairs_[id.index()];
  for (const SendCompletion& work : queue_pair.requester.completions()) {
    complete(context, {NicCompletion::Kind::sent, id, work, false});
  }
  queue_pair.requester.completions().clear();
  if (config_.adaptive_retransmission)
    queue_pair.round_trip.acknowledged(queue_pair.requester.acknowledged(), context.now);
  if (queue_pair.requester.awaits_acknowledge()) {
    queue_pair.deadline = context.now + timeout_of(queue_pair);
    arm_timer(context, id);
  } else {
    queue_pair.deadline = Time::never();
  }
  activate(id);
  if (queue_pair.sending) offer(context);
}

Duration Nic::timeout_of(const QueuePair& queue_pair) const {
  const Duration configured = config_.retransmission_timeout();
  if (!config_.adaptive_retransmission) return configured;
  return queue_pair.round_trip.timeout(queue_pair.requester.retries(), ack_interval_, configured);
}

void Nic::arm_timer(Context& context, QueuePairId id) {
  QueuePair& queue_pair = queue_pairs_[id.index()];
  if (queue_pair.timer_at <= queue_pair.deadline) return;  // the timer wakes earlier, looks and sleeps again
  queue_pair.timer_at = queue_pair.deadline;
  deadlines_.push_back({queue_pair.deadline, id});
  std::push_heap(deadlines_.begin(), deadlines_.end());
  // While several time-outs of one instant are handled, those still to come need no event.
  const Time earliest = deadlines_.front().at;
  if (earliest > context.now && earliest < context.events.time_of(timer_source_)) {
    context.events.schedule(timer_source_, earliest, Phase::timer);
  }
}

void Nic::timer_fired(Context& context) {
  while (!deadlines_.empty() && deadlines_.front().at <= context.now) {
    const auto [at, id] = deadlines_.front();
    std::pop_heap(deadlines_.begin(), deadlines_.end());
    deadlines_.pop_back();
    QueuePair& queue_pair = queue_pairs_[id.index()];
    if (queue_pair.timer_at != at) continue;  // an adaptive time-out came to be earlier
    queue_pair.timer_at = Time::never();
    if (queue_pair.deadline == Time::never()) continue;
    if (queue_pair.deadline > context.now) {
      arm_timer(context, id);
      continue;
    }
    queue_pair.deadline = Time::never();
    ++queue_pair.timeouts;
    queue_pair.requester.timed_out();
    context.observe(FactKind::timed_out, port_.node(), port_.id(), queue_pair.setup.priority,
                    queue_pair.requester.retries());
    if (queue_pair.requester.failed()) {
      ++context.counters.failed_queue_pairs;
      continue;
    }
    activate(id);
    if (queue_pair.sending) offer(context);
  }
  if (!deadlines_.empty() && deadlines_.front().at < context.events.time_of(timer_source_)) {
    context.events.schedule(timer_source_, deadlines_.front().at, Phase::timer);
  }
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
