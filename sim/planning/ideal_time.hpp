// How long one message takes when it has the fabric to itself: the bound that a transfer's slowdown is measured by.
// Simplifies: no pause, no window, no message-rate limit; earlier acknowledges do not delay the last.
// Source: the max-plus recursion of packets through store-and-forward queues, as in network calculus (Le Boudec and
// Thiran, 2001). Validated by tests/unit/planning/ideal_time_test.cpp against the recursion packet by packet.
//
// Packet i starts on hop h when it has arrived there and waited out the pipeline, and packet i - 1 has left the wire:
//
//     start(h, i) = max(arrival(h - 1, i) + latency(h), start(h, i - 1) + w(i - 1) / R(h))
//     arrival(h, i) = start(h, i) + w(i) / R(h) + one way(h)
//
// For a run of n packets of equal size, unrolled: a path through the grid of hops and packets goes n - 1 times to the
// next packet and some times to the next hop. To the next packet costs w / R of the hop where it happens, so all n - 1
// happen at the slowest hop of those passed. With free(k) the instant at which hop k's wire is free before the run,
//
//     free'(h) = max over k <= h of free(k) + sum of k <= m < h of step(m) + (n - 1) x w / min(R(k..h)) + w / R(h)
//     step(m) = w / R(m) + one way(m) + latency(m + 1)
//
// which costs hops x hops per run, whatever n is. Exact where each rate takes whole picoseconds per byte; elsewhere
// rounded down once per term, so never above what ports that carry their remainder need.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/operation.hpp"
#include "core/units.hpp"
#include "net/frame.hpp"

namespace soya {

/// A transmitter on the path and the link behind it.
struct PathHop {
  Rate rate{};
  Duration one_way{};
  Duration latency_before{};  ///< of the node that transmits: last byte in to first byte out; 0 for a NIC
  constexpr bool operator==(const PathHop&) const = default;
};

/// `count` packets in a row of `wire` bytes each, preamble and gap included.
struct FrameRun {
  std::int64_t count{0};
  Bytes wire{};
  constexpr bool operator==(const FrameRun&) const = default;
};

/// The packets of a message of `size` bytes in order: at most First, Middle…, Last.
[[nodiscard]] std::vector<FrameRun> message_frames(const FrameSizes& sizes, Operation operation, Bytes size);

/// From the first bit that leaves the first hop until the last byte of the last packet has arrived.
/// Zero without hops or packets.
[[nodiscard]] Duration delivery_time(std::span<const PathHop> hops, std::span<const FrameRun> frames);

/// A message's way there and its last acknowledge's way back.
struct RoundTrip {
  std::span<const PathHop> forward;
  std::span<const PathHop> back;
};

/// From the first bit of the message until the sender has its acknowledge: when its work request completes.
[[nodiscard]] Duration completion_time(const RoundTrip& paths, std::span<const FrameRun> frames,
                                       Bytes acknowledge_wire);
/// From the first bit of a READ request until the requester has the last response: `responses` come on the way back.
[[nodiscard]] Duration read_time(const RoundTrip& paths, std::span<const FrameRun> responses, Bytes request_wire);

}  // namespace soya
