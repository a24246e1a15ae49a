// The two halves of priority flow control at a port: the clock that obeys pauses received, and the refresher that
// keeps the pauses sent alive.
// Simplifies: a pause takes effect, and so counts, from `response` after its last byte; pauses of lossy priorities are ignored.
// Source: IEEE 802.1Qbb, 802.3 annex 31B; docs/model.md section 4. Validated by tests/bench_top/pause_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "net/context.hpp"
#include "net/pfc_config.hpp"

namespace soya {

/// Obeys the PFC frames that arrive at a port: which priorities its transmitter may not start.
class PauseClock {
 public:
  /// `rate` is the port's own: pause time is counted in 512 bit times of the port that is paused.
  PauseClock(const PfcConfig& pfc, Rate rate, SourceId source);

  [[nodiscard]] PrioritySet paused() const { return paused_; }

  /// A PFC frame has arrived whole. Returns whether a priority was resumed on the spot.
  bool receive(Context& context, const PfcFields& fields);
  /// The earliest deadline has come: effects take place, pauses expire. Returns whether a priority was resumed.
  bool wake(Context& context);

  /// Time `priority` has spent paused until `now`.
  [[nodiscard]] Duration paused_time(Priority priority, Time now) const;
  /// Time at least one priority has spent paused until `now`.
  [[nodiscard]] Duration any_paused_time(Time now) const;
  /// PAUSE received for each priority, refreshes included.
  [[nodiscard]] const std::array<std::int64_t, Priority::count>& pauses_received() const { return received_; }
  /// Since when `priority` has been paused without a break.
  [[nodiscard]] Time paused_since(Priority priority) const { return since_[priority.index()]; }

  void name_place(NodeId node, PortId port) { node_ = node; port_ = port; }

 private:
  struct Effect {
    Time at;
    PfcFields fields;
  };
  bool apply(Context& context, Time at, const PfcFields& fields);
  void resume(Context& context, Priority priority);
  void expose_earliest(Context& context);

  PrioritySet lossless_;
  Duration quantum_response_;
  Rate rate_;
  SourceId source_;
  NodeId node_;
  PortId port_;
  PrioritySet paused_;
  std::array<Time, Priority::count> until_{};
  std::array<Time, Priority::count> since_{};
  std::array<Duration, Priority::count> total_{};
  std::array<std::int64_t, Priority::count> received_{};
  Time any_since_;
  Duration any_total_;
  std::deque<Effect> effects_;  // the response time is constant, so in order
};

/// Asks the neighbour to pause and resume, and repeats a pause while it is meant.
class PauseRefresher {
 public:
  /// `peer_rate` is the rate of the port that is paused.
  PauseRefresher(const PfcConfig& pfc, Rate peer_rate, SourceId source);

  /// The group is to be paused. A frame is then due (`due()`).
  void pause(Context& context, Priority priority);
  /// The group is to be resumed. A pause that was never sent is forgotten.
  void resume(Context& context, Priority priority);
  [[nodiscard]] bool due() const { return !changed_.empty(); }
  [[nodiscard]] PrioritySet asking() const { return asking_; }

  /// The PFC frame that starts now: the present wish of every priority whose wish is due.
  [[nodiscard]] PfcFields take(Context& context);
  /// A refresh may be due. Returns `due()`.
  bool wake(Context& context);

 private:
  void expose_earliest(Context& context);

  std::uint16_t quanta_;
  Duration interval_;
  SourceId source_;
  PrioritySet asking_;
  PrioritySet changed_;
  PrioritySet told_;  // the neighbour holds a pause from us
  std::array<Time, Priority::count> refresh_at_{};
};

}  // namespace soya
