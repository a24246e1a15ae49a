#include "workload/perftest_meter.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace soya {

void BandwidthMeter::posted(Time now) {
  if (!first_) first_ = now;
  if (setup_.peak) posts_.push_back(now);
}

void BandwidthMeter::completed(std::int64_t messages, Time now) {
  completed_ += messages;
  last_ = now;
  if (setup_.peak) completions_.push_back({completed_, now});
  if (!window_begin_ && completed_ >= setup_.window) {
    window_begin_ = Mark{completed_, now};
  } else if (window_begin_ && (completed_ - window_begin_->completed) % setup_.window == 0) {
    window_end_ = Mark{completed_, now};
  }
}

std::optional<MessageSpan> BandwidthMeter::steady() const {
  if (!window_end_) return std::nullopt;
  return MessageSpan{window_end_->completed - window_begin_->completed, window_end_->at - window_begin_->at};
}

/// The span that is ahead of `span` by most, of all posts and the completions behind them; `span` itself where none is.
///
/// A span of n messages from post i to completion j beats one of N in T when N (c[j] - p[i]) - T n < 0: with
/// n = j - i + 1, the best i for each j is the one with the largest N p[i] - T i.
MessageSpan BandwidthMeter::better_than(const MessageSpan& span) const {
  const auto weighed = [&](Time at, std::int64_t ordinal) {
    return Int128{span.messages} * at.picoseconds() - Int128{span.time.picoseconds()} * ordinal;
  };
  MessageSpan best = span;
  Int128 best_lead = 0;
  std::size_t begin = 0;
  std::size_t next = 0;
  for (const Mark& mark : completions_) {
    for (; next < static_cast<std::size_t>(mark.completed); ++next) {
      const auto ordinal = static_cast<std::int64_t>(next);
      if (weighed(posts_[next], ordinal) > weighed(posts_[begin], static_cast<std::int64_t>(begin))) begin = next;
    }
    const Int128 lead = weighed(mark.at, mark.completed) - weighed(posts_[begin], static_cast<std::int64_t>(begin));
    if (lead >= best_lead) continue;
    best_lead = lead;
    best = {mark.completed - static_cast<std::int64_t>(begin), mark.at - posts_[begin]};
  }
  return best;
}

std::optional<MessageSpan> BandwidthMeter::peak() const {
  if (completions_.empty()) return std::nullopt;
  // Each round finds a better span than the last until there is none: perftest's two nested loops, in a few passes.
  MessageSpan found = average();
  while (true) {
    const MessageSpan better = better_than(found);
    if (better.messages == found.messages && better.time == found.time) return found;
    found = better;
  }
}

HalfRoundTrips half_round_trips(std::vector<Duration> between_posts) {
  constexpr std::size_t tail = 2;
  SOYA_CHECK(between_posts.size() > tail, "perftest leaves out the two longest of at least three times");
  std::sort(between_posts.begin(), between_posts.end());
  const std::size_t count = between_posts.size() - tail;
  const auto half = [&](std::size_t rank) { return static_cast<double>(between_posts[rank].picoseconds()) / 2e6; };
  const auto share = [&](double part) {
    return half(static_cast<std::size_t>(std::ceil(static_cast<double>(count) * part)));
  };

  HalfRoundTrips times;
  times.shortest_us = half(0);
  times.longest_us = half(count);
  times.typical_us = count % 2 == 0 ? (half(count / 2) + half(count / 2 - 1)) / 2 : half(count / 2);
  for (std::size_t rank = 0; rank < count; ++rank) times.average_us += half(rank);
  times.average_us /= static_cast<double>(count);
  double squares = 0;
  for (std::size_t rank = 0; rank < count; ++rank) squares += std::pow(half(rank) - times.average_us, 2);
  times.deviation_us = std::sqrt(squares / static_cast<double>(count));
  times.p99_us = share(0.99);
  times.p99_9_us = share(0.999);
  return times;
}

}  // namespace soya
