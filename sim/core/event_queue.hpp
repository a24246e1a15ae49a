// The pending events of a simulation, at most one per source, in an order that is a function of the scenario alone.
// Simplifies: nothing. Order: (time, phase, the first 18 bits of mix(mix(seed, name), time), the source's identity,
// which is mix(mix(seed, name)) and a constant); never insertion, ids or addresses. Source: docs/architecture.md,
// "Event order". A winner tree (Knuth, TAOCP 3, 5.4.1) of words: docs/event-queue.md. Validated by
// tests/unit/core/event_queue_test.cpp against a sorted vector.
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

/// Mixing with the time favours no source where many tie; identities settle the few that are alike even so.
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
    return {at, phase, mixed(identity, at) >> (64 - mix_bits), identity};
  }

  /// Registers a source, before or during a run. `name_hash` is `hash_name` of the component's name, unique. All
  /// sources are numbered anew when the next entry is scheduled.
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

  /// Appends the sources that fire before `end`, in no order, but for far ones.
  void pending_before(Time end, std::vector<SourceId>& sources) const;
  [[nodiscard]] Event event_of(SourceId source) const {
    const Source& own = sources_[source.index()];
    return {own.kind, own.object, own.part};
  }
  /// Fetches what `schedule` and `event_of` will read.
  void fetch(SourceId source) const { __builtin_prefetch(&sources_[source.index()], 1); }

  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const { return taken_ - (hole_ != absent ? 1 : 0) + far_count_; }
  [[nodiscard]] std::size_t peak_size() const { return peak_size_; }

  // What has been popped.
  [[nodiscard]] std::uint64_t popped() const { return popped_; }
  /// The place of the last entry popped in the order.
  [[nodiscard]] EventKey last_key() const;
  /// A sum over all entries popped of a word that time, phase and source make. Their places in the order are functions
  /// of the same, so the sum says as much as their sequence, and sums of queues add up to that of a run.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  // A node of the tree is one word: 0, time since `base_`, 3 bits of phase, 18 bits of mix and the source's place among
  // all by identity, in as many bits as that takes. So words compare as entries do. Time has the other bits: 30 of
  // them, 1.1 ms, in a queue of 4 000 sources. What lies beyond that span is far: it waits in a heap, and costs the
  // tree nothing. Before an entry of the second half of the span is popped, `base_` moves there and the tree gets what
  // has come near.
  using Word = std::uint64_t;
  static constexpr unsigned phase_bits = 3;
  static constexpr unsigned mix_bits = 18;
  static constexpr unsigned fewest_place_bits = 8;
  static constexpr unsigned most_place_bits = 24;
  static constexpr Word distant = Word{1} << 62;        // the base moves before this one, or a later one, is popped
  static constexpr Word vacant = Word{1} << 63;         // plus the leaf, so that no two are equal
  static constexpr std::uint32_t absent = UINT32_MAX;   // of a source that is not pending
  static constexpr std::uint32_t far = UINT32_MAX - 1;  // of one whose entry is not in the tree
  static constexpr std::size_t root = 1;

  struct alignas(32) Source {
    std::uint32_t object : 24 {0};
    Phase phase : 8 {};
    std::uint32_t part : 24 {0};
    EventKind kind : 8 {};
    std::uint32_t place{0};
    std::uint32_t leaf{absent};
    std::uint64_t identity{0};
    Time time;
  };
  /// Where a far entry is in the order, or was before it was replaced by a later one, became near or was cancelled.
  struct Far {
    EventKey key;
    SourceId source;
    bool operator>(const Far& other) const { return key > other.key; }
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
  [[nodiscard]] static EventKey key_of(const Source& source) {
    return key_of(source.time, source.phase, source.identity);
  }
  [[nodiscard]] Word near_word(std::uint32_t place, std::uint64_t since, Phase phase, std::uint64_t mixed) const {
    const std::uint64_t when = (since << phase_bits) | static_cast<std::uint64_t>(phase);
    return (((when << mix_bits) | (mixed >> (64 - mix_bits))) << place_bits_) | place;
  }
  [[nodiscard]] unsigned tail_bits() const { return mix_bits + place_bits_; }
  [[nodiscard]] std::size_t leaf_count() const { return nodes_.size() / 2; }
  [[nodiscard]] Word first_of_phase_after(Word word) const { return (word | tail_mask_) + 1; }
  enum class Climb { to_the_root, while_changing };
  template <Climb climb>
  void replay(std::size_t node, Word word);
  [[nodiscard]] std::uint32_t take_leaf();
  void close_hole();
  void move_base();
  [[nodiscard]] const Source& first();
  [[nodiscard]] const Source& first_far();
  Fired take_root();
  template <Climb climb>
  void vacate(std::uint32_t leaf);
  void schedule_slowly(SourceId id, Time at, Phase phase);
  void push_far(SourceId id);
  void pop_far();
  void sweep_far();
  void number_sources();
  [[nodiscard]] std::vector<SourceId> near_sources() const;
  void plant(std::size_t leaves, std::vector<SourceId> near);

  std::uint64_t seed_;
  std::vector<Source> sources_;
  std::vector<SourceId> by_place_;
  Nodes nodes_;                 // twice as many as there are leaves; word 0 counts for nothing
  std::uint32_t hole_{absent};  // leaf of the last pop, which still holds its word
  unsigned place_bits_{fewest_place_bits};
  std::uint64_t span_{0};  // picoseconds; 0 while there are sources without a place
  Word tail_mask_{0};      // the bits of a word behind its phase
  Word place_mask_{0};
  Word earliest_{0};  // no word before this one may be scheduled
  SourceId last_;     // the last one popped
  Time base_;
  std::size_t taken_{0};      // leaves that are not free: those of near entries, and the hole
  std::vector<Far> far_;      // a heap, the earliest in front: one or more of each far source
  std::size_t far_count_{0};  // far sources
  std::size_t peak_size_{0};
  std::uint64_t scheduled_marks_{0};  // of all entries that were popped or are pending
  std::uint64_t popped_{0};
  std::vector<std::uint32_t> free_leaves_;
  std::unordered_set<std::uint64_t> names_;  // only ever asked for membership
};

