// One direction of a link: frames in flight in order, the earliest of which is the link's one pending event.
// Simplifies: constant delay, no reordering. A link that is down loses what is in flight and what starts meanwhile.
// Source: docs/model.md section 2. Validated by tests/bench_top/link_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "net/context.hpp"
#include "net/packet.hpp"

namespace soya {

class Link {
 public:
  /// `source` fires when the head arrives at the far end.
  Link(Duration one_way, SourceId source) : delay_{one_way}, source_{source}, ring_(initial_ring) {}

  /// Whose frames these are, for the facts of their loss.
  void name_sender(NodeId node, PortId port) {
    sender_ = node;
    sender_port_ = port;
  }

  /// A frame whose last bit leaves at `last_bit` (> now).
  void carry(Context& context, PacketId id, Time last_bit) {
    if (scripted_) [[unlikely]] {
      if (lose(context, id)) return;
    }
    if (count_ == ring_.size()) [[unlikely]] grow();
    const InFlight frame{last_bit + delay_, id, phase(context, id)};
    ring_[(head_ + count_) & (ring_.size() - 1)] = frame;
    if (count_++ == 0) context.events.schedule(source_, frame.arrival, frame.phase);
  }

  /// The head has arrived: takes it off the link and exposes the next.
  [[nodiscard]] PacketId take(Context& context) {
    SOYA_DCHECK(count_ > 0 && ring_[head_].arrival == context.now, "a link delivers its head on time");
    const PacketId id = ring_[head_].packet;
    advance();
    if (--count_ > 0) context.events.schedule(source_, ring_[head_].arrival, ring_[head_].phase);
    return id;
  }

  /// Loses everything in flight and everything that starts until `up`. Times of being down may overlap.
  void down(Context& context);
  void up() { --downs_; }
  /// Loses the `nth` data packet or acknowledge (NAKs count as such) that starts from now on, counted from 1.
  void lose_nth(PacketKind kind, std::int64_t nth);

  [[nodiscard]] std::int64_t lost() const { return lost_; }
  [[nodiscard]] std::size_t in_flight() const { return count_; }

 private:
  struct InFlight {
    Time arrival;
    PacketId packet;
    Phase phase{};  // of its arrival, kept so that the packet itself is not touched before it arrives
  };
  struct ScriptedLoss {
    bool data{true};
    std::int64_t countdown{0};
  };
  static constexpr std::size_t initial_ring = 8;

  [[nodiscard]] static Phase phase(Context& context, PacketId id) {
    return context.packet(id).kind == PacketKind::pfc ? Phase::control_arrival : Phase::data_arrival;
  }
  void advance() { head_ = (head_ + 1) & (static_cast<std::uint32_t>(ring_.size()) - 1); }
  bool lose(Context& context, PacketId id);
  void count_loss(Context& context, PacketId id);
  void grow();

  Duration delay_;
  SourceId source_;
  bool scripted_{false};        // a fault may strike: look before carrying
  std::vector<InFlight> ring_;  // a power of two
  std::uint32_t head_{0};
  std::uint32_t count_{0};
  int downs_{0};
  std::int64_t lost_{0};
  std::vector<ScriptedLoss> losses_;
  NodeId sender_;
  PortId sender_port_;
};

}  // namespace soya
