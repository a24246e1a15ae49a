// The pending events of a simulation, at most one per source, in an order that is a function of the scenario alone.
// Simplifies: nothing. Order: (time, phase, mix(mix(seed, name), time)); never insertion, ids or addresses.
// Source: docs/architecture.md, "Event order". A winner tree (Knuth, TAOCP 3, 5.4.1) of words:
// docs/event-queue.md. Validated by tests/unit/core/event_queue_test.cpp against a sorted vector.
#pragma once

#include <algorithm>
#include <bit>
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
    const std::uint64_t bits = mixed(identity, at);
    return {at, phase, bits ^ (bits >> 31)};
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

  /// Appends the sources that fire before `end`, in no order.
  void pending_before(Time end, std::vector<SourceId>& sources) const;
  [[nodiscard]] Event event_of(SourceId source) const {
    const Source& own = sources_[source.index()];
    return {own.kind, own.object, own.part};
  }
  /// Fetches what `schedule` and `event_of` will read.
  void fetch(SourceId source) const { __builtin_prefetch(&sources_[source.index()], 1); }

  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const { return taken_ - (hole_ != absent ? 1 : 0); }
  [[nodiscard]] std::size_t peak_size() const { return peak_size_; }

  // What has been popped.
  [[nodiscard]] std::uint64_t popped() const { return popped_; }
  /// The place of the last entry popped in the order.
  [[nodiscard]] EventKey last_key() const;
  /// A sum over all entries popped of a word that time, phase and source make. Their places in the order are functions
  /// of the same, so the sum says as much as their sequence, and sums of queues add up to that of a run.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  // A node of the tree is one word: 0, 32 bits of time since `base_`, 3 bits of phase, 28 bits of which the lowest
  // are the source and the others the first bits of mix. All but the source decide nearly every match;
  // words that differ in the source alone are compared in full. What lies beyond 2^32 ps (4.3 ms) is `far`, one and the
  // same time to the tree, and `base_` moves once half of that has passed.
  using Word = std::uint64_t;
  static constexpr unsigned phase_bits = 3;
  static constexpr unsigned tail_bits = 28;
  static constexpr std::uint64_t tail_mask = (std::uint64_t{1} << tail_bits) - 1;
  static constexpr std::size_t fewest_sources = 16;
  static constexpr std::uint64_t span = std::uint64_t{1} << 32;
  static constexpr Word far = (span << (phase_bits + tail_bits)) - 1;
  static constexpr Word distant = (span / 2) << (phase_bits + tail_bits);  // the base moves before one is popped
  static constexpr Word vacant = Word{1} << 63;  // plus the leaf in front of the source, so that no two are equal
  static constexpr std::uint32_t absent = UINT32_MAX;
  static constexpr std::size_t root = 1;

  struct alignas(32) Source {
    EventKind kind{};
    Phase phase{};
    std::uint32_t object{0};
    std::uint32_t part{0};
    std::uint32_t leaf{absent};
    std::uint64_t identity{0};
    Time time;
  };
  /// Node n of the tree is word n, its rival n ^ 1, its parent n / 2; the alignment keeps rivals in one cache line.
  using Nodes = std::vector<Word, boost::alignment::aligned_allocator<Word, 64>>;

  /// Picoseconds since `base_`; beyond every span for a time before it.
  [[nodiscard]] std::uint64_t since_base(Time at) const {
    return static_cast<std::uint64_t>(at.picoseconds()) - static_cast<std::uint64_t>(base_.picoseconds());
  }
  /// The bits that mix an identity with a time, but for the last step of mix.
  [[nodiscard]] static std::uint64_t mixed(std::uint64_t identity, Time at) {
    return mix_rounds(identity + static_cast<std::uint64_t>(at.picoseconds()));
  }
  /// What an entry adds to the fingerprint.
  [[nodiscard]] static std::uint64_t mark_of(std::uint64_t mixed, Phase phase) {
    return std::rotl(mixed, static_cast<int>(phase));
  }
  [[nodiscard]] static std::uint64_t mark_of(const Source& source) {
    return mark_of(mixed(source.identity, source.time), source.phase);
  }
  [[nodiscard]] Word word_of(SourceId id, Time at, Phase phase, std::uint64_t mixed) const;
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
  void move_base();
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
  SourceId last_;                         // the last one popped
  Time base_;
  std::size_t taken_{0};  // leaves that are not free: the pending ones, and the hole
  std::size_t peak_size_{0};
  std::uint64_t scheduled_marks_{0};  // of all entries that were popped or are pending
  std::uint64_t popped_{0};
  std::vector<std::uint32_t> free_leaves_;
  std::unordered_set<std::uint64_t> names_;  // only ever asked for membership
};

