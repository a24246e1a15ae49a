// The RDMA NIC of a host: queue pairs that share one port round robin per packet, acknowledges first.
// Simplifies: no host bus; completions are handed over at the instant they happen.
// Source: InfiniBand Architecture vol. 1, chapters 9 and 10; docs/model.md section 6.
// Validated by tests/bench_top/transport_test.cpp and tests/bench_top/nic_pfc_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/ring.hpp"
#include "core/units.hpp"
#include "net/context.hpp"
#include "net/port.hpp"
#include "nic/nic_config.hpp"
#include "nic/queue_pair.hpp"

namespace soya {

/// Something the host learns of.
struct NicCompletion {
  enum class Kind : std::uint8_t { sent, received } kind{Kind::sent};
  QueuePairId queue_pair;
  SendCompletion work;       ///< of `received`: size and tag only
  bool took_receive{false};  ///< of `received`: the host posts a receive anew
};

struct NicCounters {
  std::int64_t sent_payload{0};  ///< bytes, retransmissions included
  std::int64_t sent_packets{0};
  std::int64_t received_packets{0};
  std::int64_t overruns{0};         ///< lossless frames a slow receiver's full buffer refused
  Duration completions_stalled{0};  ///< time with completions that the full completion queue had no room for
};

class alignas(64) Nic {
 public:
  struct Setup {
    HostId host;
    PortSetup port;
    SourceId timer;        ///< fires for the earliest time-out
    SourceId receive;      ///< fires when a slow receiver has handled a frame
    SourceId completions;  ///< fires when the host has something to learn
    SourceId waits;        ///< fires for the earliest of the NIC's waits
  };
  Nic(const NicConfig& config, const PfcConfig& pfc, const FrameSizes& sizes, const Setup& setup);

  QueuePairId add_queue_pair(const QueuePairSetup& setup);
  void post(Context& context, QueuePairId queue_pair, const SendRequest& request);

  void arrive(Context& context);
  void transmit(Context& context);
  void pause_clock_fired(Context& context);
  void pause_refresh_fired(Context& context);
  void timer_fired(Context& context);
  void receive_fired(Context& context);
  void wait_fired(Context& context);
  void hold(Context& context, bool held);

  /// What happened since the host last looked; the host clears it.
  [[nodiscard]] std::vector<NicCompletion>& completions() { return completions_; }
  [[nodiscard]] Port& port() { return port_; }
  [[nodiscard]] const Port& port() const { return port_; }
  [[nodiscard]] std::vector<QueuePair>& queue_pairs() { return queue_pairs_; }
  [[nodiscard]] const std::vector<QueuePair>& queue_pairs() const { return queue_pairs_; }
  [[nodiscard]] const NicCounters& counters() const { return counters_; }
  /// Time until `now` with completions that had no room.
  [[nodiscard]] Duration completions_stalled(Time now) const;
  /// Whether it goes on by itself: a time of its own ends that it or its host waits for.
  [[nodiscard]] bool waits() const { return !waits_.empty(); }
  /// Frames in a slow receiver's buffer.
  [[nodiscard]] Bytes receive_occupancy() const { return occupancy_; }

 private:
  struct Wait {
    enum class Kind : std::uint8_t {
      reply,       ///< a delayed acknowledge goes now
      receiver,    ///< the time of an RNR NAK is over
      message,     ///< another message may start
      completion,  ///< the host has handled the oldest completion
      order,       ///< a gap in what has arrived may be old
    };
    Time at;
    Kind kind{Kind::reply};
    QueuePairId queue_pair;
    bool operator<(const Wait& other) const {  // for a heap with the earliest on top
      if (at != other.at) return at > other.at;
      return kind != other.kind ? kind > other.kind : queue_pair > other.queue_pair;
    }
  };

  // nic.cpp: what is sent.
  void acknowledge_at_once(Context& context, QueuePair& queue_pair);
  [[nodiscard]] Packet& next_reply(Context& context, PrioritySet eligible);
  bool fill_other_reply(QueuePair& queue_pair, Packet& packet) const;
  [[nodiscard]] Packet* next_data(Context& context, PrioritySet paused);
  void end_turn(QueuePair& queue_pair, bool has_more);
  [[nodiscard]] Packet* next_with_options(Context& context, QueuePair& queue_pair);
  [[nodiscard]] Packet& next_response(Context& context, QueuePair& queue_pair);
  [[nodiscard]] Packet& next_request(Context& context, QueuePair& queue_pair);
  [[nodiscard]] Packet& new_reply(Context& context, const QueuePair& queue_pair);
  [[nodiscard]] Packet& new_packet(Context& context, const QueuePair& queue_pair);

  // nic_arrivals.cpp
  void arrive_other(Context& context, Packet& packet);
  void obey(Context& context, Packet& pause);
  void buffer(Context& context, Packet& packet);
  void handle(Context& context, Packet& packet);
  void handle_request(Context& context, QueuePair& queue_pair, const Packet& packet);
  void handle_other(Context& context, QueuePair& queue_pair, const Packet& packet);
  void handle_nak(Context& context, QueuePair& queue_pair, const Packet& packet);
  void receiver_not_ready(Context& context, QueuePair& queue_pair, const Packet& packet);
  void received_messages(Context& context, QueuePair& queue_pair);
  void delay_reply(Context& context, QueuePair& queue_pair);
  void progressed(Context& context, QueuePair& queue_pair);

