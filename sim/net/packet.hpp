// A packet under way and the pool all packets of a simulation live in. A packet is one cache line; queues
// and links point to it, so nothing is allocated per packet after warm-up.
// Simplifies: payload is a count, not bytes. Source: RoCEv2 BTH and AETH fields.
// Validated by tests/property/conservation_test.cpp, which ends with an empty pool.
#pragma once

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
[[nodiscard]] constexpr bool is_data(PacketKind kind) {
  return kind <= PacketKind::read_response;
}

/// What a PFC frame says: `enabled` priorities are paused for `quanta` if in `paused`, else resumed (time 0).
struct PfcFields {
  PrioritySet enabled;
  PrioritySet paused;
  std::uint16_t quanta{0};
};

struct alignas(64) Packet {
  std::uint64_t flow_hash{0};  ///< ECMP entropy
  std::uint64_t tag{0};        ///< of the work request
  HostId source;
  HostId destination;
  QueuePairId queue_pair;    ///< at the destination
  std::uint32_t psn{0};      ///< 24 bits; of an acknowledge the last in-order PSN, of a NAK the first missing one
  std::uint32_t frame{0};    ///< frame bytes, no wire gap
  std::uint32_t payload{0};  ///< bytes, before padding; of a READ request those of its last response: it has none
  Priority priority;
  PacketKind kind{PacketKind::data};
  Operation operation{Operation::write};
  PacketPosition position{PacketPosition::only};
  bool ack_request{false};
  PfcFields pfc;
  std::uint32_t count{0};    ///< of a READ request its responses; of a reply the packets missing from the first gap
  std::uint32_t highest{0};  ///< of a reply under selective repeat: PSN after the highest that has arrived

  [[nodiscard]] Bytes frame_size() const { return Bytes{frame}; }
  [[nodiscard]] Bytes wire_size() const { return Bytes{frame} + wire_gap; }
};
static_assert(sizeof(Packet) == 64, "a packet is one cache line");

/// Packets in blocks that never move: a reference is good until its packet is released.
class PacketPool {
 public:
  /// A packet with unspecified fields; the caller sets all of them that its kind uses.
  [[nodiscard]] Packet& take() {
    if (free_ == 0) [[unlikely]]
      return add();
    return *stack_[--free_];
  }
  void release(Packet& packet) {
    SOYA_DCHECK(in_use() > 0, "a packet is released once");
    stack_[free_++] = &packet;
  }
  [[nodiscard]] std::int64_t in_use() const { return made_ - static_cast<std::int64_t>(free_); }
  /// The most that were in use at one time: a packet is made when none is free.
  [[nodiscard]] std::int64_t peak() const { return made_; }

  /// Fetches the packet that the `ahead`-th `take` from now on will return, since it will be written.
  void fetch(std::size_t ahead) const {
    if (ahead < free_) __builtin_prefetch(stack_[free_ - 1 - ahead], 1);
  }

 private:
  static constexpr std::size_t block_size = 1024;

  [[nodiscard]] Packet& add() {
    const std::size_t place = static_cast<std::size_t>(made_++) % block_size;
    if (place == 0) {
      blocks_.push_back(std::make_unique<Packet[]>(block_size));
      stack_.resize(blocks_.size() * block_size);
    }
    return blocks_.back()[place];
  }

  std::size_t free_{0};  // so many lie on the stack: none is read to find the next one
  std::vector<Packet*> stack_;
  std::int64_t made_{0};
  std::vector<std::unique_ptr<Packet[]>> blocks_;
};

}  // namespace soya
