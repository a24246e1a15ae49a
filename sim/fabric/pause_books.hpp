// What pauses do to the priority groups of one switch: how often and how long, what is stored when XON is due, and how
// long a group is dry after it, because the sender has not started again yet.
// Simplifies: a group is dry from when it is empty until its next frame is in, once per cycle, and only if the sender
// had a frame ready: one that it starts later than two of the largest frames after it is free tells nothing of the
// pause. On links below 200 m the sender is back within frames, and nobody looks.
// Source: docs/model.md section 5. Validated by tests/analytic/long_pause_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "net/port.hpp"

namespace soya {

/// Of one priority group.
struct PauseBook {
  std::int64_t cycles{0};  ///< XOFF decisions
  Duration longest;        ///< from an XOFF decision to its XON
  std::int64_t xons{0};
  Bytes stored_min;  ///< when XON was due
  Bytes stored_sum;
  std::int64_t restarts{0};    ///< cycles after whose XON the sender had a frame ready
  std::int64_t dry_cycles{0};  ///< … and in which the group was dry meanwhile
  Duration dry;
  Bytes drained;        ///< what left the group between XON and its being empty or filled again, of restarts
  Duration drain_time;  ///< … and how long that took

  /// What follows counts from the last XON until the sender's first frame is in.
  Time since;  ///< XOFF or XON decision
  Bytes stored;
  Time empty_since{Time::never()};
  std::optional<Time> first_empty;
  Duration dry_now;
};

class PauseBooks final {
 public:
  /// Room for a switch of as many ports, whose largest frame is given.
  PauseBooks(std::size_t ports, Bytes largest_frame)
      : watching_(ports * Priority::count / 64 + 1), books_(ports * Priority::count), frame_{largest_frame} {}

  void off(PortId port, Priority priority, Time now);
  /// XON is due at `port`, and `stored` bytes of the group are left.
  void on(const Port& port, Priority priority, Bytes stored, Time now);

  /// Whether some group waits for its sender.
  [[nodiscard]] bool watching() const { return watched_ != 0; }
  /// Whether this one does.
  [[nodiscard]] bool watches(PortId port, Priority priority) const {
    if (watched_ == 0) [[likely]]
      return false;
    const std::size_t group = port.index() * Priority::count + priority.index();
    return ((watching_[group / 64] >> (group % 64)) & 1U) != 0;
  }
  /// A frame of a group that is watched has left, and `stored` bytes are left.
  void released(PortId port, Priority priority, Bytes stored, Time now);
  /// A frame of a group that is watched has come in by `port`, and is not stored yet beside the `stored` bytes.
  void arrived(Context& context, Port& port, Priority priority, Bytes frame, Bytes stored);

  /// Nothing where the group was never off.
  [[nodiscard]] const PauseBook* book(PortId port, Priority priority) const {
    return books_[port.index() * Priority::count + priority.index()].get();
  }

 private:
  [[nodiscard]] std::unique_ptr<PauseBook>& entry(PortId port, Priority priority) {
    return books_[port.index() * Priority::count + priority.index()];
  }
  void watch(PortId port, Priority priority, bool on);
  static void close(PauseBook& book, Bytes stored, Time now);

  std::int64_t watched_{0};              // first, as it is asked for every frame
  std::vector<std::uint64_t> watching_;  // a bit for each group
  std::vector<std::unique_ptr<PauseBook>> books_;
  Bytes frame_;
};

}  // namespace soya
