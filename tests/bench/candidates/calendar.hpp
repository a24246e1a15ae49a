// Candidate: a calendar queue. Buckets are as wide as entries are apart, in intrusive lists by source; the bucket in
// use is sorted into an array; what lies beyond the year or before the next bucket waits in a small heap.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "heap4.hpp"
#include "key.hpp"

namespace soya::bench {

class Calendar {
 public:
  Calendar() { lay_out(64); }
  void resize_sources(std::size_t count) {
    slots_.assign(count, Slot{});
    heap_.resize_sources(count);
  }
  [[nodiscard]] std::size_t size() const { return size_; }

  void schedule(const Key& key) {
    Slot& slot = slots_[key.source];
    if (slot.place == Place::none)
      ++size_;
    else if (slot.place != Place::heap)
      take_out(key.source);
    const std::uint64_t bucket = key.time >> shift_;
    slot.time = key.time;
    slot.order = key.order;
    slot.rest = static_cast<std::uint8_t>(key.rest);
    if (bucket - today_ - 1 < mask_) {
      if (slot.place == Place::heap) heap_.cancel(key.source);
      slot.place = Place::bucket;
      return link(key.source, bucket & mask_);
    }
    slot.place = Place::heap;
    heap_.schedule(key);
  }

  void cancel(std::uint32_t source) {
    Slot& slot = slots_[source];
    if (slot.place == Place::none) return;
    if (slot.place == Place::heap)
      heap_.cancel(source);
    else
      take_out(source);
    slot.place = Place::none;
    --size_;
  }

  Key pop() {
    if (--until_tuning_ == 0) tune();
    while (front_ < day_.size() && day_[front_].source == removed) ++front_;
    if (front_ == day_.size()) next_day();
    --size_;
    if (front_ < day_.size() && (heap_.size() == 0 || before(day_[front_], heap_.front()))) {
      const Key key = day_[front_++];
      slots_[key.source].place = Place::none;
      now_ = key.time;
      return key;
    }
    const Key key = heap_.pop();
    slots_[key.source].place = Place::none;
    now_ = key.time;
    if (front_ == day_.size()) today_ = std::max(today_, now_ >> shift_);
    return key;
  }

 private:
  static constexpr std::uint32_t nil = UINT32_MAX;
  static constexpr std::uint32_t removed = UINT32_MAX;
  enum class Place : std::uint8_t { none, bucket, day, heap };
  struct Slot {
    std::uint64_t time{0};
    std::uint64_t order{0};
    std::uint32_t next{nil};
    std::uint32_t previous{nil};  // in a day: the position
    Place place{Place::none};
    std::uint8_t rest{0};
  };

  void link(std::uint32_t source, std::size_t bucket) {
    Slot& slot = slots_[source];
    slot.next = heads_[bucket];
    slot.previous = nil;
    if (slot.next != nil)
      slots_[slot.next].previous = source;
    else {
      bits_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
      summary_[bucket / 4096] |= std::uint64_t{1} << (bucket / 64 % 64);
    }
    heads_[bucket] = source;
  }

  void clear_bit(std::size_t bucket) {
    if ((bits_[bucket / 64] &= ~(std::uint64_t{1} << (bucket % 64))) == 0) {
      summary_[bucket / 4096] &= ~(std::uint64_t{1} << (bucket / 64 % 64));
    }
  }

  void take_out(std::uint32_t source) {
    Slot& slot = slots_[source];
    if (slot.place == Place::day) {
      day_[slot.previous].source = removed;
      return;
    }
    if (slot.next != nil) slots_[slot.next].previous = slot.previous;
    if (slot.previous != nil) {
      slots_[slot.previous].next = slot.next;
      return;
    }
    const std::size_t bucket = (slot.time >> shift_) & mask_;
    heads_[bucket] = slot.next;
    if (slot.next == nil) clear_bit(bucket);
  }

