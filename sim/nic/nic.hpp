// The RDMA NIC of a host: queue pairs that share one port round robin per packet, acknowledges first.
// Simplifies: no host bus; completions are handed over at the instant they happen.
// Source: InfiniBand Architecture vol. 1, chapters 9 and 10; docs/model.md section 6.
// Validated by tests/bench_top/transport_test.cpp and tests/bench_top/nic_pfc_test.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/ids.hpp"
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
  SendCompletion work;                   ///< of `received`: size and tag only
};

struct NicCounters {
  std::int64_t sent_payload{0};          ///< bytes, retransmissions included
  std::int64_t sent_packets{0};
  std::int64_t received_packets{0};
  std::int64_t overruns{0};              ///< lossless frames a slow receiver's full buffer refused
};

class Nic {
 public:
  struct Setup {
    HostId host;
    PortSetup port;
    SourceId timer;                      ///< fires for the earliest time-out
    SourceId receive;                    ///< fires when a slow receiver has handled a frame
    SourceId completions;                ///< fires when the host has something to learn
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
  void hold(Context& context, bool held);

  /// What happened since the host last looked; the host clears it.
  [[nodiscard]] std::vector<NicCompletion>& completions() { return completions_; }
  [[nodiscard]] Port& port() { return port_; }
  [[nodiscard]] const Port& port() const { return port_; }
  [[nodiscard]] std::vector<QueuePair>& queue_pairs() { return queue_pairs_; }
  [[nodiscard]] const std::vector<QueuePair>& queue_pairs() const { return queue_pairs_; }
  [[nodiscard]] const NicCounters& counters() const { return counters_; }
  /// Frames in a slow receiver's buffer.
  [[nodiscard]] Bytes receive_occupancy() const { return occupancy_; }

 private:
  void accept(Context& context, PacketId id);
  void buffer(Context& context, PacketId id);
  void handle(Context& context, PacketId id);
  void handle_data(Context& context, QueuePairId id, const Packet& packet);
  void progressed(Context& context, QueuePairId id);
  void start_reply(Context& context, PrioritySet eligible);
  bool start_data(Context& context, PrioritySet paused);
  PacketId new_packet(Context& context, const QueuePair& queue_pair);
  void offer(Context& context);
  void activate(QueuePairId id);
  void arm_timer(Context& context, QueuePairId id);
  void complete(Context& context, const NicCompletion& completion);

  struct Deadline {
    Time at;
    QueuePairId queue_pair;
    bool operator<(const Deadline& other) const {  // for a heap with the earliest on top
      return at != other.at ? at > other.at : queue_pair > other.queue_pair;
    }
  };

  NicConfig config_;
  PrioritySet lossless_;
  const FrameSizes* sizes_;
  HostId host_;
  Port port_;
  SourceId timer_source_;
  SourceId receive_source_;
  SourceId completions_source_;
  std::vector<QueuePair> queue_pairs_;
  TurnQueue<&QueuePair::send_turn, &QueuePair::next_sending> senders_;
  TurnQueue<&QueuePair::reply_turn, &QueuePair::next_replying> repliers_;
  std::vector<Deadline> deadlines_;      // a heap; a queue pair is in it at most once, perhaps too early
  std::vector<NicCompletion> completions_;
  std::deque<PacketId> receive_buffer_;
  Bytes occupancy_{0};
  NicCounters counters_;
};

}  // namespace soya
