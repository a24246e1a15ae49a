// A queue pair: one end of a reliable connection with both of its halves, and its places in the NIC's queues.
// Simplifies: connected at build, for the whole run. Source: InfiniBand Architecture vol. 1, chapter 10.
// Validated by tests/unit/nic/turn_queue_test.cpp and tests/bench_top/transport_test.cpp.
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
  std::uint64_t flow_hash{0};  ///< ECMP entropy of what this end sends
  RequesterConfig requester;
  ResponderConfig responder;
};

struct alignas(64) QueuePair {
  QueuePair(QueuePairId own, const QueuePairSetup& setup)
      : flow_hash{setup.flow_hash},
        peer{setup.peer},
        peer_queue_pair{setup.peer_queue_pair},
        id{own},
        priority{setup.priority},
        ack_priority{setup.ack_priority},
        requester{setup.requester},
        responder{setup.responder} {}

  // A cache line for every packet that it sends. The requester takes whole lines and begins with its hot ones; so does
  // the responder behind it.
  std::uint64_t flow_hash;
  HostId peer;
  QueuePairId peer_queue_pair;
  QueuePairId id;
  Priority priority;
  Priority ack_priority;
  bool sending{false};         ///< waits its turn to send a request or a READ response
  bool replying{false};        ///< waits its turn to send an acknowledge or NAK
  bool timer_runs{false};      ///< the NIC's timer looks at it, at `timer_at`
  bool responded_last{false};  ///< its last packet was a READ response: a request goes next
  bool awaits_slot{false};     ///< waits until the NIC may start another message
  bool awaits_order{false};    ///< a gap in what arrives grows old
  bool delays_reply{false};    ///< an acknowledge waits for more to acknowledge
  QueuePairId next_sending;
  QueuePairId next_replying;
  std::uint64_t send_turn{0};
  std::uint64_t reply_turn{0};
  Time deadline{Time::never()};  ///< of the retransmission time-out
  Requester requester;
  Responder responder;
  Time timer_at{Time::never()};  ///< perhaps before the deadline
  std::int64_t naks_received{0};
  std::int64_t timeouts{0};
  std::int64_t rnr_naks_received{0};
  RoundTripTimer round_trip;  ///< with adaptive retransmission
};

/// Queue pairs that wait for the port, one FIFO per priority; the one that has waited longest goes first.
/// `Turn` and `Next` say which members of a queue pair this queue uses.
template <std::uint64_t QueuePair::*Turn, QueuePairId QueuePair::*Next>
class TurnQueue {
 public:
  [[nodiscard]] PrioritySet backlog() const { return backlog_; }

  void append(std::vector<QueuePair>& queue_pairs, QueuePair& queue_pair, Priority priority) {
    queue_pair.*Turn = ++turn_;
    queue_pair.*Next = QueuePairId::none();
    Fifo& fifo = fifos_[priority.index()];
    if (backlog_.contains(priority)) {
      queue_pairs[fifo.tail.index()].*Next = queue_pair.id;
    } else {
      fifo.head = queue_pair.id;
      backlog_.insert(priority);
    }
    fifo.tail = queue_pair.id;
  }

  /// The queue pair of `eligible` (not empty, within the backlog) whose turn it is. It is the first of its priority.
  [[nodiscard]] QueuePair& next(std::vector<QueuePair>& queue_pairs, PrioritySet eligible) const {
    QueuePair* best = &queue_pairs[fifos_[__builtin_ctz(eligible.bits())].head.index()];
    for (unsigned rest = eligible.bits() & (eligible.bits() - 1U); rest != 0; rest &= rest - 1) {
      QueuePair& other = queue_pairs[fifos_[__builtin_ctz(rest)].head.index()];
      if (other.*Turn < best->*Turn) best = &other;
    }
    return *best;
  }

  /// The first of `priority` leaves.
  void remove_first(const QueuePair& first, Priority priority) {
    Fifo& fifo = fifos_[priority.index()];
    fifo.head = first.*Next;
    if (fifo.head.is_none()) backlog_.erase(priority);
  }

  /// The first of `priority` goes behind the others.
  void move_to_back(std::vector<QueuePair>& queue_pairs, QueuePair& first, Priority priority) {
    if ((first.*Next).is_none()) {
      first.*Turn = ++turn_;
    } else {
      remove_first(first, priority);
      append(queue_pairs, first, priority);
    }
  }

 private:
  struct Fifo {
    QueuePairId head;
    QueuePairId tail;
  };
  PrioritySet backlog_;
  std::uint64_t turn_{0};
  Fifo fifos_[Priority::count];
};

}  // namespace soya
