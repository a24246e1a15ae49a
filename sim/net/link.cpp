#include "net/link.hpp"

namespace soya {

Link::Script& Link::script() {
  if (script_ == nullptr) script_ = std::make_unique<Script>();
  return *script_;
}

void Link::down(Context& context) {
  ++script().downs;
  for (; !in_flight_.empty(); in_flight_.pop()) count_loss(context, in_flight_.front().packet);
  context.events.cancel(source_);
}

void Link::lose_nth(PacketKind kind, std::int64_t nth) {
  script().losses.push_back({is_data(kind), nth});
}

void Link::lose_at_random(const LossConfig& loss, RandomStream stream) {
  script().random = std::make_unique<FrameLoss>(loss, stream);
}

bool Link::lose(Context& context, PacketId id) {
  const PacketKind kind = context.packet(id).kind;
  bool strikes = script().downs > 0;
  if (kind != PacketKind::pfc) {
    for (ScriptedLoss& loss : script().losses) {
      if (loss.data == is_data(kind) && loss.countdown > 0 && --loss.countdown == 0) strikes = true;
    }
  }
  FrameLoss* random = script().random.get();
  if (random != nullptr && !(kind == PacketKind::pfc && random->spares_control())) {
    strikes = random->strikes(context.packet(id).wire_size()) || strikes;
  }
  if (strikes) count_loss(context, id);
  return strikes;
}

void Link::count_loss(Context& context, PacketId id) {
  ++script().lost;
  ++context.counters.lost_frames;
  context.observe(FactKind::frame_lost, sender_, sender_port_, context.packet(id).priority, context.packet(id).frame);
  context.packets.release(id);
}

}  // namespace soya
