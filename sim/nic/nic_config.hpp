// The RDMA NIC of a host and its reliable connections.
// Simplifies: no host bus, no doorbells; a slow host is a receive rate.
// Source: InfiniBand Architecture Specification vol. 1, chapter 9; defaults as commented.
// Validated by tests/bench_top/transport_test.cpp.
#pragma once

#include <optional>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "transport/transport_config.hpp"

namespace soya {

/// A receiver that drains slower than its port: its buffer fills and it sends PFC.
struct SlowReceiver {
  Rate rate{100'000'000'000};                ///< at which frames leave the receive buffer
  Bytes buffer{2 * 1024 * 1024};             ///< overrun is a lossless drop
  Bytes xoff{1024 * 1024};                   ///< PAUSE when occupancy reaches this
  Bytes xon{512 * 1024};                     ///< resume when occupancy falls to this
};

/// Completions wait here until the host has handled them, one after another.
struct CompletionQueue {
  int depth{4096};                           ///< completions of all queue pairs of a NIC together
  Duration handling{0};                      ///< of the host, for each
};

struct NicConfig {
  int queue_depth{128};                      ///< work requests outstanding per queue pair; perftest's tx_depth
  int ack_every{64};                         ///< AckReq on every n-th packet and on the last of a message
  int timeout_exponent{14};                  ///< 4.096 µs × 2^t = 67.1 ms; perftest's default
  std::optional<Duration> timeout;           ///< an explicit time instead of the exponent
  int retry_count{7};                        ///< perftest's and NCCL's default
  std::int64_t max_unacked{(std::int64_t{1} << 23) - 1};  ///< packets outstanding per queue pair, < 2^23 (PSN order)
  std::uint32_t initial_psn{0};              ///< 24 bits
  std::optional<Priority> ack_priority;      ///< absent: acknowledges travel in the flow's priority
  std::optional<SlowReceiver> receive;       ///< absent: the host takes frames at line rate
  Retransmission retransmission{Retransmission::go_back_n};  ///< of connections whose other end has the same
  std::int64_t reorder_window{65'536};       ///< packets that selective repeat places out of order: 256 MiB at 4096 B
  std::optional<Duration> reorder_timeout;   ///< selective repeat: a gap is no loss before; absent: paths keep the order
  bool adaptive_retransmission{false};       ///< time-outs follow the round trip; else always the configured one
  int max_reads{16};                         ///< READs outstanding per queue pair; max_rd_atomic, perftest's outs
  std::optional<ReceiveQueue> receive_queue; ///< absent: a receive is always posted
  Duration rnr_timer{640'000'000};           ///< a requester waits it where no receive is posted; verbs' code 12
  int rnr_retry{7};                          ///< 7: for ever
  std::optional<CompletionQueue> completion_queue;  ///< absent: a completion takes no time and no room
  Duration ack_delay{0};                     ///< an acknowledge may wait it for more to acknowledge
  std::optional<std::int64_t> message_rate;  ///< messages per second that start at most, all queue pairs together

  [[nodiscard]] Duration retransmission_timeout() const {
    return timeout ? *timeout : Duration{4'096'000 * (std::int64_t{1} << timeout_exponent)};
  }
};

}  // namespace soya
