// The RDMA NIC of a host and its reliable connections.
// Simplifies: no host bus, no doorbells; a slow host is a receive rate.
// Source: InfiniBand Architecture Specification vol. 1, chapter 9; defaults as commented.
// Validated by tests/bench_top/transport_test.cpp.
#pragma once

#include <optional>

#include "core/ids.hpp"
#include "core/units.hpp"

namespace soya {

/// A receiver that drains slower than its port: its buffer fills and it sends PFC.
struct SlowReceiver {
  Rate rate{100'000'000'000};                ///< at which frames leave the receive buffer
  Bytes buffer{2 * 1024 * 1024};             ///< overrun is a lossless drop
  Bytes xoff{1024 * 1024};                   ///< PAUSE when occupancy reaches this
  Bytes xon{512 * 1024};                     ///< resume when occupancy falls to this
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

  [[nodiscard]] Duration retransmission_timeout() const {
    return timeout ? *timeout : Duration{4'096'000 * (std::int64_t{1} << timeout_exponent)};
  }
};

}  // namespace soya
