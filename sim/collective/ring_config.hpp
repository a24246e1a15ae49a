// Ring collectives as NCCL's Simple protocol runs them.
// Simplifies: reduction takes `reduce_time` per slice, the same on every rank; no intra-server transport.
// Source: NCCL 2.x defaults (NCCL_BUFFSIZE 4 MiB in NCCL_STEPS 8; chunk 4 steps, slice 2 steps), docs/model.md section 8.
// Validated by tests/unit/collective and tests/analytic.
#pragma once

#include "core/units.hpp"

namespace soya {

struct RingConfig {
  int channels{2};                           ///< rings that share the data, one queue pair per neighbour each
  Bytes slice{1024 * 1024};                  ///< largest RDMA message: 2 steps of 512 KiB
  int slices_per_chunk{2};                   ///< a chunk is 4 steps: 2 MiB
  int slots{4};                              ///< slices outstanding per channel: the 4 MiB buffer
  Bytes clear_to_send{64};                   ///< payload of the message that opens a slot
  Duration reduce_time{0};                   ///< of one slice on each of the N − 1 reducing steps, one slice after another
};

}  // namespace soya
