// Sizes of the frames of a RoCEv2 fabric and of the packets a message is cut into.
// Simplifies: no IP or Ethernet options beyond those of FrameConfig.
// Source: IEEE 802.3 (preamble 8, gap 12, Ethernet 14, FCS 4, 64 B minimum), 802.1Q (4), 802.1Qbb (64 B PFC frame),
// InfiniBand Architecture vol. 1 and its RoCEv2 annex (UDP 8, BTH 12, RETH 16, AETH 4, ImmDt 4, ICRC 4). Validated by tests/unit/net/frame_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/operation.hpp"
#include "core/units.hpp"
#include "net/frame_config.hpp"

namespace soya {

/// Preamble, start delimiter and inter-packet gap: on the wire, in no buffer.
inline constexpr Bytes wire_gap{20};
inline constexpr Bytes minimum_frame{64};
/// A PFC frame without the wire gap.
inline constexpr Bytes pfc_frame{64};

/// Position of a packet in its message. `only` is first and last.
enum class PacketPosition : std::uint8_t { first, middle, last, only };

[[nodiscard]] constexpr bool is_first(PacketPosition p) { return p == PacketPosition::first || p == PacketPosition::only; }
[[nodiscard]] constexpr bool is_last(PacketPosition p) { return p == PacketPosition::last || p == PacketPosition::only; }

/// Frame bytes (no wire gap) of every kind of packet under one FrameConfig.
class FrameSizes {
 public:
  constexpr explicit FrameSizes(const FrameConfig& config)
      : mtu_{config.mtu},
        overhead_{14 + (config.vlan ? 4 : 0) + (config.ip == IpVersion::v4 ? 20 : 40) + 8 + 12 + 4 + 4} {}

  [[nodiscard]] constexpr Bytes mtu() const { return mtu_; }
  /// Ethernet through BTH plus ICRC and FCS: 62 B for IPv4 without VLAN.
  [[nodiscard]] constexpr Bytes overhead() const { return overhead_; }

  /// A packet with payload: of a READ its response.
  [[nodiscard]] constexpr Bytes data(Operation operation, PacketPosition position, Bytes payload) const {
    std::int64_t frame = overhead_.count() + (payload.count() + 3) / 4 * 4;
    if (operation == Operation::read) {
      if (position != PacketPosition::middle) frame += 4;
    } else if (operation != Operation::send && is_first(position)) {
      frame += 16;
    }
    if (operation == Operation::write_immediate && is_last(position)) frame += 4;
    return Bytes{std::max(frame, minimum_frame.count())};
  }
  [[nodiscard]] constexpr Bytes acknowledge() const { return Bytes{std::max(overhead_.count() + 4, minimum_frame.count())}; }

  [[nodiscard]] constexpr Bytes read_request() const { return Bytes{overhead_.count() + 16}; }

  /// The largest frame of a message of `operation` and any size: `first` or `only` where there is a RETH or AETH.
  [[nodiscard]] constexpr Bytes largest(Operation operation) const { return data(operation, PacketPosition::only, mtu_); }
  /// The largest frame a Middle packet makes.
  [[nodiscard]] constexpr Bytes middle() const { return data(Operation::send, PacketPosition::middle, mtu_); }

  /// Packets of a message of `size` bytes; an empty message is one packet.
  [[nodiscard]] constexpr std::int64_t packets(Bytes size) const {
    return size.count() == 0 ? 1 : (size.count() + mtu_.count() - 1) / mtu_.count();
  }

  /// Wire bytes of a whole message, gaps included; of a READ those of its responses.
  [[nodiscard]] constexpr Bytes message_on_wire(Operation operation, Bytes size) const {
    const std::int64_t n = packets(size);
    const Bytes tail{size.count() - (n - 1) * mtu_.count()};
    if (n == 1) return data(operation, PacketPosition::only, tail) + wire_gap;
    return data(operation, PacketPosition::first, mtu_) + data(operation, PacketPosition::last, tail) +
           (n - 2) * data(operation, PacketPosition::middle, mtu_) + n * wire_gap;
  }

 private:
  Bytes mtu_;
  Bytes overhead_;
};

}  // namespace soya
