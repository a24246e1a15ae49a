// Frames that wait for a port, one FIFO per priority; of the priorities that may send, the frame that has waited
// longest goes first. Simplifies: no weights. Source: ours. Validated by tests/unit/wan/waiting_line_test.cpp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/ids.hpp"
#include "core/ring.hpp"
#include "net/packet.hpp"
#include "transport/psn.hpp"

namespace soya {

/// A frame that waits: a packet as it is, or one of a connection's that is looked up when its turn comes.
struct Turn {
  std::uint64_t number{0};
  Sequence sequence{0};  ///< of the connection's packet, where that matters
  Packet* packet{nullptr};       ///< none where `connection` counts
  std::uint32_t connection{0};
};

class WaitingLine {
 public:
  void push_packet(Priority priority, Packet& packet) { push(priority, 0, &packet, 0); }
  void push_connection(Priority priority, std::uint32_t connection, Sequence sequence) {
    push(priority, sequence, nullptr, connection);
  }

  [[nodiscard]] PrioritySet backlog() const { return backlog_; }
  /// The priority whose head has waited longest, of `eligible`: not empty, within the backlog.
  [[nodiscard]] Priority oldest(PrioritySet eligible) const {
    Priority best{static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(eligible.bits())))};
    for (unsigned rest = eligible.bits() & (eligible.bits() - 1U); rest != 0; rest &= rest - 1) {
      const Priority other{static_cast<std::uint8_t>(std::countr_zero(rest))};
      if (head(other).number < head(best).number) best = other;
    }
    return best;
  }
  [[nodiscard]] const Turn& head(Priority priority) const { return queues_[priority.index()].front(); }
  void pop(Priority priority) {
    queues_[priority.index()].pop();
    if (queues_[priority.index()].empty()) backlog_.erase(priority);
  }

 private:
  void push(Priority priority, Sequence sequence, Packet* packet, std::uint32_t connection) {
    queues_[priority.index()].push() = {++number_, sequence, packet, connection};
    backlog_.insert(priority);
  }

  std::array<Ring<Turn>, Priority::count> queues_;
  PrioritySet backlog_;
  std::uint64_t number_{0};
};

}  // namespace soya
