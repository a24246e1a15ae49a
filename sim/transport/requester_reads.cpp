// READs of a requester: what it asks for, and which responses it has.
#include "core/check.hpp"
#include "transport/requester.hpp"

namespace soya {

/// Asks for the responses `places` of a READ. Of a READ request `payload` is that of its last response.
void Requester::fill_request(Packet& packet, const Message& message, Span places, const FrameSizes& sizes) const {
  fill_place(packet, message, places.end - 1, sizes);
  packet.kind = PacketKind::read_request;
  packet.position = PacketPosition::only;
  packet.psn = psn_of(places.first);
  packet.count = static_cast<std::uint32_t>(places.size());
  packet.frame = static_cast<std::uint32_t>(sizes.read_request().count());
  packet.ack_request = true;
}

void Requester::fill_read(Packet& packet, const FrameSizes& sizes) {
  Message& current = messages_[cursor_];
  const Span places{next_, next_ + step_};
  fill_request(packet, current, places, sizes);
  asked_ = std::max(asked_, places.end);
  if (places.first < highest_) count_again(current, std::min(places.end, highest_) - places.first);
  next_ = places.end;
  highest_ = std::max(highest_, next_);
  if (next_ == current.end()) {
    advance_cursor();
  } else {
    look_at_message();
  }
}

Sequence Requester::first_missing_response() const {
  const Sequence missing = reads_->responses.cumulative();
  return missing == reads_->asked ? INT64_MAX : reads_->stream + (missing - reads_->of_stream.first);
}

/// Finds the READ whose response is the first missing one, when that is another READ than before.
void Requester::follow_reads() {
  Reads& reads = *reads_;
  const Sequence missing = reads.responses.cumulative();
  if (missing == reads.asked || (missing >= reads.of_stream.first && missing < reads.of_stream.end)) return;
  reads.stream = place_of_response(missing);
  const Message& message = messages_[message_of(reads.stream)];
  reads.stream = message.first;
  reads.of_stream = {message.first_response, message.first_response + message.packets};
}

/// Place in the stream of a response that is not complete: in the last message that begins with it or before it.
Sequence Requester::place_of_response(Sequence response) const {
  std::uint32_t first = 0;
  std::uint32_t beyond = messages_.size();
  while (first < beyond) {  // the first message whose responses begin after `response`
    const std::uint32_t middle = (first + beyond) / 2;
    if (messages_[middle].first_response > response) {
      beyond = middle;
    } else {
      first = middle + 1;
    }
  }
  const Message& message = messages_[first - 1];
  SOYA_DCHECK(message.is_read(), "a response belongs to a READ");
  return message.first + (response - message.first_response);
}

/// Whether the place `at`, not complete, is a READ's, and which response it is.
bool Requester::is_response(Sequence at, Sequence& response) const {
  const Reads& reads = *reads_;
  if (at >= reads.stream && at < reads.stream + reads.of_stream.size()) [[likely]] {
    response = reads.of_stream.first + (at - reads.stream);
    return true;
  }
  const Message& message = messages_[message_of(at)];
  response = message.first_response + (at - message.first);
  return message.is_read();
}

bool Requester::responded(const Packet& packet, Time now) {
  if (failed() || !reads_) return false;
  Reads& reads = *reads_;
  const Sequence at = sequence_near(acknowledged_, packet.psn);
  Sequence response = 0;
  if (at >= highest_) return false;
  if (at < acknowledged_ || !is_response(at, response) || reads.responses.has(response)) {
    ++reads.duplicates;
    return false;
  }
  const bool in_order = response == reads.responses.cumulative();
  if (!selective() && !in_order) {
    if (reads.gap_open) return false;  // asked for once; the answer is on its way
    reads.gap_open = true;
    ++reads.gaps;
    rewind(first_missing_response());
    return true;
  }
  const ArrivalWindow::Arrival arrival = reads.responses.receive(response);
  reads.gap_open = false;
  reads.delivered += packet.payload;
  if (arrival.kind == ArrivalWindow::Arrival::Kind::opened) {
    ++reads.gaps;
    if (config_.reorder_timeout) {
      reads.young.add(arrival.gap, now + *config_.reorder_timeout);
    } else {
      add_missing_responses(arrival.gap);
    }
  }
  if (in_order) follow_reads();
  if (selective()) {
    reads.again.missing_still({acknowledged_, at}, at + 1);
    settle_due();
  }
  // Its request has arrived, and with it all that was sent before.
  arrived_to(at + 1);
  settle();
  return true;
}

void Requester::gaps_grew_old(Time now) {
  if (failed() || !reads_) return;
  const ArrivalWindow& responses = reads_->responses;
  for (Span gap; !(gap = reads_->young.take_old(responses, now)).empty();) {
    for (Sequence from = responses.next_missing(gap.first); from < gap.end;) {
      const Sequence end = std::min(responses.next_arrived(from), gap.end);
      add_missing_responses({from, end});
      from = responses.next_missing(end);
    }
  }
  settle_due();
}

void Requester::add_missing_responses(Span responses) {
  while (!responses.empty()) {
    const Sequence at = place_of_response(responses.first);
    const Message& message = messages_[message_of(at)];
    const std::int64_t count = std::min(responses.size(), message.end() - at);
    reads_->again.add({at, at + count});
    responses.first += count;
  }
}

/// The first place after `at`, a missing response's, whose response has arrived, as far as is known.
Sequence Requester::end_of_missing(Sequence at) const {
  Sequence response = 0;
  if (!is_response(at, response) || response >= reads_->responses.highest()) return INT64_MAX;
  return at + (reads_->responses.next_arrived(response) - response);
}

/// Leaves out responses that have come meanwhile at the head of what waits.
void Requester::prune_reads() {
  ResendList& again = reads_->again;
  while (again.due()) {
    const Span places = again.next();
    Sequence response = 0;
    SOYA_CHECK(is_response(places.first, response), "only READs are asked for again");
    const Sequence missing = places.first + (reads_->responses.next_missing(response) - response);
    if (missing == places.first) return;
    again.drop(missing);
  }
}

}  // namespace soya