  /// First non-empty bucket at or after `from`, without wrapping; `nil` if none.
  [[nodiscard]] std::size_t find(std::size_t from) const {
    if (from > mask_) return nil;
    std::size_t word = from / 64;
    std::uint64_t bits = bits_[word] >> (from % 64) << (from % 64);
    if (bits != 0) return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    ++word;
    for (std::size_t top = word / 64; top < summary_.size(); ++top) {
      std::uint64_t words = summary_[top];
      if (top == word / 64) words = words >> (word % 64) << (word % 64);
      if (words == 0) continue;
      word = top * 64 + static_cast<std::size_t>(std::countr_zero(words));
      return word * 64 + static_cast<std::size_t>(std::countr_zero(bits_[word]));
    }
    return nil;
  }

  void next_day() {
    day_.clear();
    front_ = 0;
    const std::size_t start = (today_ + 1) & mask_;
    std::size_t bucket = find(start);
    if (bucket == nil) bucket = find(0);
    if (bucket == nil) return;
    const std::uint64_t number = today_ + 1 + ((bucket - start) & mask_);
    if (heap_.size() != 0 && (heap_.front().time >> shift_) < number) return;
    today_ = number;
    for (std::uint32_t source = heads_[bucket]; source != nil; source = slots_[source].next) {
      const Slot& slot = slots_[source];
      day_.push_back(Key{slot.time, slot.order, source, slot.rest});
    }
    heads_[bucket] = nil;
    clear_bit(bucket);
    if (day_.size() > 1) sort_day();
    for (std::size_t i = 0; i < day_.size(); ++i) {
      slots_[day_[i].source].place = Place::day;
      slots_[day_[i].source].previous = static_cast<std::uint32_t>(i);
    }
  }

  void sort_day() {
    if (day_.size() > 12) {
      std::sort(day_.begin(), day_.end(), [](const Key& a, const Key& b) { return before(a, b); });
      return;
    }
    for (std::size_t i = 1; i < day_.size(); ++i) {
      const Key key = day_[i];
      std::size_t j = i;
      for (; j > 0 && before(key, day_[j - 1]); --j) day_[j] = day_[j - 1];
      day_[j] = key;
    }
  }

  void lay_out(std::size_t buckets) {
    mask_ = buckets - 1;
    heads_.assign(buckets, nil);
    bits_.assign((buckets + 63) / 64, 0);
    summary_.assign((buckets + 4095) / 4096, 0);
  }

  void tune() {
    const std::uint64_t gap = std::max<std::uint64_t>(1, (now_ - tuned_at_) / period_);
    tuned_at_ = now_;
    period_ = std::max<std::size_t>(512, size_);
    until_tuning_ = period_;
    const auto shift = static_cast<unsigned>(std::bit_width(gap));
    const std::size_t buckets = std::max<std::size_t>(64, 4 * std::bit_ceil(size_));
    const bool shift_off = shift > shift_ + 1 || shift + 1 < shift_;
    const bool buckets_off = buckets > 2 * (mask_ + 1) || buckets * 4 < mask_ + 1;
    if (shift_off || buckets_off) rebuild(shift, buckets);
  }

  void rebuild(unsigned shift, std::size_t buckets) {
    shift_ = shift;
    lay_out(buckets);
    today_ = now_ >> shift_;
    day_.clear();
    front_ = 0;
    for (std::uint32_t source = 0; source < slots_.size(); ++source) {
      Slot& slot = slots_[source];
      if (slot.place == Place::none) continue;
      if (slot.place == Place::heap) heap_.cancel(source);
      slot.place = Place::none;
      --size_;
      schedule(Key{slot.time, slot.order, source, slot.rest});
    }
  }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> summary_;
  std::vector<Key> day_;
  std::size_t front_{0};
  Heap4 heap_;
  std::uint64_t today_{0};
  std::uint64_t mask_{0};
  unsigned shift_{18};
  std::size_t size_{0};
  std::uint64_t now_{0};
  std::uint64_t tuned_at_{0};
  std::size_t period_{512};
  std::size_t until_tuning_{512};
};

}  // namespace soya::bench
