// One face for all candidates: those that order by `Key`, and the event queue that Soya uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/event_queue.hpp"
#include "core/hash.hpp"
#include "key.hpp"

namespace soya::bench {

struct Popped {
  std::uint64_t time{0};
  std::uint32_t source{0};
  std::uint32_t phase{0};
};

inline constexpr std::uint64_t seed = 1;
[[nodiscard]] inline std::uint64_t name_of(std::size_t source) {
  return mix(source);
}

/// A candidate under the order of the event queue.
template <class Candidate>
class Keyed {
 public:
  explicit Keyed(std::size_t sources) {
    candidate_.resize_sources(sources);
    for (std::size_t source = 0; source < sources; ++source) salts_.push_back(mix(mix(seed, name_of(source))));
  }
  [[nodiscard]] std::size_t size() const { return candidate_.size(); }
  void schedule(std::uint32_t source, std::uint64_t time, std::uint32_t phase) {
    const std::uint64_t mixed = mix(salts_[source] + time);
    const std::uint64_t identity = salts_[source] + mix_increment;
    const std::uint64_t order = (std::uint64_t{phase} << 61) | (mixed >> 46 << 43) | (identity >> 21);
    candidate_.schedule(Key{time, order, source, static_cast<std::uint8_t>(identity >> 13)});
  }
  Popped pop() {
    const Key key = candidate_.pop();
    return {key.time, key.source, static_cast<std::uint32_t>(key.order >> 61)};
  }

 private:
  Candidate candidate_;
  std::vector<std::uint64_t> salts_;
};

/// The event queue of sim/core.
class Kept {
 public:
  explicit Kept(std::size_t sources) {
    for (std::size_t source = 0; source < sources; ++source) ids_.push_back(queue_.add_source(name_of(source), {}));
  }
  [[nodiscard]] std::size_t size() const { return queue_.size(); }
  void schedule(std::uint32_t source, std::uint64_t time, std::uint32_t phase) {
    queue_.schedule(SourceId{source}, Time{static_cast<std::int64_t>(time)}, static_cast<Phase>(phase));
  }
  Popped pop() {
    const EventQueue::Fired fired = queue_.pop();
    return {static_cast<std::uint64_t>(fired.time.picoseconds()), fired.source.value(),
            static_cast<std::uint32_t>(fired.phase)};
  }

 private:
  EventQueue queue_{seed};
  std::vector<SourceId> ids_;
};

/// Pops every source in turn and orders nothing: what the pattern itself costs.
class Nothing {
 public:
  explicit Nothing(std::size_t sources) : sources_{static_cast<std::uint32_t>(sources)} {}
  [[nodiscard]] std::size_t size() const { return size_; }
  void schedule(std::uint32_t, std::uint64_t time, std::uint32_t) {
    time_ = time;
    ++size_;
  }
  Popped pop() {
    source_ = source_ + 1 < sources_ ? source_ + 1 : 0;
    --size_;
    return {time_, source_, 2};
  }

 private:
  std::uint32_t sources_;
  std::uint32_t source_{0};
  std::uint64_t time_{0};
  std::size_t size_{0};
};

}  // namespace soya::bench
