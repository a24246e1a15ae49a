// The frames that wait in one queue of a switch port, in order, with what the switch wants to know of each: a packet is
// not touched between its arrival and its next node.
// Simplifies: nothing. A ring that doubles when it is full and keeps its size.
// Source: docs/model.md section 2. Validated by tests/unit/fabric/packet_queue_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/units.hpp"
#include "net/packet.hpp"

namespace soya {

/// A frame in a switch.
struct WaitingFrame {
  Time ready;  ///< may leave the pipeline from here on
  PacketId packet;
  std::uint32_t bytes{0};  ///< frame bytes
  PortId ingress;          ///< came in by
  PacketKind kind{PacketKind::data};
};

class PacketQueue final {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint32_t size() const { return count_; }

  /// The oldest. The queue is not empty.
  [[nodiscard]] const WaitingFrame& front() const {
    SOYA_DCHECK(count_ > 0, "the front of an empty queue");
    return ring_[head_];
  }

  void push(Time ready, PacketId packet, std::uint32_t bytes, PortId ingress, PacketKind kind) {
    if (count_ == capacity_) [[unlikely]]
      grow();
    // Field by field: g++ copies a whole entry in words that overlap, each of which waits for the one before.
    WaitingFrame& back = ring_[slot(count_++)];
    back.ready = ready;
    back.packet = packet;
    back.bytes = bytes;
    back.ingress = ingress;
    back.kind = kind;
  }

  /// Forgets the oldest. The queue is not empty.
  void pop() {
    SOYA_DCHECK(count_ > 0, "a pop from an empty queue");
    head_ = slot(1);
    --count_;
  }

  /// Calls `visit(frame)` for each frame, oldest first.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t i = 0; i < count_; ++i) visit(ring_[slot(i)]);
  }

 private:
  static constexpr std::uint32_t initial_capacity = 8;

  [[nodiscard]] std::uint32_t slot(std::uint32_t i) const { return (head_ + i) & (capacity_ - 1); }
  void grow() {
    const std::uint32_t larger = std::max(initial_capacity, 2 * capacity_);
    auto ring = std::make_unique<WaitingFrame[]>(larger);
    for (std::uint32_t i = 0; i < count_; ++i) ring[i] = ring_[slot(i)];
    ring_ = std::move(ring);
    capacity_ = larger;
    head_ = 0;
  }

  std::unique_ptr<WaitingFrame[]> ring_;  // made when the first frame comes
  std::uint32_t capacity_{0};             // a power of two
  std::uint32_t head_{0};
  std::uint32_t count_{0};
};

}  // namespace soya
