#include "net/link.hpp"

#include <algorithm>

#include "net/far_clock.hpp"

namespace soya {

Link::Script& Link::script() {
  if (script_ == nullptr) script_ = std::make_unique<Script>();
  script_->can_strike = true;
  return *script_;
}

void Link::down(Context& context) {
  ++script().downs;
  if (script_->crossing != nullptr) script_->crossing->last_arrival = Time{0};
  lose_in_flight(context);
}

void Link::lose_in_flight(Context& context) {
  if (in_flight_.empty()) return;
  for (; !in_flight_.empty(); in_flight_.pop()) count_loss(context, in_flight_.front().packet());
  context.events.cancel(source_);
}

void Link::reroute(Duration one_way) {
  [[maybe_unused]] Script& made = script();  // so that frames look at who is before them
  delay_ = one_way;
}

/// A frame arrives its own time after the one before it at the earliest.
Time Link::behind_others(const Context& context, Time last_bit, Time arrival) const {
  const Duration own = last_bit - context.now;
  if (script_->crossing != nullptr) return std::max(arrival, script_->crossing->last_arrival + own);
  if (in_flight_.empty()) return arrival;
  return std::max(arrival, in_flight_[in_flight_.size() - 1].arrival() + own);
}

void Link::cross(Context& context, Packet& packet, Time arrival, Phase phase) {
  Crossing& crossing = *script_->crossing;
  crossing.last_arrival = arrival;
  if (packet.kind == PacketKind::pfc) crossing.clock->coming(arrival, packet.pfc);
  crossing.mail->put(packet, {arrival, crossing.to, phase});
  context.packets.release(packet);
}

void Link::receive(Context& context, const Packet& crossed, const Waybill& way) {
  Packet& packet = context.packets.take();
  packet = crossed;
  const bool alone = in_flight_.empty();
  in_flight_.push().set(packet, way.arrival, way.phase);
  if (alone) context.events.schedule(source_, way.arrival, way.phase);
}

void Mailbox::deliver(Context& context) {
  // Each is of another link, none of which the receiver has touched for a window: fetched this many frames ahead.
  constexpr std::size_t links_ahead = 16;
  constexpr std::size_t places_ahead = 8;
  const std::size_t count = readable_.ways.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i + links_ahead < count) __builtin_prefetch(readable_.ways[i + links_ahead].to);
    if (i + places_ahead < count) readable_.ways[i + places_ahead].to->fetch_for_receive(context);
    context.packets.fetch(places_ahead);
    readable_.ways[i].to->receive(context, readable_.packets[i], readable_.ways[i]);
  }
  readable_.clear();
  earliest_ = Time::never();
}

void Link::lose_nth(PacketKind kind, std::int64_t nth) {
  script().losses.push_back({kind, nth});
}

void Link::lose_at_random(const LossConfig& loss, RandomStream stream) {
  script().random = std::make_unique<FrameLoss>(loss, stream);
}

/// Every countdown goes on, whichever fault strikes.
bool Link::lose_by_script(PacketKind kind) {
  Script& all = script();
  bool strikes = all.downs > 0;
  const PacketKind reply = kind == PacketKind::pfc ? kind : PacketKind::acknowledge;
  const PacketKind counted = is_data(kind) ? PacketKind::data : reply;
  for (ScriptedLoss& loss : all.losses) {
    if (loss.kind == counted && loss.countdown > 0 && --loss.countdown == 0) strikes = true;
  }
  if (kind == PacketKind::pfc) return strikes;
  if (all.next > 0) {
    --all.next;
    strikes = true;
  }
  return strikes || all.bursts > 0;
}

bool Link::lose(Context& context, Packet& packet) {
  const PacketKind kind = packet.kind;
  bool strikes = lose_by_script(kind);
  FrameLoss* random = script().random.get();
  if (random != nullptr && !(kind == PacketKind::pfc && random->spares_control())) {
    strikes = random->strikes(packet.wire_size()) || strikes;
  }
  if (strikes) count_loss(context, packet);
  return strikes;
}

void Link::count_loss(Context& context, Packet& packet) {
  ++script().lost;
  ++context.counters.lost_frames;
  context.observe(FactKind::frame_lost, sender_, sender_port_, packet.priority, packet.frame);
  context.packets.release(packet);
}

}  // namespace soya
