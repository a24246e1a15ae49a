// An accelerator's way from the long link to its site: it stores what its partner sends and is the NICs' requester.
#include <algorithm>

#include "transport/rnr_timer.hpp"
#include "wan/accelerator.hpp"

namespace soya {

Packet& Accelerator::new_message(Context& context, Priority priority) {
  Packet& packet = context.packets.take();
  packet = Packet{};
  packet.priority = priority;
  packet.frame = static_cast<std::uint32_t>((setup_.acknowledge_frame + haul_message_extra).count());
  return packet;
}

void Accelerator::take_from_haul(Context& context, Packet& packet) {
  if (is_of_pair(packet)) {
    const Packet message = packet;
    context.packets.release(packet);
    return is_probe(message) ? send_credit(context, message.psn) : note_credit(context, credit_in(message));
  }
  ConnectionRelay* relay = find(packet);
  if (relay == nullptr) {
    inbound_.add(context.now, packet.frame_size());
    SOYA_CHECK(inbound_.held() <= setup_.buffer, "a partner sends no more than there is room for");
    passing_received_ += packet.frame;
    site_.data.push_packet(packet.priority, packet);
    return offer(context, site_);
  }
  if (packet.kind == PacketKind::data) return relay_inbound(context, *relay, packet);
  const HaulReply reply = reply_in(packet);
  context.packets.release(packet);
  haul_replied(context, *relay, reply);
}

void Accelerator::relay_inbound(Context& context, ConnectionRelay& relay, Packet& packet) {
  const bool asks = packet.ack_request;
  relay.last_arrived = packet.psn;
  const std::int64_t ready = relay.site.ready();
  const ArrivalWindow::Arrival arrival = relay.site.receive(packet.psn, {&packet, packet.frame, packet.payload});
  if (arrival.is_new()) {
    inbound_.add(context.now, packet.frame_size());
    SOYA_CHECK(inbound_.held() <= setup_.buffer, "a partner sends no more than there is room for");
    counters_.haul_payload += packet.payload;
    counters_.first_haul_arrival = std::min(counters_.first_haul_arrival, context.now);
    counters_.last_haul_arrival = context.now;
  } else {
    ++counters_.haul_duplicates;
    context.packets.release(packet);
  }
  if (arrival.kind == ArrivalWindow::Arrival::Kind::opened) {
    reply_over_haul(context, relay, arrival.gap);
  } else if (asks || !arrival.is_new()) {
    reply_over_haul(context, relay, relay.site.window().first_gap());
  }
  queue_for_site(context, relay, relay.site.ready() - ready);
}

/// Tells the partner what is stored, and that `gap`, where there is one, is missing.
void Accelerator::reply_over_haul(Context& context, ConnectionRelay& relay, Span gap) {
  Packet& packet = new_message(context, relay.local.ack_priority);
  packet.source = relay.local.host;
  packet.destination = relay.remote.host;
  packet.queue_pair = relay.remote.queue_pair;
  HaulReply reply;
  reply.expected = psn_of(relay.site.window().cumulative());
  reply.answers = relay.last_arrived;
  reply.missing_from = psn_of(gap.first);
  reply.missing = static_cast<std::uint32_t>(gap.size());
  reply.placed = static_cast<std::uint32_t>(relay.delivered);
  reply.freed = static_cast<std::uint32_t>(freed_here_);
  write(packet, reply);
  freed_told_ = freed_here_;
  haul_.control.push_packet(packet.priority, packet);
  offer(context, haul_);
}

void Accelerator::send_credit(Context& context, std::uint32_t probe) {
  Packet& packet = new_message(context, Priority{7});
  write(packet,
        HaulCredit{probe, static_cast<std::uint32_t>(passing_received_), static_cast<std::uint32_t>(freed_here_)});
  freed_told_ = freed_here_;
  haul_.control.push_packet(Priority{7}, packet);
  offer(context, haul_);
}

void Accelerator::free_inbound(Context& context, Bytes bytes) {
  inbound_.remove(context.now, bytes);
  freed_here_ += bytes.count();
  const std::int64_t untold = freed_here_ - freed_told_;
  if (untold >= setup_.buffer.count() / 8 || inbound_.held() == Bytes{0}) send_credit(context, 0);
}

/// `packets` of the connection get a turn each towards the NIC.
void Accelerator::queue_for_site(Context& context, ConnectionRelay& relay, std::int64_t packets) {
  if (packets <= 0 || relay.failed || waits_for(relay, Wait::not_ready)) return;
  for (std::int64_t i = 0; i < packets; ++i) site_.data.push_connection(relay.remote.priority, index_of(relay), 0);
  offer(context, site_);
}

/// Starts the head of the queue towards the site, if it still needs to go. Returns whether it did.
bool Accelerator::start_site_packet(Context& context, Priority priority) {
  const Turn turn = site_.data.head(priority);
  site_.data.pop(priority);
  if (turn.packet != nullptr) {
    const Bytes frame = turn.packet->frame_size();
    start_packet(context, site_, *turn.packet);
    free_inbound(context, frame);
    return true;
  }
  ConnectionRelay& relay = connections_[turn.connection];
  if (relay.failed || !relay.site.can_send() || waits_for(relay, Wait::not_ready)) return false;
  Packet& packet = copy(context, *relay.site.next().packet);
  relay.unasked_at_site += packet.frame;
  unasked_at_site_ += packet.frame;
  packet.ack_request = packet.ack_request || unasked_at_site_ >= setup_.buffer.count() / 4;
  if (packet.ack_request) {
    unasked_at_site_ -= relay.unasked_at_site;
    relay.unasked_at_site = 0;
    if (!waits_for(relay, Wait::receiver))
      wait_until(context, relay, Wait::receiver, context.now + relay.remote.timeout);
  }
  relay.site.sent(packet.ack_request);
  start_packet(context, site_, packet);
  return true;
}

/// What a NIC's reply says goes to the connection's books, what it has to `delivered_`. Returns whether that is news.
bool Accelerator::note_reply(Context& context, ConnectionRelay& relay, const Packet& packet) {
  const bool selective = relay.local.responder.retransmission == Retransmission::selective_repeat;
  if (packet.kind == PacketKind::acknowledge) {
    relay.not_ready = 0;
    return relay.site.acknowledged(packet.psn, delivered_);
  }
  // Under selective repeat what is before the packet of a NAK need not have arrived.
  const bool news = selective ? packet.kind == PacketKind::nak && relay.site.send_again(packet.psn, packet.count)
                              : relay.site.go_back(packet.psn, delivered_);
  if (packet.kind != PacketKind::rnr_nak) return news;
  relay.site.rewind(packet.psn);
  if (relay.remote.rnr_retry < 7 && ++relay.not_ready > relay.remote.rnr_retry) relay.failed = true;
  if (!relay.failed) wait_until(context, relay, Wait::not_ready, context.now + rnr_time(packet.count));
  return true;
}

/// The NIC at the end of the connection has answered: its replies end here.
void Accelerator::site_replied(Context& context, ConnectionRelay& relay, const Packet& packet) {
  if (relay.failed) return;
  delivered_.clear();
  if (!note_reply(context, relay, packet)) return;
  Bytes released;
  for (const SiteSender::Kept& kept : delivered_) {
    context.packets.release(*kept.packet);
    released += Bytes{kept.frame};
    relay.delivered += kept.payload;
    relay.last_delivered = context.now;
  }
  if (relay.site.awaits_acknowledge()) {
    wait_until(context, relay, Wait::receiver, context.now + relay.remote.timeout);
  } else {
    wait_no_more(relay, Wait::receiver);
  }
  if (released > Bytes{0}) free_inbound(context, released);
  if (packet.kind == PacketKind::nak) {
    context.observe(FactKind::retransmission, site_.port.node(), site_.port.id(), relay.remote.priority, packet.psn);
    queue_for_site(context, relay, relay.site.ready());
  }
}

}  // namespace soya
