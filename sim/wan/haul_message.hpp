// What the two accelerators of a pair tell each other over the long link beside the packets they relay.
// Simplifies: one frame format of our own, an acknowledge with 16 B more; what it holds rides in fields of `Packet`.
// Source: ours; the published idea (docs/model.md, "Pseudo-ACK accelerators") does not say.
// Validated by tests/unit/wan/haul_message_test.cpp.
#pragma once

#include <cstdint>

#include "core/units.hpp"
#include "net/packet.hpp"

namespace soya {

/// The frame of each of these: an acknowledge with what it has not got.
inline constexpr Bytes haul_message_extra{16};

/// About one connection, from the accelerator that stores its packets to the one that sends them. All but the counters
/// are PSNs.
struct HaulReply {
  std::uint32_t expected{0};      ///< all before it is stored
  std::uint32_t answers{0};       ///< the packet that has arrived last
  std::uint32_t missing_from{0};  ///< the gap that is reported, where `missing` > 0
  std::uint32_t missing{0};       ///< packets
  std::uint32_t placed{0};        ///< payload bytes that the destination has acknowledged, modulo 2^32
  std::uint32_t freed{0};         ///< frame bytes that have left the store, of all connections, modulo 2^32
};
void write(Packet& packet, const HaulReply& reply);
[[nodiscard]] HaulReply reply_in(const Packet& packet);

/// About the pair as a whole: the answer to a probe, or news of room.
struct HaulCredit {
  std::uint32_t probe{0};             ///< the number of the probe it answers; 0: none
  std::uint32_t passing_received{0};  ///< bytes of frames that are only passed on, modulo 2^32
  std::uint32_t freed{0};             ///< as above
};
void write(Packet& packet, const HaulCredit& credit);
[[nodiscard]] HaulCredit credit_in(const Packet& packet);

/// A sender that waits for room asks for a `HaulCredit`.
void write_probe(Packet& packet, std::uint32_t number);

/// Whether a frame is about the pair as a whole, a probe or a credit; a probe's number is its PSN.
[[nodiscard]] inline bool is_of_pair(const Packet& packet) {
  return packet.queue_pair.is_none();
}
[[nodiscard]] inline bool is_probe(const Packet& packet) {
  return is_of_pair(packet) && packet.kind == PacketKind::nak;
}

/// `total`, of which `news` is a later value modulo 2^32; an earlier one changes nothing.
[[nodiscard]] constexpr std::int64_t advanced(std::int64_t total, std::uint32_t news) {
  const auto step = static_cast<std::int32_t>(news - static_cast<std::uint32_t>(total));
  return step > 0 ? total + step : total;
}

}  // namespace soya
