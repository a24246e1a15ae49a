// Which packets of a stream have arrived, in any order: a ring of bits from the first missing one to the highest.
// Simplifies: nothing; a place in the stream is marked once, whatever marks it again.
// Source: the bitmap of a NIC with out-of-order placement (NVIDIA ConnectX, "selective repeat"); docs/model.md
// section 6. Validated by tests/unit/transport/arrival_window_test.cpp against a set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "transport/psn.hpp"

namespace soya {

/// Places [first, end) of a stream.
struct Span {
  Sequence first{0};
  Sequence end{0};

  [[nodiscard]] std::int64_t size() const { return end - first; }
  [[nodiscard]] bool empty() const { return first >= end; }
  bool operator==(const Span&) const = default;
};

class ArrivalWindow {
 public:
  /// Nothing before `start` is missing. From the first missing place on, `size` (≥ 1) places can be told apart.
  ArrivalWindow(Sequence start, std::int64_t size);

  struct Arrival {
    enum class Kind : std::uint8_t {
      in_order,   ///< the first missing: `cumulative()` has moved
      duplicate,  ///< all of it has arrived before
      ahead,      ///< new, beyond what is missing, next to what has arrived
      opened,     ///< new, and `gap` before it is missing from now on
      filled,     ///< new, in a gap that is not the first place missing
      beyond,     ///< begins after the first missing place and ends outside the window: not marked
    } kind{Kind::in_order};
    Span gap;  ///< of `opened`
    [[nodiscard]] bool is_new() const { return kind != Kind::duplicate && kind != Kind::beyond; }
  };
  /// `count` (≥ 1) places from `first` on arrive together.
  Arrival receive(Sequence first, std::int64_t count = 1) {
    if (first == cumulative_ && cumulative_ == highest_) [[likely]] {
      cumulative_ = highest_ = first + count;
      return {};
    }
    return receive_out_of_order(first, count);
  }

  /// End of what has arrived without a gap.
  [[nodiscard]] Sequence cumulative() const { return cumulative_; }
  /// End of the highest that has arrived.
  [[nodiscard]] Sequence highest() const { return highest_; }
  [[nodiscard]] bool complete() const { return cumulative_ == highest_; }
  [[nodiscard]] bool has(Sequence at) const;
  /// The first gap; empty where nothing is missing before the highest.
  [[nodiscard]] Span first_gap() const { return {cumulative_, complete() ? cumulative_ : next_arrived(cumulative_)}; }
  /// The first place from `from` on that has arrived, at most `highest()`.
  [[nodiscard]] Sequence next_arrived(Sequence from) const;
  /// The first place from `from` on that is missing.
  [[nodiscard]] Sequence next_missing(Sequence from) const;

  [[nodiscard]] std::int64_t size() const { return size_; }
  /// Memory in use, which follows the largest span that was ever out of order.
  [[nodiscard]] std::size_t bytes() const { return words_.size() * sizeof(Word); }

 private:
  using Word = std::uint64_t;
  static constexpr std::int64_t bits = 64;

  Arrival receive_out_of_order(Sequence first, std::int64_t count);
  void advance();
  void reserve(std::int64_t span);
  void mark(Span places);
  [[nodiscard]] Word& word_at(Sequence at) { return words_[static_cast<std::size_t>(at >> 6) & mask_]; }
  [[nodiscard]] Word word_at(Sequence at) const { return words_[static_cast<std::size_t>(at >> 6) & mask_]; }
  [[nodiscard]] Sequence scan(Sequence from, Word flip) const;

  Sequence cumulative_;
  Sequence highest_;
  std::int64_t size_;
  std::vector<Word> words_;  // a power of two; bits outside [cumulative_, highest_) are 0
  std::size_t mask_{0};
};

}  // namespace soya
