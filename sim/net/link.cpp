#include "net/link.hpp"

namespace soya {

void Link::down(Context& context) {
  scripted_ = true;
  ++downs_;
  for (; count_ > 0; --count_) {
    count_loss(context, ring_[head_].packet);
    advance();
  }
  context.events.cancel(source_);
}

void Link::lose_nth(PacketKind kind, std::int64_t nth) {
  scripted_ = true;
  losses_.push_back({kind == PacketKind::data, nth});
}

bool Link::lose(Context& context, PacketId id) {
  const PacketKind kind = context.packet(id).kind;
  bool strikes = downs_ > 0;
  if (kind != PacketKind::pfc) {
    for (ScriptedLoss& loss : losses_) {
      if (loss.data == (kind == PacketKind::data) && loss.countdown > 0 && --loss.countdown == 0) strikes = true;
    }
  }
  if (strikes) count_loss(context, id);
  return strikes;
}

void Link::count_loss(Context& context, PacketId id) {
  ++lost_;
  ++context.counters.lost_frames;
  context.observe(FactKind::frame_lost, sender_, sender_port_, context.packet(id).priority, context.packet(id).frame);
  context.packets.release(id);
}

void Link::grow() {
  std::vector<InFlight> larger(ring_.size() * 2);
  for (std::size_t i = 0; i < count_; ++i) larger[i] = ring_[(head_ + i) & (ring_.size() - 1)];
  ring_ = std::move(larger);
  head_ = 0;
}

}  // namespace soya
