// The pending events of a simulation, at most one per source, in an order that is a function of the scenario alone.
// Simplifies: nothing. Order: (time, phase, mix(mix(seed, name), time)); never insertion, ids or addresses.
// Source: docs/architecture.md, "Event order". A winner tree (Knuth, TAOCP 3, 5.4.1) on short keys:
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
  };

  explicit EventQueue(std::uint64_t seed);

  /// Registers a source, before or during a run. `name_hash` is `hash_name` of the component's name, unique.
  SourceId add_source(std::uint64_t name_hash, Event event);

  /// Sets the pending entry of `source`, replacing the one it has. (`at`, `phase`) lies after the last event popped.
  void schedule(SourceId source, Time at, Phase phase);

  /// Removes the pending entry of `source`, if there is one.
  void cancel(SourceId source);

  /// Removes and returns the earliest entry. The queue is not empty.
  Fired pop();

  [[nodiscard]] bool pending(SourceId source) const { return sources_[source.index()].leaf != absent; }
  /// When `source` fires; `Time::never()` when nothing is pending.
  [[nodiscard]] Time time_of(SourceId source) const {
    return pending(source) ? sources_[source.index()].time : Time::never();
  }
  /// When the earliest entry fires; `Time::never()` when the queue is empty.
  [[nodiscard]] Time next_time();

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t peak_size() const { return peak_size_; }
  [[nodiscard]] std::uint64_t popped() const { return popped_; }

 private:
  // A key is 0, 40 bits of time since `base_`, 3 bits of phase, the first 20 bits of mix. One machine word decides
  // nearly every comparison; equal keys are compared in full. What lies beyond 2^40 ps (1.1 s) has `far_key`, and
  // `base_` moves once half of that has passed.
  static constexpr unsigned mix_bits = 20;
  static constexpr unsigned phase_bits = 3;
  static constexpr std::uint64_t span = std::uint64_t{1} << 40;
  static constexpr std::uint64_t far_key = (span << (phase_bits + mix_bits)) - 1;
  static constexpr std::uint64_t vacant_key = std::uint64_t{1} << 63;  // plus the leaf, so that no two are equal
  static constexpr std::uint32_t absent = UINT32_MAX;
  static constexpr std::uint32_t root = 1;

  struct alignas(32) Source {
    EventKind kind{};
    Phase phase{};
    std::uint32_t object{0};
    std::uint32_t part{0};
    std::uint32_t leaf{absent};
    std::uint64_t salt{0};
    Time time;
  };
  struct Entry {
    std::uint64_t key{vacant_key};
    std::uint64_t source{0};
  };
  /// Node n of the tree is entry n, its rival n ^ 1, its parent n / 2; the alignment keeps rivals in one cache line.
  using Entries = std::vector<Entry, boost::alignment::aligned_allocator<Entry, 64>>;

  /// Picoseconds since `base_`; beyond every span for a time before it.
  [[nodiscard]] std::uint64_t since_base(Time at) const {
    return static_cast<std::uint64_t>(at.picoseconds()) - static_cast<std::uint64_t>(base_.picoseconds());
  }
  [[nodiscard]] std::uint64_t key_of(const Source& source, Time at, Phase phase) const;
  [[nodiscard]] std::uint64_t far_key_of(Time at) const;
  [[nodiscard]] bool precedes_in_full(std::uint64_t a, std::uint64_t b) const;
  [[nodiscard]] bool rival_precedes(const Entry& rival, std::uint64_t key, std::uint64_t source) const;
  [[nodiscard]] std::uint32_t leaf_count() const { return static_cast<std::uint32_t>(entries_.size() / 2); }
  enum class Climb { to_the_root, while_changing };
  template <Climb climb>
  void replay(std::uint32_t node, std::uint64_t key, std::uint64_t source);
  std::uint32_t take_leaf();
  void close_hole();
  void vacate(std::uint32_t leaf);
  void rebuild(std::uint32_t leaves);

  std::uint64_t seed_;
  std::vector<Source> sources_;
  Entries entries_;                // twice as many as there are leaves; entry 0 is not used
  std::uint32_t hole_{absent};     // leaf of the last pop, which still holds its entry
  std::uint64_t earliest_key_{0};  // no key before this one may be scheduled
  Time base_;
  std::size_t size_{0};
  std::size_t peak_size_{0};
  std::uint64_t popped_{0};
  std::vector<std::uint32_t> free_leaves_;
  std::unordered_set<std::uint64_t> names_;  // only ever asked for membership
};

