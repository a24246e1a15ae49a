// What the event queue benchmark asks of a queue: increments, ties, replacements and timers as a fabric makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "adaptors.hpp"
#include "core/random.hpp"

namespace soya::bench {

/// One step: pop an entry, schedule one, sometimes replace another.
struct Step {
  std::uint64_t increment{0};  // of the entry scheduled, picoseconds
  std::uint64_t grid{1};       // its time is rounded up to a multiple of this, which makes exact ties
  std::uint32_t pick{0};       // random word that picks a source
  bool same_source{false};     // the source popped schedules itself again
  bool kick{false};            // the entry is for the present, in the transmit phase
  bool replace{false};
  bool push_timer{false};  // the replacement pushes a far timer later
};

/// Steps of a 100 Gbps fabric with every increment times `scale`.
inline std::vector<Step> fabric_steps(std::uint64_t scale) {
  constexpr std::size_t count = std::size_t{1} << 15;
  constexpr std::uint64_t serialisation = 334'240;  // 4178 B at 100 Gbps
  constexpr std::uint64_t acknowledge = 6'880;      // 86 B at 100 Gbps
  // In percent; the rest is evenly spread over three serialisations.
  struct Share {
    std::uint64_t percent;
    std::uint64_t increment;
  };
  constexpr Share shares[] = {
      {45, serialisation}, {20, acknowledge}, {10, 25'000}, {18, 1'000'000 + serialisation}, {2, 1'500'000'000}};
  RandomStream random = RandomStreams{1}.stream("fabric");
  const auto draw = [&random](std::uint64_t bound) { return random() % bound; };
  std::vector<Step> steps(count);
  for (Step& step : steps) {
    step.increment = 1 + draw(3 * serialisation);
    std::uint64_t kind = draw(100);
    for (const Share& share : shares) {
      if (kind < share.percent) {
        step.increment = share.increment;
        break;
      }
      kind -= share.percent;
    }
    step.increment *= scale;
    // Synchronised senders: a third of all entries fall on common instants.
    if (draw(3) == 0) step.grid = serialisation * scale;
    step.pick = static_cast<std::uint32_t>(random());
    step.same_source = draw(2) == 0;
    step.kick = draw(10) == 0;
    step.replace = draw(5) == 0;
    step.push_timer = draw(2) == 0;
  }
  return steps;
}

/// `live` of up to `most` entries pending, as many sources idle, and one in twenty a timer 67 ms away that is pushed
/// later again and again.
template <class Queue>
class Fabric {
 public:
  Fabric(std::size_t live, std::size_t most, const std::vector<Step>& steps)
      : queue_{2 * most}, steps_{&steps}, timers_{static_cast<std::uint32_t>(live / 20)} {
    for (std::uint32_t source = 0; source < 2 * most; ++source) idle_.push_back(source);
    for (std::uint32_t source = 0; source < timers_; ++source) put(source, timeout, 1);
    idle_.erase(idle_.begin(), idle_.begin() + timers_);
    fill_to(live);
  }

  /// Another rate: the same fabric with other increments.
  void follow(const std::vector<Step>& steps) { steps_ = &steps; }

  /// One pop and one schedule, one in five times a replacement too. Returns the source popped.
  std::uint32_t step() {
    const Step& step = next();
    const Popped fired = pop();
    std::uint32_t source = fired.source;
    if (source < timers_) {
      put(source, timeout, 1);
      return fired.source;
    }
    if (!step.same_source) std::swap(idle_[pick(step, idle_.size())], source);
    if (step.kick && fired.phase < transmit)
      queue_.schedule(source, now_, transmit);
    else
      put(source, step.increment, step.grid);
    if (!step.replace) return fired.source;
    // A timer moves later, or what has just been scheduled does.
    if (step.push_timer && timers_ > 0)
      put(static_cast<std::uint32_t>(pick(step, timers_)), timeout, 1);
    else
      put(source, step.increment + 6'880, 1);
    return fired.source;
  }

  void fill_to(std::size_t live) {
    while (queue_.size() < live && !idle_.empty()) {
      const Step& step = next();
      std::swap(idle_[pick(step, idle_.size())], idle_.back());
      put(idle_.back(), step.increment, step.grid);
      idle_.pop_back();
    }
  }

  void drain_to(std::size_t live) {
    while (queue_.size() > live) {
      const Popped fired = pop();
      if (fired.source < timers_)
        put(fired.source, timeout, 1);
      else
        idle_.push_back(fired.source);
    }
  }

 private:
  static constexpr std::uint64_t timeout = 67'108'864'000;  // 4.096 us x 2^14
  static constexpr std::uint32_t arrival = 2;
  static constexpr std::uint32_t transmit = 5;

  const Step& next() {
    next_ = (next_ + 1) & (steps_->size() - 1);
    return (*steps_)[next_];
  }
  static std::size_t pick(const Step& step, std::size_t bound) {
    return static_cast<std::size_t>((std::uint64_t{step.pick} * bound) >> 32);
  }
  Popped pop() {
    const Popped fired = queue_.pop();
    now_ = fired.time;
    return fired;
  }
  void put(std::uint32_t source, std::uint64_t increment, std::uint64_t grid) {
    std::uint64_t time = now_ + increment;
    if (grid > 1) time = (time + grid - 1) / grid * grid;
    queue_.schedule(source, time, arrival);
  }

  Queue queue_;
  const std::vector<Step>* steps_;
  std::vector<std::uint32_t> idle_;
  std::uint32_t timers_;
  std::size_t next_{0};
  std::uint64_t now_{0};
};

}  // namespace soya::bench
