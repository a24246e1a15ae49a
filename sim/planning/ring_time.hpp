// How long a ring all-reduce takes when nothing else is on its links.
// Simplifies: all ranks begin together; the channels' slices are all alike; links are never paused; a clear-to-send
// waits for no slice but the one that comes in. Source: the dependencies of NCCL's Simple protocol and the NIC's order
// of packets, docs/model.md sections 6 and 8. Validated by tests/unit/planning/ring_time_test.cpp against ring state
// machines packet by packet, and by tests/analytic/all_reduce_test.cpp against the simulation.
//
// A channel's share is worked through in loops of one chunk per rank; in a loop each rank sends J = 2(N - 1) chunks of
// m slices, m <= slots. Let k count the slices that a rank sends on a channel, e the edge of the ring from it to the
// next rank, e' the edge before. A slice is placed in a send slot, and its receive slot given back, at
//
//     placed(e, k) = max(placed(e, k - 1), arrived(e', k - m) + D, arrived(e, k - slots) + A(e))
//
// that is in order, when the same slice of the step before has arrived and is reduced (D, in the first N - 1 steps),
// and when the send slot's last slice is acknowledged, which takes A. Step 0 of a loop needs no arrival but follows the
// arrival of the loop before's last slice. A slice starts when the wire is free and the receiver has opened a slot,
// which it says when it places or takes the slice `slots` earlier; the message takes C; at first all slots are open at
// C. A NIC sends acknowledges before data: whatever came in and lets the slice go, a slice or a clear-to-send, is
// acknowledged first, on the same wire, which takes a:
//
//     start(e, k) = max(placed(e, k), arrived(e', k - m) + a, start(e, k - 1) + B(k - 1), taken(e, k - slots) + C(e) +
//     a) arrived(e, k) = start(e, k) + M(e, k)
//
// B is the wire's busy time for a slice of every channel: itself, the acknowledges of the slice that comes in
// meanwhile, and, as long as there are clear-to-sends to come (one per slice; `slots` at once in the beginning, then
// one with each slice taken), one of them and the acknowledge of another. M is the slice's delivery (store and forward,
// propagation, switches) and what the NIC sends between its first packet and its last: its clear-to-send, whose queue
// pair has the second turn; the next rank's clear-to-send's acknowledge, and those of the slice that comes in, as far
// as they come in before the last packet starts.
//
// Channels begin together, the first one two packets ahead: a queue pair that has more to send is back in the queue
// before one that is posted to while its packet is on the wire. So M has (channels - 1) x (slice - lead) of the others'
// packets, and the last channel ends (channels - 1) x lead after the first, where lead is at most the slice. With each
// slice that finds the wire free the lead grows by a packet, until the channels' slices follow each other whole.
//
// Exact for one channel of like slices and more slots than slices in a step. Where each step's m B exceeds M + a + D, as
// with large slices on short paths, the wire never waits: the whole takes C + a + J x m x B x loops and one slice's
// tail, which is 2(N - 1)/N x S x (mtu + 82)/mtu / R and a few microseconds, the term of docs/model.md section 9. With
// one slice of one packet per chunk latency alone rules:
//
//     T = C + J x (a + M)
//
// One rank stands for all where the edges are alike; otherwise the cost is ranks x slices.
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
