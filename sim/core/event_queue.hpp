// The pending events of a simulation, at most one per source, in an order that is a function of the scenario alone.
// Simplifies: nothing. Order: (time, phase, mix(mix(seed, name), time)); never insertion, ids or addresses.
// Source: docs/architecture.md, "Event order". A winner tree (Knuth, TAOCP 3, 5.4.1) of words:
// docs/event-queue.md. Validated by tests/unit/core/event_queue_test.cpp against a sorted vector.
#pragma once

#include <algorithm>
#include <boost/align/aligned_allocator.hpp>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "core/check.hpp"
#include "core/event.hpp"
#include "core/hash.hpp"
#include "core/ids.hpp"
#include "core/units.hpp"

namespace soya {

/// For one time, `mix` is a bijection of a source's name hash: two sources never tie, and no fourth criterion is
/// needed.
class EventQueue {
 public:
  struct Fired {
    Time time;
    Event event;
    SourceId source;
    Phase phase{};
    std::uint64_t identity{0};  ///< of the source: a function of the seed and its name, whatever its number

    [[nodiscard]] EventKey key() const { return key_of(time, phase, identity); }
  };

  explicit EventQueue(std::uint64_t seed);

  /// The place in the order of an event of the source with this identity.
  [[nodiscard]] static EventKey key_of(Time at, Phase phase, std::uint64_t identity) {
    return {at, phase, mix(identity + static_cast<std::uint64_t>(at.picoseconds()))};
  }

  /// Registers a source, before or during a run. `name_hash` is `hash_name` of the component's name, unique.
  SourceId add_source(std::uint64_t name_hash, Event event);

  /// Sets the pending entry of `source`, replacing the one it has. (`at`, `phase`) lies after the last event popped.
  void schedule(SourceId source, Time at, Phase phase);

  /// Removes the pending entry of `source`, if there is one.
  void cancel(SourceId source);

  /// Removes and returns the earliest entry. The queue is not empty.
  Fired pop();
  /// Hands the earliest entry to `handle` if it lies before `end`; returns whether it did.
  template <class Handle>
  bool pop_before(const EventKey& end, Handle handle);

