// How a reliable connection makes lost packets good, and the receives a host posts for it.
// Simplifies: both ends of a connection repeat alike; a host posts its receives after a fixed time.
// Source: InfiniBand Architecture vol. 1, 9.7; docs/model.md section 6.
// Validated by tests/bench_top/selective_repeat_test.cpp and tests/bench_top/operations_test.cpp.
#pragma once

#include <cstdint>

#include "core/units.hpp"

namespace soya {

enum class Retransmission : std::uint8_t {
  go_back_n,         ///< what follows a lost packet is dropped, and sent again with it
  selective_repeat,  ///< what follows is placed; only what is missing is sent again
};

/// Receives that a host posts for SEND and WRITE with immediate.
struct ReceiveQueue {
  int depth{512};      ///< posted at the start; perftest's rx_depth
  Duration repost{0};  ///< from a message's completion until its receive is posted again
};

}  // namespace soya
