// A queue in a ring that doubles when it is full and keeps its size: first in, first out, and the i-th oldest at hand.
// Simplifies: nothing. Entries are plain values; the ring is made when the first one comes.
// Source: none needed. Validated by tests/unit/core/ring_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/check.hpp"

namespace soya {

template <class Entry>
class Ring final {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint32_t size() const { return count_; }

  /// The i-th entry, the oldest being 0. There are more than `i`.
  [[nodiscard]] Entry& operator[](std::uint32_t i) { return entries_[slot(i)]; }
  [[nodiscard]] const Entry& operator[](std::uint32_t i) const { return entries_[slot(i)]; }
  /// The oldest. The ring is not empty.
  [[nodiscard]] const Entry& front() const {
    SOYA_DCHECK(count_ > 0, "the front of an empty ring");
    return entries_[head_];
  }

  /// A place behind the newest, of unspecified content, for the caller to fill: field by field where it is hot, since
  /// g++ copies a whole entry in words that overlap, each of which waits for the one before.
  [[nodiscard]] Entry& push() {
    if (count_ == capacity_) [[unlikely]]
      grow();
    return entries_[slot(count_++)];
  }
  /// Forgets the oldest. The ring is not empty.
  void pop() {
    SOYA_DCHECK(count_ > 0, "a pop from an empty ring");
    head_ = slot(1);
    --count_;
  }

 private:
  static constexpr std::uint32_t initial_capacity = 8;

  [[nodiscard]] std::uint32_t slot(std::uint32_t i) const { return (head_ + i) & (capacity_ - 1); }
  void grow() {
    const std::uint32_t larger = std::max(initial_capacity, 2 * capacity_);
    auto entries = std::make_unique<Entry[]>(larger);
    for (std::uint32_t i = 0; i < count_; ++i) entries[i] = entries_[slot(i)];
    entries_ = std::move(entries);
    capacity_ = larger;
    head_ = 0;
  }

  std::unique_ptr<Entry[]> entries_;
  std::uint32_t capacity_{0};  // a power of two
  std::uint32_t head_{0};
  std::uint32_t count_{0};
};

}  // namespace soya
