// When each rank began and ended each collective of a job, and what that says of a collective as a whole.
// Simplifies: the collectives of a job follow one another on every rank, in the same order.
// Source: docs/model.md section 8. Validated by tests/unit/workload/all_reduce_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/units.hpp"

namespace soya {

class CollectiveLog {
 public:
  struct Span {
    Time begun;
    Time ended{Time::never()};
  };

  explicit CollectiveLog(int ranks) : by_rank_(static_cast<std::size_t>(ranks)) {}

  void begun(int rank, Time now) { by_rank_[static_cast<std::size_t>(rank)].push_back({now, Time::never()}); }
  void ended(int rank, Time now) { by_rank_[static_cast<std::size_t>(rank)].back().ended = now; }

  /// Collectives that `rank` has begun.
  [[nodiscard]] std::size_t count(int rank) const { return by_rank_[static_cast<std::size_t>(rank)].size(); }
  [[nodiscard]] const Span& of(int rank, std::size_t collective) const {
    return by_rank_[static_cast<std::size_t>(rank)][collective];
  }
  /// Whether a collective that `rank` has begun has not ended there.
  [[nodiscard]] bool running(int rank) const {
    const std::vector<Span>& spans = by_rank_[static_cast<std::size_t>(rank)];
    return !spans.empty() && spans.back().ended == Time::never();
  }
  /// From the first rank's begin to the last rank's end; absent until all ranks have ended.
  [[nodiscard]] std::optional<Span> whole(std::size_t collective) const {
    Span whole{Time::never(), Time{INT64_MIN}};
    for (const std::vector<Span>& spans : by_rank_) {
      if (collective >= spans.size() || spans[collective].ended == Time::never()) return std::nullopt;
      whole.begun = std::min(whole.begun, spans[collective].begun);
      whole.ended = std::max(whole.ended, spans[collective].ended);
    }
    return whole;
  }

 private:
  std::vector<std::vector<Span>> by_rank_;
};

}  // namespace soya
