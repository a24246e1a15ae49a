#include "transport/requester.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace soya {

Requester::Requester(const RequesterConfig& config)
    : config_{config},
      max_unacked_{std::min(config.max_unacked, psn_window - 1)},
      posted_{config.initial_psn},
      limit_{posted_},
      next_{posted_},
      highest_{posted_},
      acknowledged_{posted_},
      asked_{posted_},
      until_ask_{config.ack_every} {}

void Requester::post(const SendRequest& request, const FrameSizes& sizes) {
  const std::int64_t packets = sizes.packets(request.size);
  messages_.push() = {posted_, packets, 0, request};
  posted_ += packets;
  admit();
}

void Requester::admit() {
  while (admitted_ < messages_.size() && admitted_ < static_cast<std::uint32_t>(config_.queue_depth)) {
    const Message& next = messages_[admitted_++];
    limit_ = next.first + next.packets;
  }
}

void Requester::fill_next(Packet& packet, const FrameSizes& sizes) {
  Message& current = messages_[cursor_];
  const std::int64_t index = next_ - current.first;
  const bool first = index == 0;
  const bool last = index == current.packets - 1;
  const Bytes payload = last ? current.request.size - index * sizes.mtu() : sizes.mtu();
  packet.position = first ? (last ? PacketPosition::only : PacketPosition::first)
                          : (last ? PacketPosition::last : PacketPosition::middle);
  packet.operation = current.request.operation;
  packet.psn = psn_of(next_);
  packet.payload = static_cast<std::uint32_t>(payload.count());
  packet.frame = static_cast<std::uint32_t>(sizes.data(packet.operation, packet.position, payload).count());
  packet.tag = current.request.tag;
  // The packet that fills the window asks, too: without an acknowledge nothing more would be sent.
  packet.ack_request = --until_ask_ == 0 || last || next_ + 1 - acknowledged_ >= max_unacked_;
  if (packet.ack_request) {
    until_ask_ = config_.ack_every;
    asked_ = std::max(asked_, next_ + 1);
  }
  if (next_ < highest_) {
    ++current.retransmitted;
    ++retransmitted_;
  }
  ++next_;
  highest_ = std::max(highest_, next_);
  if (last) ++cursor_;
}

bool Requester::acknowledged(std::uint32_t psn) {
  return advance(sequence_near(acknowledged_, psn) + 1);
}

bool Requester::advance(Sequence arrived) {
  // A queue pair in error ignores what comes too late: its requests stay unfinished.
  if (failed_ || arrived <= acknowledged_ || arrived > highest_) return false;
  acknowledged_ = arrived;
  retries_ = 0;
  while (!messages_.empty()) {
    const Message& oldest = messages_.front();
    if (oldest.first + oldest.packets > arrived) break;
    completions_.push_back({oldest.request.size, oldest.request.tag, oldest.request.record, oldest.retransmitted});
    messages_.pop();
    --admitted_;
    if (cursor_ > 0) --cursor_;
  }
  admit();
  // An acknowledge may overtake a rewind: what it covers is not sent again.
  if (next_ < arrived) rewind(arrived);
  return true;
}

bool Requester::go_back(std::uint32_t psn) {
  const Sequence expected = sequence_near(acknowledged_, psn);
  if (failed_ || expected < acknowledged_ || expected > highest_) return false;
  const bool progress = advance(expected);
  if (expected >= next_) return progress;
  rewind(expected);
  return true;
}

void Requester::timed_out() {
  if (++retries_ > config_.retry_count) {
    failed_ = true;
    return;
  }
  rewind(acknowledged_);
}

void Requester::rewind(Sequence to) {
  next_ = to;
  asked_ = std::min(asked_, std::max(to, acknowledged_));
  cursor_ = 0;
  std::uint32_t beyond = messages_.size();
  while (cursor_ < beyond) {  // the first message that ends after `to`
    const std::uint32_t middle = (cursor_ + beyond) / 2;
    if (messages_[middle].first + messages_[middle].packets > to) {
      beyond = middle;
    } else {
      cursor_ = middle + 1;
    }
  }
  const std::int64_t index = cursor_ < messages_.size() ? to - messages_[cursor_].first : 0;
  until_ask_ = config_.ack_every - static_cast<int>(index % config_.ack_every);
}

}  // namespace soya
