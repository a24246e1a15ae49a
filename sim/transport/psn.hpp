// Packet sequence numbers: 24 bits on the wire, compared by signed distance; 64 bits inside.
// Simplifies: nothing. Source: InfiniBand Architecture vol. 1, 9.7.
// Validated by tests/unit/transport/psn_test.cpp.
#pragma once

#include <cstdint>

namespace soya {

/// A packet's place in its queue pair's stream. Its low 24 bits are the PSN.
using Sequence = std::int64_t;

inline constexpr std::uint32_t psn_mask = 0xFF'FFFF;
/// At most this many packets are outstanding, so that the signed distance is unambiguous.
inline constexpr std::int64_t psn_window = std::int64_t{1} << 23;

[[nodiscard]] constexpr std::uint32_t psn_of(Sequence sequence) { return static_cast<std::uint32_t>(sequence) & psn_mask; }

/// Signed distance from `from` to `to`, in [−2^23, 2^23).
[[nodiscard]] constexpr std::int32_t psn_distance(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::int32_t>((to - from) << 8) >> 8;
}

/// The sequence nearest to `reference` whose PSN is `psn`.
[[nodiscard]] constexpr Sequence sequence_near(Sequence reference, std::uint32_t psn) {
  return reference + psn_distance(psn_of(reference), psn);
}

}  // namespace soya
