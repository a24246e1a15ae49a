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
  [[nodiscard]] bool empty() const { return begin_ == end_; }
  [[nodiscard]] std::uint32_t size() const { return end_ - begin_; }

  /// The i-th entry, the oldest being 0. There are more than `i`.
  [[nodiscard]] Entry& operator[](std::uint32_t i) { return entries_[(begin_ + i) & mask_]; }
  [[nodiscard]] const Entry& operator[](std::uint32_t i) const { return entries_[(begin_ + i) & mask_]; }
  /// The oldest. The ring is not empty.
  [[nodiscard]] const Entry& front() const {
    SOYA_DCHECK(!empty(), "the front of an empty ring");
    return entries_[begin_ & mask_];
  }

  /// A place behind the newest, of unspecified content, for the caller to fill: field by field where it is hot, since
  /// g++ copies a whole entry in words that overlap, each of which waits for the one before.
  [[nodiscard]] Entry& push() {
    if (size() == capacity()) [[unlikely]]
      grow();
    return entries_[end_++ & mask_];
  }
  /// Fetches the place that the next `push` will fill; the oldest entry.
  void fetch_back() const { __builtin_prefetch(entries_.get() + (end_ & mask_), 1); }
  void fetch_front() const { __builtin_prefetch(entries_.get() + (begin_ & mask_)); }
  /// Forgets the oldest. The ring is not empty.
  void pop() {
    SOYA_DCHECK(!empty(), "a pop from an empty ring");
    ++begin_;
  }

 private:
  static constexpr std::uint32_t initial_capacity = 8;

  [[nodiscard]] std::uint32_t capacity() const { return mask_ + 1; }
  void grow() {
    const std::uint32_t larger = std::max(initial_capacity, 2 * capacity());
    auto entries = std::make_unique<Entry[]>(larger);
    const std::uint32_t count = size();
    for (std::uint32_t i = 0; i < count; ++i) entries[i] = (*this)[i];
    entries_ = std::move(entries);
    mask_ = larger - 1;
    begin_ = 0;
    end_ = count;
  }

  std::unique_ptr<Entry[]> entries_;
  // Of all entries that ever came, the ring holds those from `begin_` to `end_`; both wrap around 2^32.
  std::uint32_t begin_{0};
  std::uint32_t end_{0};
  std::uint32_t mask_{UINT32_MAX};  // the capacity, a power of two or zero, less one
};

}  // namespace soya