  // Whose turn it is.
  void offer(Context& context);
  void acknowledge(Context& context, QueuePair& queue_pair);
  bool owe_reply(QueuePair& queue_pair);
  bool activate(QueuePair& queue_pair);
  [[nodiscard]] static bool has_request(const QueuePair& queue_pair);
  [[nodiscard]] static bool has_data(const QueuePair& queue_pair);

  // nic_waits.cpp
  [[nodiscard]] Duration timeout_of(const QueuePair& queue_pair) const;
  void restart_steady_timer(Context& context, QueuePair& queue_pair);
  void restart_timer(Context& context, QueuePair& queue_pair);
  void arm_timer(Context& context, QueuePair& queue_pair);
  void wait(Context& context, const Wait& wait);
  void await_order(Context& context, QueuePair& queue_pair);
  void order_is_due(Context& context, QueuePair& queue_pair);
  void end_wait(Context& context, const Wait& wait);
  void schedule_waits(Context& context);
  bool must_await_slot(Context& context, QueuePair& queue_pair);
  void await_slot(Context& context, Time at);
  void took_slot(Time now);
  void next_message(Context& context);
  void complete(Context& context, const NicCompletion& completion);
  void enter(Context& context, const NicCompletion& completion);
  void handled(Context& context);
  void hand_over(Context& context, const NicCompletion& completion);

  struct Deadline {
    Time at;
    QueuePairId queue_pair;
    bool operator<(const Deadline& other) const {  // for a heap with the earliest on top
      return at != other.at ? at > other.at : queue_pair > other.queue_pair;
    }
  };

  [[nodiscard]] QueuePair& at(QueuePairId id) { return queue_pairs_[id.index()]; }

  // Two cache lines for every packet, and one for each of the queues.
  std::vector<QueuePair> queue_pairs_;
  const FrameSizes* sizes_;
  HostId host_;
  std::uint32_t acknowledge_frame_;
  bool limits_messages_;
  bool adapts_timeouts_;
  bool watches_requests_;  // limits messages or adapts time-outs
  bool watches_arrivals_;  // receives slowly, delays replies or adapts time-outs
  Duration timeout_;
  NicCounters counters_;
  TurnQueue<&QueuePair::send_turn, &QueuePair::next_sending> senders_;
  TurnQueue<&QueuePair::reply_turn, &QueuePair::next_replying> repliers_;
  Port port_;

  // What time-outs, completions and options need.
  SourceId timer_source_;
  SourceId receive_source_;
  SourceId completions_source_;
  SourceId waits_source_;
  Duration ack_interval_;            // between acknowledges of a queue pair that has the port to itself
  std::vector<Deadline> deadlines_;  // a heap; a queue pair's earliest counts, perhaps too early
  std::vector<NicCompletion> completions_;
  Ring<Packet*> receive_buffer_;
  Bytes occupancy_{0};
  std::vector<Wait> waits_;         // a heap
  Time next_slot_;                  // when the next message may start, with a limited message rate
  std::int64_t slot_remainder_{0};  // of its time, in picoseconds x messages per second
  std::vector<QueuePairId> awaiting_slot_;
  bool slot_awaited_{false};     // one of `waits_` is for it
  Ring<NicCompletion> queued_;   // in the completion queue
  Ring<NicCompletion> no_room_;  // complete, but for a place in it
  Time no_room_since_;
  PrioritySet lossless_;
  NicConfig config_;
};

/// Whether its requester may send, but for a message that waits for its slot.
inline bool Nic::has_request(const QueuePair& queue_pair) {
  return queue_pair.requester.can_send() && !(queue_pair.awaits_slot && queue_pair.requester.starts_message());
}

inline bool Nic::has_data(const QueuePair& queue_pair) {
  return has_request(queue_pair) || queue_pair.responder.has_response();
}

/// It waits its turn if it has something to send. Returns whether it did not before.
inline bool Nic::activate(QueuePair& queue_pair) {
  if (queue_pair.sending || !has_data(queue_pair)) return false;
  queue_pair.sending = true;
  senders_.append(queue_pairs_, queue_pair, queue_pair.priority);
  return true;
}

/// The same with the reply that it owes.
inline bool Nic::owe_reply(QueuePair& queue_pair) {
  if (queue_pair.replying) return false;
  queue_pair.replying = true;
  repliers_.append(queue_pairs_, queue_pair, queue_pair.ack_priority);
  return true;
}

/// Something may be sent: now if the wire is free, else when it is.
inline void Nic::offer(Context& context) {
  if (port_.idle(context.now)) {
    transmit(context);
  } else {
    port_.wake_when_free(context);
  }
}

/// An acknowledge is owed, and may go at once where nothing waits for the port.
inline void Nic::acknowledge(Context& context, QueuePair& queue_pair) {
  if (!port_.idle(context.now)) {
    owe_reply(queue_pair);
    port_.wake_when_free(context);
  } else {
    acknowledge_at_once(context, queue_pair);
  }
}

/// A packet that asks for an acknowledge is outstanding: the time-out runs from now on.
inline void Nic::restart_timer(Context& context, QueuePair& queue_pair) {
  if (!adapts_timeouts_) [[likely]]
    return restart_steady_timer(context, queue_pair);
  queue_pair.deadline = context.now + timeout_of(queue_pair);
  arm_timer(context, queue_pair);  // it may be earlier than before
}

/// The same where time-outs do not adapt: a timer that runs wakes earlier, looks and sleeps again.
inline void Nic::restart_steady_timer(Context& context, QueuePair& queue_pair) {
  queue_pair.deadline = context.now + timeout_;
  if (!queue_pair.timer_runs) [[unlikely]]
    arm_timer(context, queue_pair);
}

}  // namespace soya
