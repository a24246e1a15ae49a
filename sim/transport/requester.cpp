#include "transport/requester.hpp"

#include "core/check.hpp"

namespace soya {

Requester::Requester(const RequesterConfig& config)
    : next_{config.initial_psn},
      open_{next_},
      highest_{next_},
      until_ask_{config.ack_every},
      arrived_{next_},
      acknowledged_{next_},
      asked_{next_},
      limit_{next_},
      max_unacked_{std::min(config.max_unacked, psn_window - 1)},
      ack_every_{config.ack_every},
      posted_{next_},
      reported_{next_},
      config_{config} {
  reopen();
}

void Requester::post(const SendRequest& request, const FrameSizes& sizes) {
  const std::int64_t packets = sizes.packets(request.size);
  const bool is_read = request.operation == Operation::read;
  if (is_read && !reads_) reads_ = std::make_unique<Reads>(max_unacked_);
  messages_.push() = {posted_, packets, 0, reads_ ? reads_->asked : 0, request};
  posted_ += packets;
  middle_payload_ = static_cast<std::uint32_t>(sizes.mtu().count());
  middle_frame_ = static_cast<std::uint32_t>(sizes.middle().count());
  if (is_read) {
    reads_->asked += packets;
    follow_reads();
  }
  admit();
}

void Requester::admit() {
  const auto depth = static_cast<std::uint32_t>(config_.queue_depth);
  while (admitted_ < messages_.size() && admitted_ + static_cast<std::uint32_t>(held_) < depth) {
    const Message& next = messages_[admitted_];
    if (next.is_read() && admitted_reads_ >= config_.max_reads) break;
    admitted_reads_ += next.is_read() ? 1 : 0;
    ++admitted_;
    limit_ = next.end();
  }
  look_at_message();
}

void Requester::release_slot() {
  SOYA_DCHECK(held_ > 0, "a slot is released once");
  --held_;
  admit();
}

/// What follows from the message that `next_` belongs to.
void Requester::look_at_message() {
  step_ = 1;
  middles_ = {};
  if (cursor_ < messages_.size()) {
    const Message& message = messages_[cursor_];
    if (message.is_read()) {
      // It asks for all its responses at once, or for as many as the window ever holds.
      step_ = std::min(message.end() - next_, max_unacked_);
    } else {
      if (!due_) middles_ = {message.first + 1, message.end() - 1};
      tag_ = message.request.tag;
      operation_ = message.request.operation;
    }
  }
  reopen();
}

/// What may be sent, and what is plain, after a change of what decides it.
void Requester::reopen() {
  const bool plain = !selective() && !reads_ && !stopped_ && !messages_.empty();
  plain_end_ = plain ? messages_.front().end() : INT64_MIN;
  open_ = stopped_ ? INT64_MIN : due_ ? INT64_MAX : std::min(limit_, acknowledged_ + max_unacked_ - step_ + 1);
}

void Requester::advance_cursor() {
  ++cursor_;
  look_at_message();
}

/// Position, payload and frame of the packet at `at`: a request, or of a READ its response. Returns the payload.
Bytes Requester::fill_place(Packet& packet, const Message& message, Sequence at, const FrameSizes& sizes) const {
  const std::int64_t index = at - message.first;
  const bool first = index == 0;
  const bool last = index == message.packets - 1;
  const Bytes payload = last ? message.request.size - index * sizes.mtu() : sizes.mtu();
  packet.kind = PacketKind::data;
  packet.position = first ? (last ? PacketPosition::only : PacketPosition::first)
                          : (last ? PacketPosition::last : PacketPosition::middle);
  packet.operation = message.request.operation;
  packet.psn = psn_of(at);
  packet.payload = static_cast<std::uint32_t>(payload.count());
  packet.frame = static_cast<std::uint32_t>(sizes.data(packet.operation, packet.position, payload).count());
  packet.tag = message.request.tag;
  return payload;
}

/// Any packet but a new middle one.
void Requester::fill_other(Packet& packet, const FrameSizes& sizes) {
  if (due_) return fill_again(packet, sizes);
  const Message& current = messages_[cursor_];
  if (current.is_read()) return fill_read(packet, sizes);
  fill_place(packet, current, next_, sizes);
  const bool last = is_last(packet.position);
  packet.ack_request = take_place(last);
  if (last) advance_cursor();
}

void Requester::count_again(Message& message, std::int64_t packets) {
  message.retransmitted += packets;
  retransmitted_ += packets;
}

void Requester::fill_again(Packet& packet, const FrameSizes& sizes) {
  ResendList& list = again_.due() ? again_ : reads_->again;
  Span places = list.next();
  Message& message = messages_[message_of(places.first)];
  if (message.is_read()) {
    places.end = std::min(places.end, message.end());
    if (&list != &again_) places.end = std::min(places.end, end_of_missing(places.first));
    fill_request(packet, message, places, sizes);
  } else {
    const bool last_of_gap = places.size() == 1;
    places.end = places.first + 1;
    fill_place(packet, message, places.first, sizes);
    packet.ack_request = --until_ask_ <= 0 || is_last(packet.position) || last_of_gap;
    if (packet.ack_request) until_ask_ = config_.ack_every;
  }
  if (packet.ack_request) asked_ = std::max(asked_, places.end);
  count_again(message, places.size());
  list.sent(places.end, next_);
  settle_due();
}

bool Requester::replied(const Packet& reply) {
  if (failed()) return false;
  if (selective()) return selective_reply(reply);
  if (reply.kind == PacketKind::acknowledge) return arrived_to(sequence_near(arrived_, reply.psn) + 1);
  return go_back(sequence_near(arrived_, reply.psn));
}

/// Everything before `end` has arrived at the responder.
bool Requester::arrived_to(Sequence end) {
  // A queue pair in error ignores what comes too late: its requests stay unfinished.
  if (failed() || end <= arrived_ || end > highest_) return false;
  arrived_ = end;
  if (selective()) {
    reported_ = std::max(reported_, end);
    again_.forget_before(end);
    settle_due();
  }
  return settle();
}

/// Completes what is done. Returns whether something is.
bool Requester::settle() {
  const Sequence done = reads_ ? std::min(arrived_, first_missing_response()) : arrived_;
  if (done <= acknowledged_) return false;
  acknowledged_ = done;
  retries_ = 0;
  receiver_retries_ = 0;
  while (!messages_.empty()) {
    const Message& oldest = messages_.front();
    if (oldest.end() > done) break;
    completions_.push_back({oldest.request.size, oldest.request.tag, oldest.request.record, oldest.retransmitted});
    admitted_reads_ -= oldest.is_read() ? 1 : 0;
    held_ += config_.holds_slots ? 1 : 0;
    messages_.pop();
    --admitted_;
    if (cursor_ > 0) --cursor_;
  }
  if (reads_ && !reads_->again.empty()) {
    reads_->again.forget_before(done);
    settle_due();
  }
  admit();
  // An acknowledge may overtake a rewind: what it covers is not sent again.
  if (next_ < done) rewind(done);
  return true;
}

/// The responder expects `expected`: what is before it has arrived, the rest is sent again.
bool Requester::go_back(Sequence expected) {
  if (expected < arrived_ || expected > highest_) return false;
  const bool progress = arrived_to(expected);
  if (expected >= next_) return progress;
  rewind(expected);
  return true;
}

bool Requester::receiver_not_ready(const Packet& reply) {
  const Sequence at = sequence_near(arrived_, reply.psn);
  if (failed() || at < arrived_ || at >= highest_) return false;
  if (selective()) {
    // What was sent before the packet that was refused has arrived or is lost: it may be what a receive is kept for.
    again_.send_all_again();
    again_.add({std::clamp(sequence_near(arrived_, reply.highest), arrived_, at), highest_});
    settle_due();
  } else {
    arrived_to(at);
    if (at < next_) rewind(at);
  }
  constexpr int for_ever = 7;
  if (++receiver_retries_ > config_.rnr_retry && config_.rnr_retry != for_ever) failure_ = Failure::receiver_not_ready;
  stopped_ = true;
  reopen();
  return true;
}

void Requester::resume() {
  stopped_ = failed();
  reopen();
}

void Requester::timed_out() {
  if (++retries_ > config_.retry_count) {
    failure_ = Failure::retries;
    stopped_ = true;
    return reopen();
  }
  if (selective()) return list_unheard();
  rewind(acknowledged_);
}

/// Index of the message that `at`, not complete, belongs to; one past the last where `at` is behind them.
std::uint32_t Requester::message_of(Sequence at) const {
  std::uint32_t first = 0;
  std::uint32_t beyond = messages_.size();
  while (first < beyond) {  // the first message that ends after `at`
    const std::uint32_t middle = (first + beyond) / 2;
    if (messages_[middle].end() > at) {
      beyond = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

void Requester::rewind(Sequence to) {
  next_ = to;
  asked_ = std::min(asked_, std::max(to, acknowledged_));
  cursor_ = message_of(to);
  const std::int64_t index = cursor_ < messages_.size() ? to - messages_[cursor_].first : 0;
  until_ask_ = config_.ack_every - static_cast<int>(index % config_.ack_every);
  look_at_message();
}

// Selective repeat.

/// A reply names the first gap, or with a NAK a gap that has just opened, and the highest packet that has arrived.
bool Requester::selective_reply(const Packet& reply) {
  const Sequence at = sequence_near(arrived_, reply.psn);
  const Sequence highest = sequence_near(arrived_, reply.highest);
  if (highest > highest_ || at > highest_) return false;
  const bool is_nak = reply.kind == PacketKind::nak;
  bool news = !is_nak && arrived_to(at + 1);
  const Sequence first = is_nak ? at : at + 1;
  // A reply that is older than another one says nothing of gaps.
  if (first < arrived_) return news;
  const Span gap{first, first + reply.count};
  if (highest > reported_) {
    // What was listed because nothing was known of it has arrived, or is in this gap.
    again_.forget({reported_, std::max(reported_, gap.first)});
    again_.forget({std::max(reported_, gap.end), highest});
    reported_ = highest;
    retries_ = 0;
    news = true;
  }
  again_.add(gap);
  again_.missing_still(gap, highest);
  const bool was_due = due_;
  settle_due();
  return news || (due_ && !was_due);
}

/// After a time-out: what is known to be missing, and what nothing was heard of.
void Requester::list_unheard() {
  again_.send_all_again();
  if (reads_) reads_->again.send_all_again();
  if (arrived_ < reported_) again_.add({arrived_, arrived_ + 1});  // its NAK is lost, too
  for (std::uint32_t m = 0; m < messages_.size() && messages_[m].first < next_; ++m) {
    const Message& message = messages_[m];
    const Span sent{message.first, std::min(message.end(), next_)};
    if (message.is_read()) {
      const Sequence heard = std::max(reads_->responses.highest(), message.first_response);
      reads_->again.add({sent.first + (heard - message.first_response), sent.end});
    } else {
      again_.add({std::max(sent.first, reported_), sent.end});
    }
  }
  settle_due();
}

void Requester::settle_due() {
  if (reads_ && reads_->again.due()) prune_reads();
  due_ = again_.due() || (reads_ && reads_->again.due());
  look_at_message();
}

}  // namespace soya
