// An accelerator's way from its site to the long link: responder of the senders, and keeper of what they have sent.
#include <algorithm>

#include "wan/accelerator.hpp"

namespace soya {

namespace {

/// A packet in so many asks the partner for a reply, so that what is kept follows what is stored far away closely.
constexpr int packets_per_reply = 16;

}  // namespace

void Accelerator::take_from_site(Context& context, Packet& packet) {
  ConnectionRelay* relay = find(packet);
  if (relay == nullptr) {
    if (!admit_outbound(context, packet)) return;
    haul_.data.push_packet(packet.priority, packet);
    return offer(context, haul_);
  }
  if (packet.kind == PacketKind::data) return relay_outbound(context, *relay, packet);
  const Packet reply = packet;
  context.packets.release(packet);
  site_replied(context, *relay, reply);
}

/// Whether there is room for a frame from the site; where there is none, it is dropped.
bool Accelerator::admit_outbound(Context& context, Packet& packet) {
  if (outbound_.held() + packet.frame_size() > setup_.buffer) {
    const bool lossless = lossless_.contains(packet.priority);
    ++(lossless ? counters_.lossless_drops : counters_.lossy_drops);
    ++(lossless ? context.counters.lossless_drops : context.counters.lossy_drops);
    context.observe(FactKind::frame_dropped, site_.port.node(), site_.port.id(), packet.priority, packet.frame);
    context.packets.release(packet);
    return false;
  }
  outbound_.add(context.now, packet.frame_size());
  if (asks_pause_ || lossless_.empty() || outbound_.held() < setup_.buffer - setup_.headroom) return true;
  asks_pause_ = true;
  asks_since_ = context.now;
  for (std::uint8_t p = 0; p < Priority::count; ++p) {
    if (!lossless_.contains(Priority{p})) continue;
    site_.port.pause_refresher.pause(context, Priority{p});
    context.observe(FactKind::xoff, site_.port.node(), site_.port.id(), Priority{p}, 0);
  }
  offer(context, site_);
  return true;
}

void Accelerator::free_outbound(Context& context, Bytes bytes) {
  outbound_.remove(context.now, bytes);
  if (!asks_pause_ || outbound_.held() > xon()) return;
  asks_pause_ = false;
  pausing_ += context.now - asks_since_;
  for (std::uint8_t p = 0; p < Priority::count; ++p) {
    if (!lossless_.contains(Priority{p})) continue;
    site_.port.pause_refresher.resume(context, Priority{p});
    context.observe(FactKind::xon, site_.port.node(), site_.port.id(), Priority{p}, 0);
  }
  if (site_.port.pause_refresher.due()) offer(context, site_);
}

/// Only what there is room for reaches the responder: it never acknowledges what it cannot keep.
void Accelerator::relay_outbound(Context& context, ConnectionRelay& relay, Packet& packet) {
  const Bytes frame = packet.frame_size();
  const ArrivalWindow& window = relay.responder.window();
  const Sequence expected = window.cumulative();
  const Sequence place = sequence_near(expected, packet.psn);
  const bool had_it = window.has(place);
  if (place > expected && !had_it && !admit_out_of_order(context, relay, packet)) return;
  if (!admit_outbound(context, packet)) return;
  const Responder::Arrival arrival = relay.responder.receive(packet, context.now);
  relay.responder.received().clear();
  if (!had_it && window.has(place)) {
    relay.haul.store(place, &packet, packet.frame);
    relay.held.add(context.now, frame);
    if (place > expected) {
      relay.out_of_order += frame;
      out_of_order_ += frame;
    }
  } else {
    context.packets.release(packet);
    free_outbound(context, frame);
  }
  if (arrival.reply && !relay.replying) {
    relay.replying = true;
    site_.control.push_connection(relay.remote.ack_priority, index_of(relay), 0);
  }
  if (arrival.reply) offer(context, site_);
  send_in_order(context, relay, {expected, window.cumulative()});
}

/// Packets behind a gap wait here until it closes, so that the partner's store never waits for what this one has no
/// room for. They take half of the room at most: a site that is paused could not close the gap.
bool Accelerator::admit_out_of_order(Context& context, const ConnectionRelay& relay, Packet& packet) {
  const Bytes frame = packet.frame_size();
  if (relay.remote.responder.retransmission == Retransmission::go_back_n) return true;  // they are not kept at all
  if (out_of_order_ + frame <= xon() / 2) return true;
  ++counters_.refused_out_of_order;
  context.packets.release(packet);
  return false;
}

/// What is in order from now on goes to the long link.
void Accelerator::send_in_order(Context& context, ConnectionRelay& relay, Span places) {
  if (places.empty()) return;
  for (Sequence place = places.first; place < places.end; ++place) {
    haul_.data.push_connection(relay.local.priority, index_of(relay), place);
  }
  if (relay.responder.window().complete()) {
    out_of_order_ -= relay.out_of_order;
    relay.out_of_order = Bytes{0};
  }
  offer(context, haul_);
}

/// The acknowledge or NAK that the far end of the connection would send.
void Accelerator::start_reply_to_site(Context& context, ConnectionRelay& relay) {
  Packet& packet = context.packets.take();
  packet = Packet{};
  relay.responder.fill_reply(packet);
  packet.flow_hash = relay.remote.flow_hash;
  packet.source = relay.remote.host;
  packet.destination = relay.local.host;
  packet.queue_pair = relay.local.queue_pair;
  packet.priority = relay.remote.ack_priority;
  packet.frame = static_cast<std::uint32_t>(setup_.acknowledge_frame.count());
  relay.replying = relay.responder.owed() != Reply::none;
  if (relay.replying) site_.control.push_connection(packet.priority, index_of(relay), 0);
  // With a gap open, what has arrived behind it is not acknowledged.
  if (relay.responder.window().complete() && relay.responder.delivered() > relay.acknowledged) {
    relay.acknowledged = relay.responder.delivered();
    relay.last_acknowledged = context.now;
    relay.ahead_peak = std::max(relay.ahead_peak, relay.acknowledged - relay.placed);
  }
  start_packet(context, site_, packet);
}

Bytes Accelerator::room_at_partner() const {
  return setup_.partner_buffer - Bytes{sent_ - passing_lost_ - freed_};
}

/// Starts the head of a queue towards the long link, if it still needs to go and the partner has room. Returns whether
/// it did; what needs to go no more is taken off the queue.
bool Accelerator::start_haul_packet(Context& context, WaitingLine& queue, Priority priority) {
  waits_for_room_ = false;
  const Turn turn = queue.head(priority);
  const bool relayed = turn.packet == nullptr;
  const HaulSender::Kept* kept = relayed ? connections_[turn.connection].haul.to_send(turn.sequence) : nullptr;
  if (relayed && kept == nullptr) {
    queue.pop(priority);
    return false;
  }
  const bool is_new = !relayed || kept->state == HaulSender::State::waiting;
  const Bytes frame = relayed ? Bytes{kept->frame} : turn.packet->frame_size();
  if (is_new && frame > room_at_partner()) {
    wait_for_room(context);
    return false;
  }
  queue.pop(priority);
  if (is_new) sent_ += frame.count();
  if (relayed) {
    send_over_haul(context, connections_[turn.connection], turn.sequence, *kept);
    return true;
  }
  passing_sent_ += frame.count();
  start_packet(context, haul_, *turn.packet);
  free_outbound(context, frame);
  // Frames that are only passed on may be lost without anybody knowing: the partner is asked from time to time.
  if (passing_sent_ - passing_at_probe_ > setup_.partner_buffer.count() / 4 && probe_answered_) send_probe(context);
  return true;
}

void Accelerator::send_over_haul(Context& context, ConnectionRelay& relay, Sequence place,
                                 const HaulSender::Kept& kept) {
  const bool again = kept.state == HaulSender::State::lost;
  Packet& packet = copy(context, *kept.packet);
  const std::int64_t most_unasked = std::min(setup_.buffer, setup_.partner_buffer).count() / 8;
  relay.unasked += packet.frame;
  unasked_ += packet.frame;
  packet.ack_request =
      packet.ack_request || again || ++relay.packets_unasked >= packets_per_reply || unasked_ >= most_unasked;
  if (packet.ack_request) {
    unasked_ -= relay.unasked;
    relay.unasked = 0;
    relay.packets_unasked = 0;
  }
  if (!waits_for(relay, Wait::partner)) {
    relay.silent_since = context.now;
    wait_until(context, relay, Wait::partner, context.now + haul_timeout());
  }
  relay.haul.sent(place);
  start_packet(context, haul_, packet);
}

void Accelerator::haul_replied(Context& context, ConnectionRelay& relay, const HaulReply& reply) {
  stored_.clear();
  lost_.clear();
  const bool news = relay.haul.replied(reply, stored_, lost_);
  relay.placed = advanced(relay.placed, reply.placed);
  note_freed(context, reply.freed);
  Bytes released;
  for (const HaulSender::Kept& kept : stored_) {
    context.packets.release(*kept.packet);
    released += Bytes{kept.frame};
  }
  if (released > Bytes{0}) {
    relay.held.remove(context.now, released);
    free_outbound(context, released);
  }
  if (news && !relay.failed) {
    relay.silent_since = context.now;
    relay.haul.on_the_way() > 0 ? wait_until(context, relay, Wait::partner, context.now + haul_timeout())
                                : wait_no_more(relay, Wait::partner);
  }
  send_again(context, relay);
}

/// Packets of `lost_` wait to be sent again.
void Accelerator::send_again(Context& context, const ConnectionRelay& relay) {
  if (lost_.empty()) return;
  for (const Sequence place : lost_) haul_.again.push_connection(relay.local.priority, index_of(relay), place);
  context.observe(FactKind::retransmission, haul_.port.node(), haul_.port.id(), relay.local.priority, lost_.front());
  offer(context, haul_);
}

void Accelerator::note_freed(Context& context, std::uint32_t freed) {
  freed_ = advanced(freed_, freed);
  if (!waits_for_room_) return;
  waits_for_room_ = false;
  offer(context, haul_);
}

/// The head of a queue does not fit into the partner's buffer. News of room may be lost, so it asks in the end.
void Accelerator::wait_for_room(Context& context) {
  waits_for_room_ = true;
  if (probe_at_ != Time::never()) return;
  probe_at_ = context.now + haul_timeout();
  wake_at(context, probe_at_);
}

void Accelerator::send_probe(Context& context) {
  Packet& packet = new_message(context, Priority{7});
  write_probe(packet, ++probe_);
  probe_answered_ = false;
  if (waits_for_room_) {
    probe_at_ = context.now + haul_timeout();
    wake_at(context, probe_at_);
  }
  haul_.control.push_packet(Priority{7}, packet);
  offer(context, haul_);
}

void Accelerator::note_credit(Context& context, const HaulCredit& credit) {
  if (credit.probe == probe_ && probe_ != 0) {
    probe_answered_ = true;
    passing_probed_ = advanced(passing_probed_, credit.passing_received);
    passing_lost_ = std::max(passing_lost_, passing_at_probe_ - passing_probed_);
  }
  note_freed(context, credit.freed);
}

}  // namespace soya
