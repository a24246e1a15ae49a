// What distance, message size and queue depth leave of the line rate: the steady goodput of a stream of like messages,
// and of a ring's channels.
// Simplifies: nothing else is on the path and nothing is lost; the queue pairs of a stream go in step; an acknowledge
// waits for no frame. Source: ours, derived below. Validated by tests/unit/planning/long_haul_test.cpp,
// tests/analytic/goodput_test.cpp and tests/analytic/nccl_distance_test.cpp.
//
// A work request completes C after its first bit left: its packets travel the path, the last one's acknowledge travels
// back (`completion_time` of planning/ideal_time.hpp: propagation both ways, serialisation, store and forward).
// Messages of one queue pair follow each other every s, the wire's or the NIC's time for a message of each of the n
// queue pairs. With n of several packets, which take turns by packet, C is (n - 1) x (message - packet) longer.
//
// A send queue of depth D whose every m-th request is signalled gets its slots back m at a time. Request k waits for
// the signalled one that frees its slot; with q = floor(D / m) and r = D mod m, the batch b of m requests starts when
// request b m - 1 completes, which is the (m - r)-th of batch b - q:
//
//     start(b) = max(start(b - 1) + m s, start(b - q) + (m - 1 - r) s + C)
//
// so that the steady state has one message per max(s, (C + (m - 1 - r) s) / (q m)) and queue pair. All signalled
// (m = 1), that is min(rate x efficiency, depth x message / (round trip + serialisation)). The same holds, in packets,
// for `max_unacked`, whose slots come back with every `ack_every`-th packet and the last of a message. A READ completes
// when its request has gone there and its responses have come back, which are what the wire carries; of those a queue
// pair has `max_reads` outstanding.
#pragma once

#include <cstdint>
#include <optional>

#include "collective/ring_config.hpp"
#include "core/operation.hpp"
#include "core/units.hpp"
#include "net/frame_config.hpp"
#include "planning/ideal_time.hpp"
#include "planning/ring_time.hpp"

namespace soya {

/// What keeps a stream from going faster.
enum class GoodputLimit : std::uint8_t {
  wire,          ///< the slowest link, less headers
  message_rate,  ///< messages per second of the NIC
  window,        ///< work requests outstanding
  unacked,       ///< packets outstanding
  reads,         ///< READs outstanding
  losses,        ///< the wire, less what losses make it send again
  slots,         ///< slices of a ring's channel outstanding
  steps,         ///< a ring's steps, each of which waits for the one before
};

/// "the wire", "the message rate of the NIC", …
[[nodiscard]] const char* limit_text(GoodputLimit limit);

/// Like messages, posted as soon as the send queue takes them.
struct MessageStream {
  Operation operation{Operation::write};
  Bytes message{};  ///< payload; at least 1 B
  int queue_pairs{1};
  std::int64_t depth{128};                                ///< work requests outstanding per queue pair
  std::int64_t signal_every{1};                           ///< one in so many is signalled; at most `depth`
  int ack_every{64};                                      ///< NicConfig::ack_every
  std::int64_t max_unacked{(std::int64_t{1} << 23) - 1};  ///< packets outstanding per queue pair
  std::int64_t max_reads{16};                             ///< outstanding per queue pair; of READs only
  std::optional<std::int64_t> message_rate{};             ///< messages per second of the NIC; absent: no limit
  double loss{0};                                         ///< chance that a packet is lost on its way
  double burst{1};                                        ///< packets lost one after another, on average
  bool selective_repeat{false};                           ///< else go-back-N
};

struct Goodput {
  Rate rate{};                             ///< payload
  GoodputLimit limit{GoodputLimit::wire};  ///< which of them it is
  Duration completion{};                   ///< C: from a message's first bit until its work request completes
};

/// The goodput of `stream` once its first window is under way. `paths.forward` goes from the requester to the
/// responder and has a hop at least, as `paths.back` has.
[[nodiscard]] Goodput steady_goodput(const FrameConfig& frame, const RoundTrip& paths, const MessageStream& stream);

/// What each rank of a ring sends in a long all-reduce. In a loop of 2(N - 1) steps, slice i of a step goes when slice
/// i of the step before has arrived, and the next loop begins when the last step's m slices have: a loop, in which each
/// channel sends 2(N - 1) m slices, takes
///
///     2(N - 1)/N x (sum of the N edges' delivery of a slice) + (m - 1) x slice
///
/// with m = `slices_per_chunk`; no edge carries more than `slots` slices of a channel per round trip, which the next
/// rank's clear-to-send ends; and none more than its wire. A slice is delivered at its channel's share of the wire.
/// Close for 2m <= `slots`, as NCCL has it; with fewer slots, receive slots wait for send slots, and it is an upper
/// bound. Absent for a ring of one rank.
[[nodiscard]] std::optional<Goodput> ring_goodput(const RingNetwork& network, const RingConfig& ring);

}  // namespace soya