  [[nodiscard]] bool pending(SourceId source) const { return sources_[source.index()].leaf != absent; }
  /// When `source` fires; `Time::never()` when nothing is pending.
  [[nodiscard]] Time time_of(SourceId source) const {
    return pending(source) ? sources_[source.index()].time : Time::never();
  }
  /// When the earliest entry fires; `Time::never()` when the queue is empty.
  [[nodiscard]] Time next_time();
  /// The place of the earliest entry in the order; behind every event when the queue is empty.
  [[nodiscard]] EventKey next_key();
  /// Whether the earliest entry lies before `end`.
  [[nodiscard]] bool is_next_before(const EventKey& end) {
    const Time next = next_time();
    return next < end.time || (next == end.time && next_key() < end);
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t peak_size() const { return peak_size_; }
  [[nodiscard]] std::uint64_t popped() const { return popped_; }

 private:
  // A node of the tree is one word: 0, 32 bits of time since `base_`, 3 bits of phase, 28 bits of which the lowest
  // are the source and the others the first bits of mix. All but the source decide nearly every match;
  // words that differ in the source alone are compared in full. What lies beyond 2^32 ps (4.3 ms) is `far`, one and the
  // same time to the tree, and `base_` moves once half of that has passed.
  using Word = std::uint64_t;
  static constexpr unsigned phase_bits = 3;
  static constexpr unsigned tail_bits = 28;
  static constexpr std::size_t fewest_sources = 16;
  static constexpr std::uint64_t span = std::uint64_t{1} << 32;
  static constexpr Word far = (span << (phase_bits + tail_bits)) - 1;
  static constexpr Word vacant = Word{1} << 63;  // plus the leaf in front of the source, so that no two are equal
  static constexpr std::uint32_t absent = UINT32_MAX;
  static constexpr std::size_t root = 1;

  struct alignas(32) Source {
    EventKind kind{};
    Phase phase{};
    std::uint32_t object{0};
    std::uint32_t part{0};
    std::uint32_t leaf{absent};
    std::uint64_t salt{0};
    Time time;
  };
  /// Node n of the tree is word n, its rival n ^ 1, its parent n / 2; the alignment keeps rivals in one cache line.
  using Nodes = std::vector<Word, boost::alignment::aligned_allocator<Word, 64>>;

  /// Picoseconds since `base_`; beyond every span for a time before it.
  [[nodiscard]] std::uint64_t since_base(Time at) const {
    return static_cast<std::uint64_t>(at.picoseconds()) - static_cast<std::uint64_t>(base_.picoseconds());
  }
  [[nodiscard]] Word word_of(SourceId id, Time at, Phase phase) const;
  [[nodiscard]] Word far_word_of(SourceId id, Time at) const;
  [[nodiscard]] static Word vacant_word(std::size_t leaf) { return vacant | (Word{leaf} << tail_bits); }
  [[nodiscard]] Word earlier(Word a, Word b) const;
  [[nodiscard]] bool precedes_in_full(Word a, Word b) const;
  [[nodiscard]] std::size_t leaf_count() const { return nodes_.size() / 2; }
  enum class Climb { to_the_root, while_changing };
  template <Climb climb>
  void replay(std::size_t node, Word word);
  [[nodiscard]] std::uint32_t take_leaf();
  void close_hole();
  Fired take_root();
  void vacate(std::uint32_t leaf);
  void rebuild(std::size_t leaves) { rebuild(leaves, source_mask_); }
  void rebuild(std::size_t leaves, Word source_mask);

  std::uint64_t seed_;
  std::vector<Source> sources_;
  Nodes nodes_;                           // twice as many as there are leaves; word 0 is not used
  std::uint32_t hole_{absent};            // leaf of the last pop, which still holds its word
  Word source_mask_{fewest_sources - 1};  // the bits of a word that hold the source
  Word earliest_{0};                      // no word before this one may be scheduled
  Time base_;
  std::size_t size_{0};
  std::size_t peak_size_{0};
  std::uint64_t popped_{0};
  std::vector<std::uint32_t> free_leaves_;
  std::unordered_set<std::uint64_t> names_;  // only ever asked for membership
};

inline EventQueue::Word EventQueue::word_of(SourceId id, Time at, Phase phase) const {
  const std::uint64_t since = since_base(at);
  if (since >= span - 1) [[unlikely]]
    return far_word_of(id, at);
  const std::uint64_t mixed = mix(sources_[id.index()].salt + static_cast<std::uint64_t>(at.picoseconds()));
  const Word tail = ((mixed >> (64 - tail_bits)) & ~source_mask_) | id.value();
  return (((since << phase_bits) | static_cast<std::uint64_t>(phase)) << tail_bits) | tail;
}

/// The winner of a match. Which of two rivals is earlier is a coin toss to the processor: a minimum of two words needs
/// no branch.
inline EventQueue::Word EventQueue::earlier(Word a, Word b) const {
  if ((a ^ b) <= source_mask_) [[unlikely]]
    return precedes_in_full(a, b) ? a : b;
  return std::min(a, b);
}

/// Writes a word at `node` and carries the winner of each match towards the root.
template <EventQueue::Climb climb>
void EventQueue::replay(std::size_t node, Word word) {
  Word* const nodes = nodes_.data();
  for (;;) {
    if constexpr (climb == Climb::while_changing) {
      // Nothing above changes, unless a far entry has moved behind its unchanged word.
      if (nodes[node] == word && (word | source_mask_) != far) return;
    }
    nodes[node] = word;
    if (node == root) return;
    word = earlier(nodes[node ^ 1], word);
    node >>= 1;
  }
}

inline std::uint32_t EventQueue::take_leaf() {
  if (free_leaves_.empty()) [[unlikely]]
    rebuild(2 * leaf_count());
  const std::uint32_t leaf = free_leaves_.back();
  free_leaves_.pop_back();
  return leaf;
}

inline void EventQueue::schedule(SourceId id, Time at, Phase phase) {
  Source& source = sources_[id.index()];
  const Word word = word_of(id, at, phase);
  SOYA_CHECK(word >= earliest_, "an event is scheduled at or before the present");
  source.time = at;
  source.phase = phase;
  if (source.leaf == absent) {
    peak_size_ = std::max(peak_size_, ++size_);
    // Most handlers schedule: one replay from the leaf of the last pop removes its entry and inserts this one.
    if (hole_ != absent) {
      source.leaf = hole_;
      hole_ = absent;
      return replay<Climb::to_the_root>(source.leaf, word);
    }
    source.leaf = take_leaf();
  }
  replay<Climb::while_changing>(source.leaf, word);
}

inline Time EventQueue::next_time() {
  if (empty()) return Time::never();
  if (hole_ != absent) close_hole();
  return sources_[nodes_[root] & source_mask_].time;
}

inline EventKey EventQueue::next_key() {
  if (empty()) return {Time::never(), Phase::sample, UINT64_MAX};
  if (hole_ != absent) close_hole();
  const Source& source = sources_[nodes_[root] & source_mask_];
  return key_of(source.time, source.phase, source.salt);
}

inline EventQueue::Fired EventQueue::pop() {
  SOYA_CHECK(size_ > 0, "pop from an empty event queue");
  if (hole_ != absent) close_hole();
  return take_root();
}

template <class Handle>
bool EventQueue::pop_before(const EventKey& end, Handle handle) {
  if (size_ == 0) return false;
  if (hole_ != absent) close_hole();
  const Source& first = sources_[nodes_[root] & source_mask_];
  if (first.time >= end.time) [[unlikely]] {
    if (!(key_of(first.time, first.phase, first.salt) < end)) return false;
  }
  handle(take_root());
  return true;
}

inline EventQueue::Fired EventQueue::take_root() {
  const std::size_t id = nodes_[root] & source_mask_;
  Source& source = sources_[id];
  hole_ = source.leaf;
  source.leaf = absent;
  --size_;
  ++popped_;
  if (since_base(source.time) >= span / 2) [[unlikely]] {
    base_ = source.time;
    rebuild(leaf_count());
  }
  earliest_ = ((since_base(source.time) << phase_bits) + static_cast<std::uint64_t>(source.phase) + 1) << tail_bits;
  return Fired{source.time, Event{source.kind, source.object, source.part}, SourceId{id}, source.phase, source.salt};
}

}  // namespace soya
