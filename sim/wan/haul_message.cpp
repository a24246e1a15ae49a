#include "wan/haul_message.hpp"

#include "transport/psn.hpp"

namespace soya {

void write(Packet& packet, const HaulReply& reply) {
  packet.kind = reply.missing > 0 ? PacketKind::nak : PacketKind::acknowledge;
  packet.psn = reply.expected;
  packet.tag = reply.answers | std::uint64_t{reply.missing_from} << 24;
  packet.count = reply.missing;
  packet.payload = reply.placed;
  packet.flow_hash = reply.freed;
}

HaulReply reply_in(const Packet& packet) {
  return {packet.psn,
          static_cast<std::uint32_t>(packet.tag) & psn_mask,
          static_cast<std::uint32_t>(packet.tag >> 24) & psn_mask,
          packet.count,
          packet.payload,
          static_cast<std::uint32_t>(packet.flow_hash)};
}

void write(Packet& packet, const HaulCredit& credit) {
  packet.kind = PacketKind::acknowledge;
  packet.queue_pair = QueuePairId::none();
  packet.psn = credit.probe;
  packet.count = credit.passing_received;
  packet.flow_hash = credit.freed;
}

HaulCredit credit_in(const Packet& packet) {
  return {packet.psn, packet.count, static_cast<std::uint32_t>(packet.flow_hash)};
}

void write_probe(Packet& packet, std::uint32_t number) {
  packet.kind = PacketKind::nak;
  packet.queue_pair = QueuePairId::none();
  packet.psn = number;
}

}  // namespace soya