inline std::uint64_t EventQueue::key_of(const Source& source, Time at, Phase phase) const {
  const std::uint64_t since = since_base(at);
  if (since >= span - 1) [[unlikely]]
    return far_key_of(at);
  const std::uint64_t mixed = mix(source.salt + static_cast<std::uint64_t>(at.picoseconds()));
  return (((since << phase_bits) | static_cast<std::uint64_t>(phase)) << mix_bits) | (mixed >> (64 - mix_bits));
}

/// Whether `rival` is earlier than an entry of `key` and `source`.
inline bool EventQueue::rival_precedes(const Entry& rival, std::uint64_t key, std::uint64_t source) const {
  if (rival.key == key) [[unlikely]]
    return precedes_in_full(rival.source, source);
  return rival.key < key;
}

/// Writes an entry at `node` and carries the winner of each match towards the root. Free of branches that depend on
/// the keys: which of two rivals is earlier is a coin toss to the processor.
template <EventQueue::Climb climb>
void EventQueue::replay(std::uint32_t node, std::uint64_t key, std::uint64_t source) {
  Entry* const entries = entries_.data();
  for (;;) {
    Entry& here = entries[node];
    if constexpr (climb == Climb::while_changing) {
      // Nothing above changes, unless an entry with `far_key` has moved behind its unchanged key.
      if (here.key == key && here.source == source && key != far_key) return;
    }
    here.key = key;
    here.source = source;
    if (node == root) return;
    const Entry& rival = entries[node ^ 1];
    const std::uint64_t rival_key = rival.key;
    const std::uint64_t rival_source = rival.source;
    std::uint64_t take_rival = -static_cast<std::uint64_t>(rival_key < key);
    if (rival_key == key) [[unlikely]]
      take_rival = -static_cast<std::uint64_t>(precedes_in_full(rival_source, source));
    // Emits nothing. Hides from the compiler that the mask is a condition, which it would turn into a branch, and keeps
    // each word in a register of its own: packed into one vector register they wait for each other.
    asm("" : "+r"(take_rival), "+r"(key), "+r"(source));
    key ^= (key ^ rival_key) & take_rival;
    source ^= (source ^ rival_source) & take_rival;
    node >>= 1;
  }
}

inline void EventQueue::schedule(SourceId id, Time at, Phase phase) {
  Source& source = sources_[id.index()];
  const std::uint64_t key = key_of(source, at, phase);
  SOYA_CHECK(key >= earliest_key_, "an event is scheduled at or before the present");
  source.time = at;
  source.phase = phase;
  if (source.leaf == absent) {
    peak_size_ = std::max(peak_size_, ++size_);
    // Most handlers schedule: one replay from the leaf of the last pop removes its entry and inserts this one.
    if (hole_ != absent) {
      source.leaf = hole_;
      hole_ = absent;
      return replay<Climb::to_the_root>(source.leaf, key, id.value());
    }
    source.leaf = take_leaf();
  }
  replay<Climb::while_changing>(source.leaf, key, id.value());
}

inline Time EventQueue::next_time() {
  if (empty()) return Time::never();
  if (hole_ != absent) close_hole();
  return sources_[entries_[root].source].time;
}

inline EventQueue::Fired EventQueue::pop() {
  SOYA_CHECK(size_ > 0, "pop from an empty event queue");
  if (hole_ != absent) close_hole();
  const std::uint64_t id = entries_[root].source;
  Source& source = sources_[id];
  hole_ = source.leaf;
  source.leaf = absent;
  --size_;
  ++popped_;
  if (since_base(source.time) >= span / 2) [[unlikely]] {
    base_ = source.time;
    rebuild(leaf_count());
  }
  earliest_key_ = ((since_base(source.time) << phase_bits) + static_cast<std::uint64_t>(source.phase) + 1) << mix_bits;
  return Fired{source.time, Event{source.kind, source.object, source.part}, SourceId{std::size_t{id}}, source.phase,
               source.salt};
}

}  // namespace soya
