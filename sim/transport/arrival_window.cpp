#include "transport/arrival_window.hpp"

#include <algorithm>
#include <bit>

#include "core/check.hpp"

namespace soya {

namespace {

constexpr std::uint64_t all_ones = ~std::uint64_t{0};

/// Bits `from` to 63 of a word.
[[nodiscard]] std::uint64_t bits_from(std::int64_t from) {
  return all_ones << (from & 63);
}

}  // namespace

ArrivalWindow::ArrivalWindow(Sequence start, std::int64_t size) : cumulative_{start}, highest_{start}, size_{size} {
  SOYA_CHECK(size >= 1, "a window has a place");
}

bool ArrivalWindow::has(Sequence at) const {
  if (at < cumulative_ || at >= highest_) return at < cumulative_;
  return ((word_at(at) >> (at & 63)) & 1U) != 0;
}

ArrivalWindow::Arrival ArrivalWindow::receive_out_of_order(Sequence first, std::int64_t count) {
  using Kind = Arrival::Kind;
  const Sequence end = first + count;
  if (first > cumulative_ && end > cumulative_ + size_) return {Kind::beyond, {}};
  if (next_missing(first) >= end) return {Kind::duplicate, {}};
  Arrival arrival;
  if (first > highest_) {
    arrival = {Kind::opened, {highest_, first}};
  } else {
    arrival.kind = end > highest_ ? Kind::ahead : Kind::filled;
  }
  if (first <= cumulative_) arrival.kind = Kind::in_order;
  reserve(std::max(end, highest_) - cumulative_);
  mark({std::max(first, cumulative_), end});
  highest_ = std::max(highest_, end);
  if (arrival.kind == Kind::in_order) advance();
  return arrival;
}

/// The first missing place has arrived: its neighbours may have, too.
void ArrivalWindow::advance() {
  const Sequence missing = next_missing(cumulative_);
  for (Sequence at = cumulative_; at < missing;) {
    const Sequence next = std::min((at | (bits - 1)) + 1, missing);
    Word gone = bits_from(at);
    if ((next & (bits - 1)) != 0) gone &= ~bits_from(next);
    word_at(at) &= ~gone;
    at = next;
  }
  cumulative_ = missing;
}

void ArrivalWindow::mark(Span places) {
  for (Sequence at = places.first; at < places.end;) {
    const Sequence next = std::min((at | (bits - 1)) + 1, places.end);
    Word there = bits_from(at);
    if ((next & (bits - 1)) != 0) there &= ~bits_from(next);
    word_at(at) |= there;
    at = next;
  }
}

Sequence ArrivalWindow::next_arrived(Sequence from) const {
  if (from < cumulative_) return from;
  return from >= highest_ ? highest_ : std::min(scan(from, 0), highest_);
}

Sequence ArrivalWindow::next_missing(Sequence from) const {
  const Sequence at = std::max(from, cumulative_);
  return at >= highest_ ? at : std::min(scan(at, all_ones), highest_);
}

/// The first place from `from` on whose bit, changed by `flip`, is set; `highest_` or more where none is.
Sequence ArrivalWindow::scan(Sequence from, Word flip) const {
  for (Sequence at = from; at < highest_; at = (at | (bits - 1)) + 1) {
    const Word found = (word_at(at) ^ flip) & bits_from(at);
    if (found != 0) return (at & ~(bits - 1)) + std::countr_zero(found);
  }
  return highest_;
}

/// Makes room for `span` places from `cumulative_` on, which may begin in the middle of a word.
void ArrivalWindow::reserve(std::int64_t span) {
  const auto needed = static_cast<std::size_t>(span / bits + 2);
  if (needed <= words_.size()) return;
  std::vector<Word> larger(std::bit_ceil(std::max<std::size_t>(needed, 16)));
  const std::size_t mask = larger.size() - 1;
  for (Sequence at = cumulative_; at < highest_; at = (at | (bits - 1)) + 1) {
    larger[static_cast<std::size_t>(at >> 6) & mask] = word_at(at);
  }
  words_ = std::move(larger);
  mask_ = mask;
}

}  // namespace soya
