// What a collective must move at least, and the factor that turns its algorithm bandwidth into bus bandwidth.
// Simplifies: no reduction in the network.
// Source: NVIDIA nccl-tests, doc/PERFORMANCE.md (busbw); Patarasuk and Yuan, 2009 (2(N - 1)/N is optimal).
// Validated by tests/unit/planning/collective_bounds_test.cpp.
// The exact bytes of each rank, remainders included, are RingLayout::sent_by (collective/ring.hpp).
#pragma once

#include <cstdint>

#include "core/units.hpp"

namespace soya {

enum class Collective {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  gather,
  scatter,
  broadcast,
  reduce,
  send_receive
};

/// busbw = algbw x factor. One rank moves nothing: factor 0.
[[nodiscard]] Ratio busbw_factor(Collective collective, std::int64_t ranks);

/// Bytes that the busiest rank sends or receives at least, for `size` bytes as nccl-tests counts them; rounded up.
[[nodiscard]] Bytes bytes_per_rank(Collective collective, std::int64_t ranks, Bytes size);

/// The shortest time `bytes_per_rank` takes at `rate`, without headers.
[[nodiscard]] Duration shortest_time(Collective collective, std::int64_t ranks, Bytes size, Rate rate);

}  // namespace soya
