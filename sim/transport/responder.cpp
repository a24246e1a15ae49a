#include "transport/responder.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace soya {

namespace {

[[nodiscard]] Span places_of(const Packet& packet, Sequence at) {
  return {at, at + (packet.kind == PacketKind::read_request ? packet.count : 1)};
}

}  // namespace

Responder::Responder(const ResponderConfig& config)
    : message_first_{config.initial_psn & psn_mask},
      state_{.counts_receives = config.receives.has_value()},
      selective_{config.retransmission == Retransmission::selective_repeat ? std::make_unique<Selective>() : nullptr},
      window_{message_first_, selective() ? config.reorder_window : psn_window - 1},
      config_{config} {
  if (config.receives) receives_ = std::make_unique<Receives>(Receives{config.receives->depth, {}});
}

Responder::Arrival Responder::receive_other(const Packet& packet, Sequence at, Time now) {
  const Sequence expected = window_.cumulative();
  const Span places = places_of(packet, at);
  if (refused_ && at > *refused_) return {};
  if (selective() ? window_.next_missing(at) >= places.end : at < expected) return duplicate(packet, at);
  if (!selective() && at > expected) return out_of_order();
  if (receives_ && !take_receive(packet, at, now)) return refuse(at);
  if (refused_ == at) refused_.reset();
  if (selective()) return selective_arrival(packet, at, now);
  window_.receive(at, places.size());
  if (packet.kind == PacketKind::data) return in_order(packet, at);
  state_.gap_reported = false;
  message_first_ = places.end;
  if (state_.owed != Reply::none) state_.owed = Reply::acknowledge;
  execute(reads_, {places, at, packet.payload, packet.tag});
  return {state_.owed != Reply::none, false, true};
}

/// Go-back-N: one NAK for a gap and no more.
Responder::Arrival Responder::out_of_order() {
  if (state_.gap_reported) return {};
  state_.gap_reported = true;
  ++gaps_;
  state_.owed = Reply::nak;
  return {true, false, false};
}

Responder::Arrival Responder::refuse(Sequence at) {
  refused_ = std::min(refused_.value_or(at), at);
  state_.gap_reported = true;
  state_.owed = Reply::receiver_not_ready;
  return {true, false, has_response()};
}

/// Every duplicate is acknowledged, whether it asks or not (C9-105): a requester that starts again from a packet that
/// has arrived, and loses a later one each time, would never get on otherwise. A READ is executed again.
Responder::Arrival Responder::duplicate(const Packet& packet, Sequence at) {
  ++duplicates_;
  if (packet.kind == PacketKind::read_request) {
    read_again(packet, at);
    return {false, false, has_response()};
  }
  if (owed() == Reply::nak || state_.owed == Reply::receiver_not_ready) return {false, false, has_response()};
  state_.owed = Reply::acknowledge;
  return {true, false, has_response()};
}

void Responder::read_again(const Packet& packet, Sequence at) {
  const Read again{places_of(packet, at), at, packet.payload, packet.tag};
  if (selective()) {
    if (at < window_.cumulative()) execute(selective_->repeated, again);  // else it waits for what is before it
    return;
  }
  // Go-back-N: the requester asks again for all that comes after, too.
  while (!reads_.empty() && reads_.back().places.first >= at) reads_.pop_back();
  if (!reads_.empty() && reads_.back().places.end > at) {
    reads_.back().places.end = at;
    reads_.back().last_payload = static_cast<std::uint32_t>(config_.mtu.count());
    if (reads_.back().next >= at) reads_.pop_back();
  }
  execute(reads_, again);
  if (again.places.end <= window_.cumulative()) return;
  window_.receive(at, again.places.size());
  message_first_ = again.places.end;
}

Responder::Arrival Responder::selective_arrival(const Packet& packet, Sequence at, Time now) {
  using Kind = ArrivalWindow::Arrival::Kind;
  const bool was_complete = window_.complete();
  const bool was_told = window_.cumulative() < selective_->told;
  const ArrivalWindow::Arrival arrival = window_.receive(at, places_of(packet, at).size());
  if (arrival.kind == Kind::beyond) return {};  // cannot be of a requester that keeps to the window
  const bool is_read = packet.kind == PacketKind::read_request;
  const bool next_in_line = arrival.kind == Kind::in_order && was_complete;
  if (next_in_line && !is_read) return in_order(packet, at);
  if (arrival.kind == Kind::opened) {
    ++gaps_;
    if (config_.reorder_timeout) {
      selective_->young.add(arrival.gap, now + *config_.reorder_timeout);
    } else {
      tell(arrival.gap);
    }
  }
  const bool is_young = arrival.kind == Kind::opened && config_.reorder_timeout;
  if (!is_read) delivered_ += packet.payload;
  if (is_last(packet.position)) note_end(packet, at);
  if (arrival.kind == Kind::in_order) pass_ends();
  const bool closed = arrival.kind == Kind::in_order && !was_complete;
  const bool answers = note_ask(packet.ack_request && !next_in_line, at);
  if (((closed && was_told) || answers) && state_.owed == Reply::none) state_.owed = Reply::acknowledge;
  return {owed() != Reply::none, false, has_response(), is_young};
}

void Responder::tell(Span gap) {
  selective_->naks.push_back(gap);
  selective_->told = std::max(selective_->told, gap.end);
}