/// Writes a word at `node` and carries the winner of each match towards the root.
template <EventQueue::Climb climb>
void EventQueue::replay(std::size_t node, Word word) {
  Word* const nodes = nodes_.data();
  do {
    if constexpr (climb == Climb::while_changing) {
      if (nodes[node] == word) return;  // nothing above changes
    }
    nodes[node] = word;
    // Which of two rivals is earlier is a coin toss to the processor: a minimum of two words needs no branch.
    word = std::min(nodes[node ^ 1], word);  // the root's rival is word 0, which counts for nothing
    node >>= 1;
  } while (node != 0);
}

inline std::uint32_t EventQueue::take_leaf() {
  if (free_leaves_.empty()) [[unlikely]]
    plant(2 * leaf_count(), near_sources());
  peak_size_ = std::max(peak_size_, ++taken_ + far_count_);
  const std::uint32_t leaf = free_leaves_.back();
  free_leaves_.pop_back();
  return leaf;
}

inline void EventQueue::schedule(SourceId id, Time at, Phase phase) {
  const std::uint64_t since = since_base(at);
  if (since >= span_) [[unlikely]]
    return schedule_slowly(id, at, phase);
  Source& source = sources_[id.index()];
  const std::uint64_t bits = mixed(source.identity, at);
  const Word word = near_word(source.place, since, phase, bits);
  SOYA_CHECK(word >= earliest_, "an event is scheduled at or before the present");
  const std::uint32_t leaf = source.leaf;
  if (leaf != absent) [[unlikely]] {
    scheduled_marks_ -= mark_of(source);
    if (leaf == far) {
      source.leaf = absent;
      --far_count_;
    }
  }
  scheduled_marks_ += mark_of(bits, phase);
  source.time = at;
  source.phase = phase;
  if (leaf < far) [[unlikely]]
    return replay<Climb::while_changing>(leaf, word);
  // Most handlers schedule: one replay from the leaf of the last pop removes its entry and inserts this one.
  if (hole_ != absent) [[likely]] {
    source.leaf = hole_;
    hole_ = absent;
    return replay<Climb::to_the_root>(source.leaf, word);
  }
  source.leaf = take_leaf();
  replay<Climb::while_changing>(source.leaf, word);
}

/// The earliest entry. There is one, and no hole.
inline const EventQueue::Source& EventQueue::first() {
  if (nodes_[root] >= vacant) [[unlikely]]
    return first_far();
  return sources_[by_place_[nodes_[root] & place_mask_].index()];
}

inline Time EventQueue::next_time() {
  if (empty()) return Time::never();
  if (hole_ != absent) close_hole();
  return first().time;
}

inline EventKey EventQueue::next_key() {
  if (empty()) return {Time::never(), Phase::sample, UINT64_MAX};
  if (hole_ != absent) close_hole();
  const Source& source = first();
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
  if (sources_[by_place_[nodes_[root] & place_mask_].index()].time >= end.time) [[unlikely]] {
    if (!is_next_before(end)) return false;
  }
  handle(take_root());
  return true;
}

/// Its word is not distant.
inline EventQueue::Fired EventQueue::take_root() {
  const Word word = nodes_[root];
  last_ = by_place_[word & place_mask_];
  Source& source = sources_[last_.index()];
  hole_ = source.leaf;
  source.leaf = absent;
  ++popped_;
  earliest_ = first_of_phase_after(word);
  return Fired{source.time, Event{source.kind, source.object, source.part}, last_, source.phase, source.identity};
}

}  // namespace soya
