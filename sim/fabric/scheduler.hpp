// Which queue of an egress port sends next: strict priorities first, deficit weighted round robin among the rest.
// Simplifies: a queue that competes with nobody neither earns nor spends; shaping and minimum rates are absent.
// Source: IEEE 802.1Q clause 8.6.8; Shreedhar and Varghese, "Efficient Fair Queuing Using Deficit Round Robin", 1996.
// Validated by tests/unit/fabric/scheduler_test.cpp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/units.hpp"
#include "fabric/fabric_config.hpp"

namespace soya {

/// Size in bytes of the frame at the head of each queue of a port, by priority. Read for eligible queues only.
using HeadBytes = std::array<std::uint32_t, Priority::count>;

/// The scheduler of one egress port. A queue is eligible when it holds a frame and is not paused.
class Scheduler final {
 public:
  /// `quantum`: what weight 1 earns per round, at least the largest frame in the unit of `HeadBytes`, so that every
  /// visit sends. Weights of priorities that are not strict are at least 1.
  Scheduler(const SchedulerConfig& config, Bytes quantum);

  /// Chooses among `eligible`, which is not empty, and charges the chosen queue for the frame at its head.
  [[nodiscard]] Priority pick(PrioritySet eligible, const HeadBytes& head_bytes) {
    SOYA_DCHECK(!eligible.empty(), "the scheduler is asked to choose from nothing");
    const unsigned all = eligible.bits();
    if ((all & (all - 1)) == 0) return priority_of(static_cast<unsigned>(std::countr_zero(all)));
    const unsigned strict = all & strict_;
    if (strict != 0) return priority_of(static_cast<unsigned>(std::bit_width(strict)) - 1);
    return next_in_round(all, head_bytes);
  }

  /// The queue of `priority` has become empty: what it had left is forfeited and its turn is over.
  void emptied(Priority priority) {
    if (!contended_) return;
    deficits_[priority.index()] = 0;
    if (current_ == priority.value()) leave();
  }

  [[nodiscard]] Bytes deficit(Priority priority) const { return Bytes{deficits_[priority.index()]}; }

 private:
  [[nodiscard]] static Priority priority_of(unsigned bit) { return Priority{static_cast<std::uint8_t>(bit)}; }
  [[nodiscard]] Priority next_in_round(unsigned eligible, const HeadBytes& head_bytes);
  void leave() {
    current_ = static_cast<std::uint8_t>((current_ + 1U) % Priority::count);
    credited_ = false;
  }

  std::uint8_t strict_;
  std::uint8_t current_{0};  ///< whose turn it is
  bool credited_{false};  ///< the queue has had its credit of this turn
  bool contended_{false}; ///< a round has begun: there may be deficits
  std::array<std::int64_t, Priority::count> deficits_{};
  std::array<std::int64_t, Priority::count> credits_{};  ///< weight × quantum
};

}  // namespace soya
