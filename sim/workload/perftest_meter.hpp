// What perftest measures: peak and average bandwidth from the times of posts and completions, and half round trips.
// Simplifies: clocks are exact, so a peak is not rounded to cycles.
// Source: linux-rdma/perftest, src/perftest_parameters.c (print_report_bw, print_report_lat); no peak beyond 20 000
// iterations, as its manual says. Validated by tests/unit/workload/perftest_meter_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/units.hpp"
#include "workload/job.hpp"

namespace soya {

class BandwidthMeter {
 public:
  struct Setup {
    std::int64_t window{1};  ///< messages of all queue pairs that make up one window
    bool peak{true};         ///< whether every time is kept to find the peak
  };
  explicit BandwidthMeter(const Setup& setup) : setup_{setup} {}

  /// A message is posted.
  void posted(Time now);
  /// `messages` more are known to be complete.
  void completed(std::int64_t messages, Time now);

  [[nodiscard]] std::int64_t messages_completed() const { return completed_; }
  [[nodiscard]] MessageSpan average() const { return {completed_, last_ - first_.value_or(last_)}; }
  /// Of every span from a post to a completion behind it the one with the most messages per time, those between counted
  /// as perftest does: by number, whatever queue pair they are of.
  [[nodiscard]] std::optional<MessageSpan> peak() const;
  /// The whole windows after the first.
  [[nodiscard]] std::optional<MessageSpan> steady() const;

 private:
  struct Mark {
    std::int64_t completed{0};
    Time at;
  };
  [[nodiscard]] MessageSpan better_than(const MessageSpan& span) const;

  Setup setup_;
  std::int64_t completed_{0};
  std::optional<Time> first_;
  Time last_;
  std::optional<Mark> window_begin_;
  std::optional<Mark> window_end_;
  std::vector<Time> posts_;
  std::vector<Mark> completions_;
};

/// perftest's figures of the times between the posts of a ping-pong. At least 3 of them.
[[nodiscard]] HalfRoundTrips half_round_trips(std::vector<Duration> between_posts);

}  // namespace soya
