#include "transport/resend_list.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace soya {

/// Index of the first range that ends after `at`.
std::size_t ResendList::first_after(Sequence at) const {
  const auto found = std::upper_bound(ranges_.begin(), ranges_.end(), at,
                                      [](Sequence place, const Range& range) { return place < range.places.end; });
  return static_cast<std::size_t>(found - ranges_.begin());
}

void ResendList::insert(std::size_t index, const Range& range) {
  ranges_.insert(ranges_.begin() + static_cast<std::ptrdiff_t>(index), range);
  if (range.due) ++due_;
}

void ResendList::erase(std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) {
    if (ranges_[i].due) --due_;
  }
  ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(first),
                ranges_.begin() + static_cast<std::ptrdiff_t>(end));
}

/// No range has `at` inside afterwards.
void ResendList::cut(Sequence at) {
  const std::size_t i = first_after(at);
  if (i == ranges_.size() || ranges_[i].places.first >= at) return;
  Range rest = ranges_[i];
  rest.places.first = at;
  ranges_[i].places.end = at;
  insert(i + 1, rest);
}

bool ResendList::covers(Sequence at) const {
  const std::size_t i = first_after(at);
  return i < ranges_.size() && ranges_[i].places.first <= at;
}

void ResendList::add(Span missing) {
  std::size_t i = first_after(missing.first);
  while (!missing.empty()) {
    const bool is_last = i == ranges_.size() || ranges_[i].places.first >= missing.end;
    const Sequence end = is_last ? missing.end : ranges_[i].places.first;
    if (missing.first < end) insert(i++, {{missing.first, end}, 0, true});
    if (is_last) return;
    missing.first = std::max(missing.first, ranges_[i++].places.end);
  }
}

Span ResendList::next() const {
  for (const Range& range : ranges_) {
    if (range.due) return range.places;
  }
  SOYA_CHECK(false, "a list with something to send again has a first place");
  return {};
}

void ResendList::sent(Sequence end, Sequence position) {
  const Span places = next();
  cut(end);
  const std::size_t i = first_after(places.first);
  ranges_[i].due = false;
  --due_;
  ranges_[i].position = position;
  oldest_position_ = std::min(oldest_position_, position);
  if (i == 0) return;
  Range& before = ranges_[i - 1];
  if (before.due || before.position != position || before.places.end != places.first) return;
  before.places.end = ranges_[i].places.end;
  erase(i, i + 1);
}

void ResendList::drop(Sequence end) {
  const Span places = next();
  forget({places.first, std::min(end, places.end)});
}

void ResendList::forget_before(Sequence end) {
  if (ranges_.empty() || ranges_.front().places.first >= end) return;
  cut(end);
  erase(0, first_after(end));
}

void ResendList::forget(Span places) {
  if (places.empty() || ranges_.empty()) return;
  cut(places.first);
  cut(places.end);
  const std::size_t first = first_after(places.first);
  std::size_t end = first;
  while (end < ranges_.size() && ranges_[end].places.first < places.end) ++end;
  erase(first, end);
}

void ResendList::missing_still(Span missing, Sequence arrived_end) {
  if (arrived_end <= oldest_position_ || missing.empty()) return;
  cut(missing.first);
  cut(missing.end);
  for (std::size_t i = first_after(missing.first); i < ranges_.size() && ranges_[i].places.first < missing.end; ++i) {
    if (ranges_[i].due || ranges_[i].position >= arrived_end) continue;
    ranges_[i].due = true;
    ++due_;
  }
  found_oldest();
}

void ResendList::send_all_again() {
  for (Range& range : ranges_) range.due = true;
  due_ = ranges_.size();
  oldest_position_ = INT64_MAX;
}

void ResendList::found_oldest() {
  oldest_position_ = INT64_MAX;
  for (const Range& range : ranges_) {
    if (!range.due) oldest_position_ = std::min(oldest_position_, range.position);
  }
}

}  // namespace soya