/// Whether an ask can be answered: one that came beyond a young gap waits until all before it is there, since until
/// then there is nothing to say.
bool Responder::note_ask(bool asks, Sequence at) {
  if (asks && !selective_->young.has_first_of(window_)) return true;
  if (asks) selective_->asks.push_back(at);
  return !selective_->asks.empty() &&
         std::erase_if(selective_->asks, [&](Sequence ask) { return ask < window_.cumulative(); }) > 0;
}

void Responder::gaps_grew_old(Time now) {
  if (!selective()) return;
  for (Span gap; !(gap = selective_->young.take_old(window_, now)).empty();) tell(gap);
}

void Responder::note_end(const Packet& packet, Sequence at) {
  const End end{places_of(packet, at), packet.payload, packet.tag, packet.operation};
  const auto place = std::upper_bound(selective_->ends.begin(), selective_->ends.end(), at,
                                      [](Sequence first, const End& other) { return first < other.places.first; });
  selective_->ends.insert(place, end);
}

/// Messages end, and READs begin, in the order of the stream.
void Responder::pass_ends() {
  auto end = selective_->ends.begin();
  for (; end != selective_->ends.end() && end->places.end <= window_.cumulative(); ++end) {
    if (end->operation == Operation::read) {
      execute(reads_, {end->places, end->places.first, end->payload, end->tag});
    } else if (notifies_receiver(end->operation)) {
      note_received(end->operation, end->payload, end->tag, end->places.first);
    }
    message_first_ = end->places.end;
  }
  selective_->ends.erase(selective_->ends.begin(), end);
}

void Responder::note_received(Operation operation, std::uint32_t payload, std::uint64_t tag, Sequence last) {
  const Bytes size = (last - message_first_) * config_.mtu + Bytes{payload};
  received_.push_back({size, tag, takes_receive(operation)});
}

/// A SEND takes its receive with its first packet, a WRITE with immediate with its last.
bool Responder::take_receive(const Packet& packet, Sequence at, Time now) {
  if (packet.kind != PacketKind::data || !takes_receive(packet.operation)) return true;
  if (!(packet.operation == Operation::send ? is_first(packet.position) : is_last(packet.position))) return true;
  Receives& receives = *receives_;
  for (; !receives.coming.empty() && receives.coming.front() <= now; receives.coming.pop_front()) ++receives.ready;
  // What is missing before it may need a receive each: they are not to wait for one that this message holds.
  if (receives.ready <= missing_before(at)) return false;
  --receives.ready;
  return true;
}

std::int64_t Responder::missing_before(Sequence at) const {
  std::int64_t missing = 0;
  for (Sequence from = window_.cumulative(); from < at;) {
    const Sequence gap = window_.next_missing(from);
    if (gap >= at) break;
    from = gap >= window_.highest() ? at : std::min(window_.next_arrived(gap), at);
    missing += from - gap;
  }
  return missing;
}

bool Responder::fill_reply(Packet& packet) {
  if (owes_acknowledge()) {
    fill_acknowledge(packet);
    return false;
  }
  fill_other_reply(packet);
  return owed() != Reply::none;
}

void Responder::fill_other_reply(Packet& packet) {
  const Sequence expected = window_.cumulative();
  packet.kind = PacketKind::acknowledge;
  packet.psn = psn_of(expected - 1);
  packet.count = static_cast<std::uint32_t>(window_.first_gap().size());
  packet.highest = psn_of(window_.highest());
  if (state_.owed == Reply::receiver_not_ready) {
    packet.kind = PacketKind::rnr_nak;
    packet.psn = psn_of(refused_.value_or(expected));
    state_.owed = Reply::none;
    return;
  }
  if (selective() && fill_gap(packet)) return;
  if (state_.owed == Reply::nak) {
    packet.kind = PacketKind::nak;
    packet.psn = psn_of(expected);
  }
  state_.owed = Reply::none;
}

/// Selective repeat: fills in the NAK of the next gap that is to be told of. Returns whether there is one.
bool Responder::fill_gap(Packet& packet) {
  if (selective_->young.has_first_of(window_)) {  // nobody's business yet, nor is what has come beyond it
    packet.count = 0;
    packet.highest = psn_of(window_.cumulative());
  }
  std::vector<Span>& naks = selective_->naks;
  while (!naks.empty()) {  // a gap may have closed while its NAK waited
    Span gap = naks.front();
    naks.erase(naks.begin());
    gap.first = window_.next_missing(gap.first);
    if (gap.empty()) continue;
    packet.kind = PacketKind::nak;
    packet.psn = psn_of(gap.first);
    packet.count = static_cast<std::uint32_t>(gap.size());
    return true;
  }
  return false;
}

void Responder::fill_response(Packet& packet, const FrameSizes& sizes) {
  const bool repeats = selective() && !selective_->repeated.empty();
  std::vector<Read>& from = repeats ? selective_->repeated : reads_;
  Read& read = from.front();
  const bool first = read.next == read.places.first;
  const bool last = read.next + 1 == read.places.end;
  packet.kind = PacketKind::read_response;
  packet.operation = Operation::read;
  packet.position = first ? (last ? PacketPosition::only : PacketPosition::first)
                          : (last ? PacketPosition::last : PacketPosition::middle);
  packet.psn = psn_of(read.next);
  packet.payload = last ? read.last_payload : static_cast<std::uint32_t>(sizes.mtu().count());
  packet.frame =
      static_cast<std::uint32_t>(sizes.data(Operation::read, packet.position, Bytes{packet.payload}).count());
  packet.tag = read.tag;
  packet.ack_request = false;
  ++read.next;
  if (last) from.erase(from.begin());
  state_.responding = !reads_.empty() || (selective() && !selective_->repeated.empty());
}

}  // namespace soya
