#include "wan/haul_sender.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace soya {

void HaulSender::store(Sequence place, Packet* packet, std::uint32_t frame) {
  for (; end_ <= place; ++end_) kept_.push() = Kept{nullptr, 0, State::absent, 0};
  SOYA_DCHECK(knows(place) && at(place).state == State::absent, "a packet is stored once");
  at(place) = {packet, frame, State::waiting, 0};
}

const HaulSender::Kept* HaulSender::to_send(Sequence place) const {
  if (!knows(place)) return nullptr;
  const Kept& kept = at(place);
  return kept.state == State::waiting || kept.state == State::lost ? &kept : nullptr;
}

void HaulSender::sent(Sequence place) {
  Kept& kept = at(place);
  if (kept.state == State::lost) ++retransmitted_;
  kept.state = State::sent;
  kept.sent = ++sends_;
  ++on_the_way_;
}

bool HaulSender::note_stored(Kept& kept, std::vector<Kept>& released) {
  if (kept.state == State::stored) return false;
  SOYA_CHECK(kept.state == State::sent || kept.state == State::lost, "what is stored far away was sent");
  if (kept.state == State::sent) --on_the_way_;
  released.push_back(kept);
  kept.packet = nullptr;
  kept.state = State::stored;
  return true;
}

void HaulSender::note_lost(Sequence place, std::vector<Sequence>& lost) {
  at(place).state = State::lost;
  --on_the_way_;
  lost.push_back(place);
}

bool HaulSender::replied(const HaulReply& reply, std::vector<Kept>& released, std::vector<Sequence>& lost) {
  const Sequence answers = sequence_near(base_, reply.answers);
  const Sequence expected = sequence_near(base_, reply.expected);
  if (expected > end_) return false;
  bool news = false;
  std::uint64_t sent_before = 0;
  if (knows(answers)) {
    sent_before = at(answers).sent;
    news = note_stored(at(answers), released);
  }
  for (; base_ < expected; ++base_) {
    note_stored(at(base_), released);
    kept_.pop();
    news = true;
  }
  const Sequence missing = sequence_near(base_, reply.missing_from);
  const Sequence missing_end = std::min(missing + reply.missing, end_);
  for (Sequence place = std::max(missing, base_); place < missing_end; ++place) {
    if (at(place).state != State::sent || at(place).sent >= sent_before) continue;
    note_lost(place, lost);
    news = true;
  }
  return news;
}

void HaulSender::timed_out(std::vector<Sequence>& lost) {
  const auto on_way = [this](Sequence place) { return at(place).state == State::sent; };
  Sequence first = base_;
  while (first < end_ && !on_way(first)) ++first;
  Sequence last = end_;
  while (last > first && !on_way(last - 1)) --last;
  if (first == end_) return;
  note_lost(first, lost);
  if (last - 1 > first) note_lost(last - 1, lost);
}

}  // namespace soya
