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
#include "core/ring.hpp"
#include "core/units.hpp"
#include "net/context.hpp"
#include "net/pfc_config.hpp"

namespace soya {

class FarClock;
class PauseRefresher;

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

  /// The link went down: no pause is in force or on its way any more.
  void link_lost(Context& context);

  /// Time `priority` has spent paused until `now`.
  [[nodiscard]] Duration paused_time(Priority priority, Time now) const;
  /// Time at least one priority has spent paused until `now`.
  [[nodiscard]] Duration any_paused_time(Time now) const;
  /// PAUSE received for each priority, refreshes included.
  [[nodiscard]] std::array<std::int64_t, Priority::count> pauses_received() const { return books().received; }
  /// Since when `priority` has been paused without a break.
  [[nodiscard]] Time paused_since(Priority priority) const { return books().since[priority.index()]; }

  /// Since when `priority` is free to send: the end of its last pause. For one that is not paused.
  [[nodiscard]] Time free_since(Priority priority) const { return books().ended[priority.index()]; }
  /// Pauses of each priority that ran out while the far end still meant them.
  [[nodiscard]] std::array<std::int64_t, Priority::count> expired_while_meant() const { return books().expired; }
  [[nodiscard]] Rate rate() const { return rate_; }

  void name_place(NodeId node, PortId port) { node_ = node; port_ = port; }
  /// The far end, which asks for the pauses: so that one that runs out can be told from one that was lifted.
  void name_asker(const PauseRefresher& asker) { asker_ = &asker; }

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
    std::array<Time, Priority::count> ended{};
    std::array<std::int64_t, Priority::count> expired{};
    Time any_since;
    Duration any_total;
    std::deque<Effect> effects;  // the response time is constant, so in order
  };
  [[nodiscard]] Books& books();
  [[nodiscard]] const Books& books() const;
  bool apply(Context& context, Time at, const PfcFields& fields);
  void resume(Context& context, Priority priority);
  void expire(Context& context, Priority priority);
  void expose_earliest(Context& context);

  PrioritySet paused_;  // first, as `changed_` is last below: a port keeps both in the line that starts a frame
  PrioritySet lossless_;
  SourceId source_;
  NodeId node_;
  PortId port_;
  const PauseRefresher* asker_{nullptr};
  std::unique_ptr<Books> books_;
  Duration quantum_response_;
  Rate rate_;
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
  /// The link went down, and the neighbour has forgotten all pauses.
  void link_lost() { told_ = changed_ = PrioritySet{}; }
  /// The link is up: what is meant still is said again.
  void link_returned() { changed_ = asking_; }
  [[nodiscard]] bool due() const { return !changed_.empty(); }
  [[nodiscard]] PrioritySet asking() const { return asking_; }

  /// Since when a pause of `priority` has been meant; never where none is.
  [[nodiscard]] Time asking_since(Priority priority) const {
    return asking_.contains(priority) ? books_->asked_at[priority.index()] : Time::never();
  }
  /// Repeats of a pause that have been sent, by priority.
  [[nodiscard]] std::array<std::int64_t, Priority::count> refreshes() const { return books().refreshes; }
  /// The most PAUSE frames that were on the link at one time, those lost on it among them.
  [[nodiscard]] std::int64_t most_in_flight() const { return books().most_in_flight; }

  /// The PAUSE that has just started arrives at `arrival`.
  void sent(Context& context, Time arrival);
  /// The clock of the port that is paused; its image, where that port is in another partition.
  void name_paused(const PauseClock& clock) { paused_ = &clock; }
  void name_paused(FarClock& far);
  /// That clock as it is now.
  [[nodiscard]] const PauseClock* paused(Context& context) {
    if (far_ != nullptr) [[unlikely]] look(context);
    return paused_;
  }
  [[nodiscard]] FarClock* far() const { return far_; }

  /// The PFC frame that starts now: the present wish of every priority whose wish is due.
  [[nodiscard]] PfcFields take(Context& context);
  /// A refresh may be due. Returns `due()`.
  bool wake(Context& context);

 private:
  void expose_earliest(Context& context);
  void look(Context& context);

  using Instants = std::array<Time, Priority::count>;
  /// What only a port that has paused its neighbour needs.
  struct Books {
    Instants refresh_at{};
    Instants asked_at{};
    std::array<std::int64_t, Priority::count> refreshes{};
    Ring<Time> arrivals;  // of PAUSE frames in flight
    std::int64_t most_in_flight{0};
  };
  [[nodiscard]] const Books& books() const;

  std::unique_ptr<Books> books_;  // made with the first pause
  const PauseClock* paused_{nullptr};
  FarClock* far_{nullptr};
  Duration interval_;
  SourceId source_;
  std::uint16_t quanta_;
  PrioritySet told_;  // the neighbour holds a pause from us
  PrioritySet asking_;
  PrioritySet changed_;
};

}  // namespace soya
