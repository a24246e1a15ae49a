// How long a ring all-reduce takes when nothing else is on its links.
// Simplifies: all ranks begin together; channels run in step and share a rank's wire evenly; links are never paused.
// Source: the dependencies of NCCL's Simple protocol, docs/model.md section 8, as a max-plus recursion.
// Validated by tests/unit/planning/ring_time_test.cpp against ring state machines packet by packet, and by
// tests/analytic against the simulation.
//
// A channel's share is worked through in loops of one chunk per rank; in a loop each rank sends J = 2(N - 1) chunks of
// m slices, m <= slots. Let k count the slices that a rank sends on a channel, e the edge of the ring from it to the
// next rank, e' the edge before. A slice is placed in a send slot, and its receive slot given back, at
//
//     placed(e, k) = max(placed(e, k - 1), arrived(e', k - m) + D, arrived(e, k - slots) + A(e))
//
// that is in order, when the same slice of the step before has arrived and is reduced (D, in the first N - 1 steps),
// and when the send slot's last slice is acknowledged, which takes A. Step 0 of a loop needs no arrival but follows the
// arrival of the loop before's last slice. It starts when the wire is free and the receiver has opened a slot, which
// it says when it places or takes the slice `slots` earlier; the message takes C; at first all slots are open at C:
//
//     start(e, k) = max(placed(e, k), start(e, k - 1) + B(k), taken(e, k - slots) + C(e))
//     arrived(e, k) = start(e, k) + M(e, k)
//
// B is the wire's busy time for a slice of every channel, with headers and with the clear-to-sends and acknowledges
// that travel the same way. M is the slice's delivery (store and forward, propagation, switches) and, packet by packet
// in turn, what the other channels send meanwhile. One rank stands for all where the edges are alike; otherwise the
// cost is ranks x slices.
//
// Where each step's m B exceeds B + (M - B) + D, as with large slices on short paths, the wire never waits: the whole
// takes C + J x m B x loops + one slice's tail, which is 2(N - 1)/N x S x (mtu + 82)/mtu / R and a few microseconds,
// the term of docs/model.md section 9. With one small slice per chunk each step takes M: latency alone.
#pragma once

#include <vector>

#include "collective/ring.hpp"
#include "core/units.hpp"
#include "net/frame_config.hpp"
#include "planning/ideal_time.hpp"

namespace soya {

/// The paths between a rank and the next one.
struct RingEdge {
  std::vector<PathHop> forward{};  ///< of slices
  std::vector<PathHop> back{};     ///< of acknowledges and clear-to-sends
};

/// The network under a ring.
struct RingNetwork {
  FrameConfig frame{};
  int ack_every{64};              ///< NicConfig::ack_every
  std::vector<RingEdge> edges{};  ///< one per rank, from rank r to r + 1; none or one for a ring of one rank
};

/// The slowest rate on the ring's forward paths: what a rank's wire can carry. At least one edge.
[[nodiscard]] Rate ring_rate(const RingNetwork& network);

/// From the instant at which all ranks begin until the last has the result. Zero for one rank or no data.
[[nodiscard]] Duration ring_all_reduce_time(const RingData& data, const RingConfig& ring, const RingNetwork& network);

}  // namespace soya
