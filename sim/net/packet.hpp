// A packet under way and the pool all packets of a simulation live in. A packet is one cache line; queues
// and links carry their ids, so nothing is allocated per packet after warm-up.
// Simplifies: payload is a count, not bytes. Source: RoCEv2 BTH and AETH fields.
// Validated by tests/property/conservation_test.cpp, which ends with an empty pool.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/operation.hpp"
#include "core/units.hpp"
#include "net/frame.hpp"

namespace soya {

enum class PacketKind : std::uint8_t { data, read_request, read_response, acknowledge, nak, rnr_nak, pfc };

/// Whether the packet is a request or carries payload: no reply and no PFC frame.
[[nodiscard]] constexpr bool is_data(PacketKind kind) { return kind <= PacketKind::read_response; }

/// What a PFC frame says: `enabled` priorities are paused for `quanta` if in `paused`, else resumed (time 0).
struct PfcFields {
  PrioritySet enabled;
  PrioritySet paused;
  std::uint16_t quanta{0};
};

struct alignas(64) Packet {
  std::uint64_t flow_hash{0};     ///< ECMP entropy
  std::uint64_t tag{0};           ///< of the work request
  HostId source;
  HostId destination;
  QueuePairId queue_pair;         ///< at the destination
  std::uint32_t psn{0};           ///< 24 bits; of an acknowledge the last in-order PSN, of a NAK the first missing one
  std::uint32_t frame{0};         ///< frame bytes, no wire gap
  std::uint32_t payload{0};       ///< bytes, before padding; of a READ request those of its last response: it has none
  PacketId next;                  ///< of the pool's free packets
  Priority priority;
  PacketKind kind{PacketKind::data};
  Operation operation{Operation::write};
  PacketPosition position{PacketPosition::only};
  bool ack_request{false};
  PfcFields pfc;
  std::uint32_t count{0};         ///< of a READ request its responses; of a reply the packets missing from the first gap
  std::uint32_t highest{0};       ///< of a reply under selective repeat: PSN after the highest that has arrived

  [[nodiscard]] Bytes frame_size() const { return Bytes{frame}; }
  [[nodiscard]] Bytes wire_size() const { return Bytes{frame} + wire_gap; }
};
static_assert(sizeof(Packet) == 64, "a packet is one cache line");

/// Packets in blocks that never move, so that a reference stays good while others are taken.
class PacketPool {
 public:
  [[nodiscard]] Packet& operator[](PacketId id) { return (*blocks_[id.index() >> block_bits])[id.index() & (block_size - 1)]; }
  [[nodiscard]] const Packet& operator[](PacketId id) const {
    return (*blocks_[id.index() >> block_bits])[id.index() & (block_size - 1)];
  }

  /// A packet with unspecified fields; the caller sets all of them that its kind uses.
  [[nodiscard]] PacketId take() {
    if (free_.is_none()) grow();
    const PacketId id = free_;
    free_ = (*this)[id].next;
    if (++in_use_ > peak_) peak_ = in_use_;
    return id;
  }
  void release(PacketId id) {
    SOYA_DCHECK(in_use_ > 0, "a packet is released once");
    (*this)[id].next = free_;
    free_ = id;
    --in_use_;
  }
  [[nodiscard]] std::int64_t in_use() const { return in_use_; }
  [[nodiscard]] std::int64_t peak() const { return peak_; }

 private:
  static constexpr std::size_t block_bits = 10;
  static constexpr std::size_t block_size = std::size_t{1} << block_bits;
  using Block = std::array<Packet, block_size>;

  void grow() {
    const std::size_t base = blocks_.size() * block_size;
    blocks_.push_back(std::make_unique<Block>());
    for (std::size_t i = block_size; i-- > 0;) {
      const PacketId id{base + i};
      (*this)[id].next = free_;
      free_ = id;
    }
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  PacketId free_{PacketId::none()};
  std::int64_t in_use_{0};
  std::int64_t peak_{0};
};

}  // namespace soya
