// How frames cross from one partition of a run to another: the half of a cut link that the sender's partition has, and
// the mail of a partition for another one. The sender's side writes the one, the receiver reads the other between two
// windows, so nothing is locked.
// Simplifies: nothing. Source: docs/architecture.md, "Partitions". Validated by tests/bench_top/crossing_test.cpp.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/event.hpp"
#include "core/units.hpp"
#include "net/packet.hpp"

namespace soya {

class FarClock;
class Link;

/// A frame under way, by value: packets live in the pool of one partition.
struct CrossingFrame {
  Packet packet;
  Time arrival;
  Link* to{nullptr};  ///< the link at the receiving port
  Phase phase{};      ///< of its arrival
};

/// What one partition sends to another one.
class Mailbox {
 public:
  /// The sender's side, during a window.
  void put(const CrossingFrame& frame) {
    written_.push_back(frame);
    first_written_ = std::min(first_written_, frame.arrival);
  }

  /// Between windows: what was written can be read.
  void turn() {
    if (written_.empty()) return;
    earliest_ = std::min(earliest_, std::exchange(first_written_, Time::never()));
    if (readable_.empty()) {
      std::swap(readable_, written_);
    } else {
      readable_.insert(readable_.end(), written_.begin(), written_.end());
      written_.clear();
    }
  }

  /// The receiver's side, during a window. The frames of a link are in their order.
  [[nodiscard]] const std::vector<CrossingFrame>& readable() const { return readable_; }
  void clear() {
    readable_.clear();
    earliest_ = Time::never();
  }

  /// When the first of what is readable arrives.
  [[nodiscard]] Time earliest() const { return earliest_; }
  [[nodiscard]] bool empty() const { return written_.empty() && readable_.empty(); }

 private:
  std::vector<CrossingFrame> written_;
  std::vector<CrossingFrame> readable_;
  Time first_written_{Time::never()};
  Time earliest_{Time::never()};
};

/// What the sender's half of a cut link needs of the way across.
struct Crossing {
  Mailbox* mail{nullptr};
  Link* to{nullptr};
  FarClock* clock{nullptr};  ///< of the port that the frames go to, as the sender's side knows it
  Time last_arrival;         ///< of the frame before
};

}  // namespace soya
