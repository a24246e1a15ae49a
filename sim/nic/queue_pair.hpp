// A queue pair: one end of a reliable connection with both of its halves, and its places in the NIC's queues.
// Simplifies: connected at build, for the whole run. Source: InfiniBand Architecture vol. 1, chapter 10.
// Validated by tests/bench_top/transport_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "transport/requester.hpp"
#include "transport/responder.hpp"
#include "transport/round_trip_timer.hpp"

namespace soya {

struct QueuePairSetup {
  HostId peer;
  QueuePairId peer_queue_pair;
  Priority priority{3};
  Priority ack_priority{3};
  std::uint64_t flow_hash{0};            ///< ECMP entropy of what this end sends
  RequesterConfig requester;
  ResponderConfig responder;
};

struct QueuePair {
  explicit QueuePair(const QueuePairSetup& s) : setup{s}, requester{s.requester}, responder{s.responder} {}

  QueuePairSetup setup;
  Requester requester;
  Responder responder;
  Time deadline{Time::never()};          ///< of the retransmission time-out
  Time timer_at{Time::never()};          ///< the NIC's timer looks at it then, perhaps too early
  bool sending{false};                   ///< waits its turn to send a request or a READ response
  bool responded_last{false};            ///< its last packet was a READ response: a request goes next
  bool awaits_slot{false};               ///< waits until the NIC may start another message
  bool awaits_order{false};              ///< a gap in what arrives grows old
  bool delays_reply{false};              ///< an acknowledge waits for more to acknowledge
  bool replying{false};                  ///< waits its turn to send an acknowledge or NAK
  std::uint64_t send_turn{0};
  std::uint64_t reply_turn{0};
  QueuePairId next_sending;
  QueuePairId next_replying;
  std::int64_t naks_received{0};
  std::int64_t timeouts{0};
  std::int64_t rnr_naks_received{0};
  RoundTripTimer round_trip;              ///< with adaptive retransmission
};

/// Queue pairs that wait for the port, one FIFO per priority; the one that has waited longest goes first.
/// `Turn` and `Next` say which members of a queue pair this queue uses.
template <std::uint64_t QueuePair::*Turn, QueuePairId QueuePair::*Next>
class TurnQueue {
 public:
  [[nodiscard]] PrioritySet backlog() const { return backlog_; }

  void append(std::vector<QueuePair>& queue_pairs, QueuePairId id, Priority priority) {
    QueuePair& queue_pair = queue_pairs[id.index()];
    queue_pair.*Turn = ++turn_;
    queue_pair.*Next = QueuePairId::none();
    Fifo& fifo = fifos_[priority.index()];
    if (backlog_.contains(priority)) {
      queue_pairs[fifo.tail.index()].*Next = id;
    } else {
      fifo.head = id;
      backlog_.insert(priority);
    }
    fifo.tail = id;
  }

  /// Takes the queue pair of `eligible` (not empty, within the backlog) whose turn it is.
  QueuePairId take(std::vector<QueuePair>& queue_pairs, PrioritySet eligible) {
    Priority best{static_cast<std::uint8_t>(__builtin_ctz(eligible.bits()))};
    for (unsigned rest = eligible.bits() & (eligible.bits() - 1U); rest != 0; rest &= rest - 1) {
      const Priority other{static_cast<std::uint8_t>(__builtin_ctz(rest))};
      if (queue_pairs[fifos_[other.index()].head.index()].*Turn < queue_pairs[fifos_[best.index()].head.index()].*Turn) {
        best = other;
      }
    }
    Fifo& fifo = fifos_[best.index()];
    const QueuePairId id = fifo.head;
    fifo.head = queue_pairs[id.index()].*Next;
    if (fifo.head.is_none()) backlog_.erase(best);
    return id;
  }

 private:
  struct Fifo {
    QueuePairId head;
    QueuePairId tail;
  };
  Fifo fifos_[Priority::count];
  PrioritySet backlog_;
  std::uint64_t turn_{0};
};

}  // namespace soya
