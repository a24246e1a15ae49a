// What a workload puts on the wire: of each connection and each of its ends the bytes it sends, split into data,
// acknowledges and control messages, with headers, preamble and gap.
// Simplifies: nothing is lost, sent again or put together with other acknowledges; PFC frames are not counted.
// Source: docs/model.md sections 1, 6 and 8. Validated by tests/unit/planning/wire_demand_test.cpp, and against what
// the simulation sends by tests/analytic/plan_load_test.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collective/ring.hpp"
#include "core/ids.hpp"
#include "core/operation.hpp"
#include "core/units.hpp"
#include "net/frame.hpp"
#include "nic/nic_config.hpp"
#include "workload/workload_config.hpp"

namespace soya {

/// Bytes on the wire, gaps included.
struct WireLoad {
  Bytes data{};         ///< packets with payload, and those of empty messages; READ responses
  Bytes acknowledge{};  ///< one for each packet that asks
  Bytes control{};      ///< clear-to-sends and READ requests

  [[nodiscard]] constexpr Bytes total() const { return data + acknowledge + control; }
  constexpr WireLoad& operator+=(const WireLoad& other) {
    data += other.data;
    acknowledge += other.acknowledge;
    control += other.control;
    return *this;
  }
  friend constexpr WireLoad operator+(WireLoad a, const WireLoad& b) { return a += b; }
  friend constexpr WireLoad operator*(std::int64_t n, const WireLoad& a) {
    return {n * a.data, n * a.acknowledge, n * a.control};
  }
  bool operator==(const WireLoad&) const = default;
};

/// What one end of a connection posts, and what comes of it: `there` from that end, `back` from the other.
struct Exchange {
  static constexpr Bytes never{std::numeric_limits<std::int64_t>::max()};

  WireLoad there{};
  WireLoad back{};
  std::int64_t messages{0};
  Bytes payload{};
  Bytes smallest{never};      ///< wire bytes of the smallest message
  Bytes closest_asks{never};  ///< fewest wire bytes from the end of a packet that asks to the end of the next that does
  Bytes smallest_ask{never};  ///< fewest wire bytes of a packet that asks
  std::int64_t frames_there{0};
  std::int64_t frames_back{0};

  Exchange& operator+=(const Exchange& other);
  friend Exchange operator*(std::int64_t n, Exchange a);
};

/// Like messages of one end. Messages that are `alone` start only when the one before has arrived.
struct MessageKind {
  Operation operation{Operation::write};
  Bytes size{};
  std::int64_t count{1};
  bool control{false};
  bool alone{false};
};

[[nodiscard]] Exchange exchange_of(const MessageKind& messages, const FrameSizes& sizes, const NicConfig& sender);

/// Of a connection: what its end a posts and what its end b does.
struct ConnectionTraffic {
  Exchange by_a{};
  Exchange by_b{};

  [[nodiscard]] WireLoad from_a() const { return by_a.there + by_b.back; }
  [[nodiscard]] WireLoad from_b() const { return by_b.there + by_a.back; }
  /// Of what an end sends: packets, acknowledges and control messages.
  [[nodiscard]] std::int64_t frames_from_a() const { return by_a.frames_there + by_b.frames_back; }
  [[nodiscard]] std::int64_t frames_from_b() const { return by_b.frames_there + by_a.frames_back; }
};

/// The hosts' NICs, by HostId, and the frames between them.
struct Senders {
  FrameSizes sizes;
  std::span<const NicConfig> nics;
};

/// One collective of a ring, by connection: that of rank r and channel c is number r x channels + c, none where there
/// is one rank. O(ranks x channels), whatever the size.
[[nodiscard]] std::vector<ConnectionTraffic> ring_traffic(const RingData& data, std::span<const HostId> hosts,
                                                          const RingConfig& ring, const Senders& senders);

/// The whole of a job, by its connections' numbers.
[[nodiscard]] std::vector<ConnectionTraffic> job_traffic(const JobConfig& job, const Senders& senders);

}  // namespace soya
