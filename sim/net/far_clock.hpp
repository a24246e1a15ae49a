// The pause clock of a port in another partition, as the port that pauses it knows it. What happens to that clock is
// known here: it hears PFC frames from here only, when they arrive is known when they start, and a link goes down for
// both ends at once. So a clock of the same kind, fed with the same frames, is its image at any moment that this
// partition has reached, and nobody reads across.
// Simplifies: nothing. Source: docs/architecture.md, "Partitions". Validated by tests/bench_top/crossing_test.cpp.
#pragma once

#include <cstdint>

#include "core/event_queue.hpp"
#include "core/ring.hpp"
#include "net/context.hpp"
#include "net/pause.hpp"

namespace soya {

class FarClock {
 public:
  /// The seed of the run and the name hashes of the sources of the far port, so that what happens here has the same
  /// places in the order as what happens there.
  struct Setup {
    std::uint64_t seed{0};
    std::uint64_t arrival_name{0};
    std::uint64_t clock_name{0};
    Rate rate;  ///< of the far port
  };
  FarClock(const PfcConfig& pfc, const Setup& setup, const PauseRefresher& asker);
  FarClock(const FarClock&) = delete;
  FarClock& operator=(const FarClock&) = delete;

  /// A PFC frame has started that arrives at `at`.
  void coming(Time at, const PfcFields& fields);
  /// Lets happen what lies before `now`.
  void look(const EventKey& now);
  /// The link goes down now, with what is on it; `was_up`: it was not down before.
  void link_lost(const EventKey& now, bool was_up);

  /// As it was at the last look.
  [[nodiscard]] const PauseClock& clock() const { return clock_; }

 private:
  struct Coming {
    Time at;
    PfcFields fields;
  };
  void handle(const EventQueue::Fired& fired);

  EventQueue events_;
  PacketPool packets_;
  RunCounters counters_;
  Context context_;
  SourceId arrival_;
  PauseClock clock_;
  Ring<Coming> coming_;
};

}  // namespace soya