inline EventQueue::Word EventQueue::word_of(SourceId id, Time at, Phase phase, std::uint64_t mixed) const {
  const std::uint64_t since = since_base(at);
  if (since >= span - 1) [[unlikely]]
    return far_word_of(id, at);
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
  do {
    if constexpr (climb == Climb::while_changing) {
      // Nothing above changes, unless a far entry has moved behind its unchanged word.
      if (nodes[node] == word && (word | source_mask_) != far) return;
    }
    nodes[node] = word;
    word = earlier(nodes[node ^ 1], word);  // the root's rival is word 0, which counts for nothing
    node >>= 1;
  } while (node != 0);
}

inline std::uint32_t EventQueue::take_leaf() {
  if (free_leaves_.empty()) [[unlikely]]
    rebuild(2 * leaf_count());
  peak_size_ = std::max(peak_size_, ++taken_);
  const std::uint32_t leaf = free_leaves_.back();
  free_leaves_.pop_back();
  return leaf;
}

inline void EventQueue::schedule(SourceId id, Time at, Phase phase) {
  Source& source = sources_[id.index()];
  const std::uint64_t bits = mixed(source.identity, at);
  const Word word = word_of(id, at, phase, bits);
  SOYA_CHECK(word >= earliest_, "an event is scheduled at or before the present");
  const bool replaces = source.leaf != absent;
  if (replaces) [[unlikely]]
    scheduled_marks_ -= mark_of(source);
  scheduled_marks_ += mark_of(bits, phase);
  source.time = at;
  source.phase = phase;
  if (!replaces) [[likely]] {
    // Most handlers schedule: one replay from the leaf of the last pop removes its entry and inserts this one.
    if (hole_ != absent) [[likely]] {
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
  return key_of(source.time, source.phase, source.identity);
}

inline EventQueue::Fired EventQueue::pop() {
  SOYA_CHECK(!empty(), "pop from an empty event queue");
  if (hole_ != absent) close_hole();
  if (nodes_[root] >= distant) [[unlikely]]
    move_base();
  return take_root();
}

template <class Handle>
bool EventQueue::pop_before(const EventKey& end, Handle handle) {
  if (hole_ != absent) [[unlikely]]
    close_hole();
  if (nodes_[root] >= distant) [[unlikely]] {  // or the queue is empty
    if (!is_next_before(end)) return false;
    move_base();
  }
  if (sources_[nodes_[root] & source_mask_].time >= end.time) [[unlikely]] {
    if (!is_next_before(end)) return false;
  }
  handle(take_root());
  return true;
}

/// Its word is not distant.
inline EventQueue::Fired EventQueue::take_root() {
  const Word word = nodes_[root];
  const std::size_t id = word & source_mask_;
  Source& source = sources_[id];
  hole_ = source.leaf;
  source.leaf = absent;
  ++popped_;
  last_ = SourceId{id};
  earliest_ = (word | tail_mask) + 1;
  return Fired{source.time, Event{source.kind, source.object, source.part}, last_, source.phase, source.identity};
}

}  // namespace soya
