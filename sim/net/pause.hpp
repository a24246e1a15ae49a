// The two halves of priority flow control at a port: the clock that obeys pauses received, and the refresher that
// keeps the pauses sent alive.
// Simplifies: a pause takes effect, and so counts, from `response` after its last byte; pauses of lossy priorities are ignored.
// Source: IEEE 802.1Qbb, 802.3 annex 31B; docs/model.md section 4. Validated by tests/bench_top/pause_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

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
  [[nodiscard]] std::array<std::int64_t, Priority::count> pauses_received() const { return books().received; }
  /// Since when `priority` has been paused without a break.
  [[nodiscard]] Time paused_since(Priority priority) const { return books().since[priority.index()]; }

  void name_place(NodeId node, PortId port) { node_ = node; port_ = port; }

 private:
  struct Effect {
    Time at;
    PfcFields fields;
  };
  /// What only a port that has received a PFC frame needs.
  struct Books {
    std::array<Time, Priority::count> until{};
    std::array<Time, Priority::count> since{};
    std::array<Duration, Priority::count> total{};
    std::array<std::int64_t, Priority::count> received{};
    Time any_since;
    Duration any_total;
    std::deque<Effect> effects;  // the response time is constant, so in order
  };
  [[nodiscard]] Books& books();
  [[nodiscard]] const Books& books() const;
  bool apply(Context& context, Time at, const PfcFields& fields);
  void resume(Context& context, Priority priority);
  void expose_earliest(Context& context);

  std::unique_ptr<Books> books_;
  Duration quantum_response_;
  Rate rate_;
  NodeId node_;
  PortId port_;
  SourceId source_;
  PrioritySet lossless_;
  PrioritySet paused_;  // last, as `changed_` is first below: a port keeps both in one cache line
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

  using Deadlines = std::array<Time, Priority::count>;

  PrioritySet changed_;
  PrioritySet asking_;
  PrioritySet told_;  // the neighbour holds a pause from us
  std::uint16_t quanta_;
  SourceId source_;
  Duration interval_;
  std::unique_ptr<Deadlines> refresh_at_;  // made with the first pause
};

}  // namespace soya
