// How frames cross from one partition of a run to another: the half of a cut link that the sender's partition has, and
// the mail for a partition. One thread's partitions write it during a window, the receiver reads it in the next one, so
// nothing is locked.
// Simplifies: nothing. Source: docs/architecture.md, "Partitions". Validated by tests/bench_top/crossing_test.cpp.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/event.hpp"
#include "core/units.hpp"
#include "net/packet.hpp"

namespace soya {

struct Context;
class FarClock;
class Link;

/// Where a frame goes and when it arrives.
struct Waybill {
  Time arrival;
  Link* to{nullptr};  ///< the link at the receiving port
  Phase phase{};      ///< of its arrival
};

/// What the partitions of one thread send to one partition: frames by value, since packets live in the pool of one
/// partition, one behind the other in memory, whoever sends them.
class Mailbox {
 public:
  /// The senders' side, during a window.
  void put(const Packet& packet, const Waybill& way) {
    written_.packets.push_back(packet);
    written_.ways.push_back(way);
    first_written_ = std::min(first_written_, way.arrival);
  }

  /// Between windows: what was written can be read.
  void turn() {
    if (written_.ways.empty()) return;
    earliest_ = std::min(earliest_, std::exchange(first_written_, Time::never()));
    if (readable_.ways.empty()) return std::swap(readable_, written_);
    readable_.append(written_);
    written_.clear();
  }

  /// The receiver's side, during a window: what is readable goes onto its links. The frames of a link are in their
  /// order.
  void deliver(Context& context);

  /// When the first of what is readable arrives.
  [[nodiscard]] Time earliest() const { return earliest_; }
  [[nodiscard]] bool empty() const { return written_.ways.empty() && readable_.ways.empty(); }
  [[nodiscard]] std::size_t readable() const { return readable_.ways.size(); }

 private:
  struct Frames {
    std::vector<Packet> packets;
    std::vector<Waybill> ways;

    void append(const Frames& others) {
      packets.insert(packets.end(), others.packets.begin(), others.packets.end());
      ways.insert(ways.end(), others.ways.begin(), others.ways.end());
    }
    void clear() {
      packets.clear();
      ways.clear();
    }
  };

  Frames written_;
  Frames readable_;
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
