// The pending events of a simulation, at most one per source, in an order that is a function of the scenario alone.
// Simplifies: nothing. Order: (time, phase, mix(seed, source, time), source's name); never insertion, ids or addresses.
// Source: docs/architecture.md, "Event order"; why this structure: docs/event-queue.md.
// Validated by tests/unit/core/event_queue_test.cpp against a sorted vector.
#pragma once

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

class EventQueue {
 public:
  struct Fired {
    Time time;
    Event event;
    SourceId source;
    Phase phase{};
  };

  explicit EventQueue(std::uint64_t seed) : seed_{seed} {}

  /// Registers a source, before or during a run. `name_hash` is `hash_name` of the component's name, unique.
  SourceId add_source(std::uint64_t name_hash, Event event);

  /// Sets the pending entry of `source`, replacing the one it has. (`at`, `phase`) lies after the last event popped.
  void schedule(SourceId source, Time at, Phase phase);

  /// Removes the pending entry of `source`, if there is one.
  void cancel(SourceId source);

  /// Removes and returns the earliest entry. The queue is not empty.
  Fired pop();

  [[nodiscard]] bool pending(SourceId source) const { return sources_[source.index()].position != absent; }
  /// When `source` fires; `Time::never()` when nothing is pending.
  [[nodiscard]] Time time_of(SourceId source) const;
  /// When the earliest entry fires; `Time::never()` when the queue is empty.
  [[nodiscard]] Time next_time() { return heap_.empty() ? Time::never() : heap_.front().time; }

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] std::size_t peak_size() const { return peak_size_; }
  [[nodiscard]] std::uint64_t popped() const { return popped_; }

 private:
  static constexpr std::uint32_t absent = UINT32_MAX;

  struct Source {
    Event event;
    std::uint32_t position{absent};
    std::uint64_t name_hash{0};
    std::uint64_t salt{0};
  };
  struct Entry {
    Time time;
    std::uint64_t order{0};  // phase in the top three bits, then 61 bits of mix
    std::uint32_t source{0};
  };

  [[nodiscard]] bool before(const Entry& a, const Entry& b) const;
  void place(std::size_t position, const Entry& entry);
  void sift_up(std::size_t position, Entry entry);
  void sift_down(std::size_t position, Entry entry);
  void remove(std::size_t position);

  std::uint64_t seed_;
  std::vector<Source> sources_;
  std::unordered_set<std::uint64_t> names_;
  std::vector<Entry> heap_;
  std::size_t peak_size_{0};
  std::uint64_t popped_{0};
  Time last_time_;
  int last_phase_{-1};
};

}  // namespace soya
