#include "wan/site_sender.hpp"

#include <algorithm>

namespace soya {

ArrivalWindow::Arrival SiteSender::receive(std::uint32_t psn, const Kept& packet) {
  const Sequence place = sequence_near(window_.cumulative(), psn);
  const ArrivalWindow::Arrival arrival = window_.receive(place);
  if (!arrival.is_new()) return arrival;
  const auto index = static_cast<std::uint32_t>(place - acknowledged_);
  while (kept_.size() <= index) kept_.push() = Kept{nullptr, 0, 0};
  kept_[index] = packet;
  return arrival;
}

void SiteSender::sent(bool asks) {
  if (!again_.empty()) {
    if (asks) asked_ = std::max(asked_, again_.front() + 1);
    ++retransmitted_;
    return again_.pop();
  }
  if (next_ < highest_) ++retransmitted_;
  ++next_;
  highest_ = std::max(highest_, next_);
  if (asks) asked_ = std::max(asked_, next_);
}

bool SiteSender::advance(Sequence to, std::vector<Kept>& released) {
  if (to <= acknowledged_ || to > highest_) return false;
  for (; acknowledged_ < to; ++acknowledged_) {
    released.push_back(kept_.front());
    kept_.pop();
  }
  next_ = std::max(next_, acknowledged_);
  while (!again_.empty() && again_.front() < acknowledged_) again_.pop();
  retries_ = 0;
  return true;
}

bool SiteSender::acknowledged(std::uint32_t psn, std::vector<Kept>& released) {
  return advance(sequence_near(acknowledged_, psn) + 1, released);
}

bool SiteSender::go_back(std::uint32_t psn, std::vector<Kept>& released) {
  const Sequence expected = sequence_near(acknowledged_, psn);
  if (expected < acknowledged_ || expected > highest_) return false;
  const bool progress = advance(expected, released);
  if (expected >= next_) return progress;
  next_ = expected;
  asked_ = std::min(asked_, expected);
  return true;
}

bool SiteSender::send_again(std::uint32_t psn, std::uint32_t count) {
  const Sequence first = std::max(sequence_near(acknowledged_, psn), acknowledged_);
  const Sequence end = std::min(sequence_near(acknowledged_, psn) + count, next_);
  for (Sequence missing = first; missing < end; ++missing) again_.push() = missing;
  return first < end;
}

void SiteSender::rewind(std::uint32_t psn) {
  const Sequence to = std::max(sequence_near(acknowledged_, psn), acknowledged_);
  next_ = std::min(next_, to);
  asked_ = std::min(asked_, to);
}

void SiteSender::timed_out() {
  ++retries_;
  while (!again_.empty()) again_.pop();
  next_ = acknowledged_;
  asked_ = acknowledged_;
}

}  // namespace soya
