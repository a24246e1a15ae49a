// Candidate: an indexed 4-ary heap. A pop leaves its hole at the root for the schedule that usually follows.
#pragma once

#include <cstddef>
#include <vector>

#include "key.hpp"

namespace soya::bench {

class Heap4 {
 public:
  void resize_sources(std::size_t count) { position_.assign(count, absent); }
  [[nodiscard]] std::size_t size() const { return heap_.size() - (hole_ ? 1U : 0U); }

  void schedule(const Key& key) {
    const std::uint32_t position = position_[key.source];
    if (position != absent) {
      if (before(key, heap_[position])) return sift_up(position, key);
      return sift_down(position, key);
    }
    if (hole_) {
      hole_ = false;
      return sift_down(0, key);
    }
    heap_.push_back(key);
    sift_up(heap_.size() - 1, key);
  }

  /// The earliest key; the heap is not empty.
  const Key& front() {
    close_hole();
    return heap_.front();
  }

  void cancel(std::uint32_t source) {
    close_hole();
    if (position_[source] != absent) remove(position_[source]);
  }

  Key pop() {
    close_hole();
    const Key first = heap_.front();
    position_[first.source] = absent;
    hole_ = true;
    return first;
  }

 private:
  static constexpr std::uint32_t absent = UINT32_MAX;

  void close_hole() {
    if (!hole_) return;
    hole_ = false;
    remove(0);
  }

  void remove(std::size_t position) {
    position_[heap_[position].source] = absent;
    const Key last = heap_.back();
    heap_.pop_back();
    if (position == heap_.size()) return;
    if (position > 0 && before(last, heap_[(position - 1) / 4])) return sift_up(position, last);
    sift_down(position, last);
  }

  void place(std::size_t position, const Key& key) {
    heap_[position] = key;
    position_[key.source] = static_cast<std::uint32_t>(position);
  }

  void sift_up(std::size_t position, Key key) {
    // A hole at the root still holds the key that was popped, which nothing precedes.
    while (position > 0) {
      const std::size_t parent = (position - 1) / 4;
      if (!before(key, heap_[parent])) break;
      place(position, heap_[parent]);
      position = parent;
    }
    place(position, key);
  }

  void sift_down(std::size_t position, Key key) {
    for (;;) {
      const std::size_t first = 4 * position + 1;
      if (first >= heap_.size()) break;
      std::size_t best = first;
      const std::size_t end = first + 4 < heap_.size() ? first + 4 : heap_.size();
      for (std::size_t child = first + 1; child < end; ++child) best = before(heap_[child], heap_[best]) ? child : best;
      if (!before(heap_[best], key)) break;
      place(position, heap_[best]);
      position = best;
    }
    place(position, key);
  }

  std::vector<Key> heap_;
  std::vector<std::uint32_t> position_;
  bool hole_{false};
};

}  // namespace soya::bench
