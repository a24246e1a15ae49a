// The receiving half of a reliable connection: in-order packets in, acknowledges and NAKs out.
// Simplifies: no RNR, no access errors; an acknowledge that waits for the port covers all that has arrived meanwhile.
// Source: InfiniBand Architecture vol. 1, 9.7 (RC responder); docs/model.md section 6.
// Validated by tests/unit/transport/responder_test.cpp and tests/bench_top/transport_test.cpp.
#pragma once

#include <cstdint>

#include "core/units.hpp"
#include "net/packet.hpp"
#include "transport/psn.hpp"

namespace soya {

/// What the responder owes the requester.
enum class Reply : std::uint8_t { none, acknowledge, nak };

class Responder {
 public:
  explicit Responder(std::uint32_t initial_psn) : expected_{initial_psn & psn_mask} {}

  struct Arrival {
    bool in_order{false};
    bool reply{false};               ///< an acknowledge or NAK is now owed
    bool message_complete{false};    ///< the last packet of a message was placed
    Bytes message_size;              ///< its bytes, where complete
  };
  Arrival receive(const Packet& packet) {
    const std::int32_t distance = psn_distance(expected_, packet.psn);
    if (distance == 0) [[likely]] return in_order(packet);
    Arrival arrival;
    if (distance > 0) {
      if (gap_reported_) return arrival;  // one NAK for a gap and no more
      gap_reported_ = true;
      owed_ = Reply::nak;
    } else {
      // Every duplicate is acknowledged, whether it asks or not (C9-105): a requester that starts again from a packet
      // that has arrived, and loses a later one each time, would never get on otherwise.
      ++duplicates_;
      if (owed_ == Reply::nak) return arrival;
      owed_ = Reply::acknowledge;
    }
    arrival.reply = true;
    return arrival;
  }

  [[nodiscard]] Reply owed() const { return owed_; }
  /// Fills in kind and psn of the reply that is owed; nothing is owed afterwards.
  void fill_reply(Packet& packet) {
    packet.kind = owed_ == Reply::nak ? PacketKind::nak : PacketKind::acknowledge;
    packet.psn = owed_ == Reply::nak ? expected_ : (expected_ - 1) & psn_mask;
    owed_ = Reply::none;
  }

  [[nodiscard]] std::int64_t delivered() const { return delivered_; }   ///< payload bytes, duplicates not counted
  [[nodiscard]] std::int64_t duplicates() const { return duplicates_; }

 private:
  Arrival in_order(const Packet& packet) {
    Arrival arrival;
    arrival.in_order = true;
    expected_ = (expected_ + 1) & psn_mask;
    gap_reported_ = false;
    message_ += packet.payload;
    delivered_ += packet.payload;
    if (owed_ == Reply::nak) {
      owed_ = Reply::acknowledge;  // the gap closed before the NAK could leave
    } else if (packet.ack_request) {
      owed_ = Reply::acknowledge;
    }
    arrival.reply = owed_ != Reply::none;
    if (is_last(packet.position)) {
      arrival.message_complete = true;
      arrival.message_size = Bytes{message_};
      message_ = 0;
    }
    return arrival;
  }

  std::uint32_t expected_;
  bool gap_reported_{false};
  Reply owed_{Reply::none};
  std::int64_t message_{0};
  std::int64_t delivered_{0};
  std::int64_t duplicates_{0};
};

}  // namespace soya
