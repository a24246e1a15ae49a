// One direction of a link: frames in flight in order, the earliest of which is the link's one pending event.
// Simplifies: constant delay but for a protection switch, no reordering. A link that is down loses what is in flight and what starts meanwhile.
// A frame that is lost at random is gone when it starts.
// Source: docs/model.md section 2. Validated by tests/bench_top/link_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/ids.hpp"
#include "core/ring.hpp"
#include "core/units.hpp"
#include "net/context.hpp"
#include "net/crossing.hpp"
#include "net/frame_loss.hpp"
#include "net/packet.hpp"

namespace soya {

class Link {
 public:
  /// `source` fires when the head arrives at the far end.
  Link(Duration one_way, SourceId source) : delay_{one_way}, source_{source} {}

  /// Whose frames these are, for the facts of their loss.
  void name_sender(NodeId node, PortId port) {
    sender_ = node;
    sender_port_ = port;
  }

  /// A frame whose last bit leaves at `last_bit` (> now), and the phase in which it arrives.
  void carry(Context& context, Packet& packet, Time last_bit, Phase phase) {
    Time arrival = last_bit + delay_;
    if (script_ != nullptr) [[unlikely]] {
      if (script_->can_strike && lose(context, packet)) return;
      arrival = behind_others(context, last_bit, arrival);
      if (script_->crossing != nullptr) return cross(context, packet, arrival, phase);
    }
    const bool alone = in_flight_.empty();
    in_flight_.push().set(packet, arrival, phase);
    if (alone) context.events.schedule(source_, arrival, phase);
  }

  /// The head has arrived: takes it off the link and exposes the next.
  [[nodiscard]] Packet& take(Context& context) {
    SOYA_DCHECK(in_flight_.front().arrival() == context.now, "a link delivers its head on time");
    Packet& packet = in_flight_.front().packet();
    in_flight_.pop();
    if (!in_flight_.empty()) {
      const InFlight& next = in_flight_.front();
      __builtin_prefetch(&next.packet());  // it was last touched a propagation delay ago
      context.events.schedule(source_, next.arrival(), next.phase());
    }
    return packet;
  }

  /// Makes this the sender's half of a link to another partition: no frame is ever in flight on it, and losses are
  /// decided here. The other half, at the receiving port, gets frames by `receive`.
  void cut(Crossing& crossing) {
    if (script_ == nullptr) script_ = std::make_unique<Script>();
    script_->crossing = &crossing;
  }
  void receive(Context& context, const Packet& crossed, const Waybill& way);

  /// What `receive` will touch, and what the arrival of the head will: its place on the link, then the packet itself.
  void fetch_for_receive(const Context& context) const {
    in_flight_.fetch_back();
    context.events.fetch(source_);
  }
  void fetch_head() const { in_flight_.fetch_front(); }
  /// The frame that arrives next; null where there is none.
  [[nodiscard]] const Packet* head() const { return in_flight_.empty() ? nullptr : &in_flight_.front().packet(); }

  /// Loses everything in flight and everything that starts until `up`. Times of being down may overlap.
  void down(Context& context);
  /// Loses everything in flight.
  void lose_in_flight(Context& context);
  void up() { --script().downs; }
  [[nodiscard]] bool is_down() const { return script_ != nullptr && script_->downs > 0; }
  /// Frames that start from now on take `one_way`. Those that started before still arrive when they would have, and
  /// on a shorter way the others stay behind them.
  void reroute(Duration one_way);
  [[nodiscard]] Duration delay() const { return delay_; }
  /// Loses every frame but PFC that starts until `end_burst`, or `frames` of them. Bursts may overlap.
  void begin_burst() { ++script().bursts; }
  void end_burst() { --script().bursts; }
  void lose_next(std::int64_t frames) { script().next += frames; }
  /// Loses the `nth` data packet, acknowledge (NAKs count as such) or PFC frame that starts from now on, counted from 1.
  void lose_nth(PacketKind kind, std::int64_t nth);
  /// From now on frames are lost at random, too.
  void lose_at_random(const LossConfig& loss, RandomStream stream);

  [[nodiscard]] std::int64_t lost() const { return script_ == nullptr ? 0 : script_->lost; }
  [[nodiscard]] std::size_t in_flight() const { return in_flight_.size(); }

 private:
  /// A quarter of a cache line: the phase of the arrival, one of two, is the lowest bit of its time. A run ends before
  /// 2^62 ps.
  class InFlight {
   public:
    void set(Packet& packet, Time arrival, Phase phase) {
      packet_ = &packet;
      twice_ = 2 * arrival.picoseconds() + (phase == Phase::data_arrival ? 1 : 0);
    }
    [[nodiscard]] Packet& packet() const { return *packet_; }
    [[nodiscard]] Time arrival() const { return Time{twice_ >> 1}; }
    [[nodiscard]] Phase phase() const { return (twice_ & 1) != 0 ? Phase::data_arrival : Phase::control_arrival; }

   private:
    Packet* packet_{nullptr};
    std::int64_t twice_{0};
  };
  struct ScriptedLoss {
    PacketKind kind{PacketKind::data};
    std::int64_t countdown{0};
  };
  /// Faults, losses and what they took, and the way across a cut. Only links that a scenario has some for have one.
  struct Script {
    Crossing* crossing{nullptr};
    bool can_strike{false};  // not one that is only cut
    int downs{0};
    int bursts{0};
    std::int64_t next{0};  // frames still to be lost one after another
    std::int64_t lost{0};
    std::vector<ScriptedLoss> losses;
    std::unique_ptr<FrameLoss> random;
  };

  [[nodiscard]] Script& script();
  bool lose(Context& context, Packet& packet);
  [[nodiscard]] bool lose_by_script(PacketKind kind);
  [[nodiscard]] Time behind_others(const Context& context, Time last_bit, Time arrival) const;
  void cross(Context& context, Packet& packet, Time arrival, Phase phase);
  void count_loss(Context& context, Packet& packet);

  Ring<InFlight> in_flight_;
  Duration delay_;
  std::unique_ptr<Script> script_;  // none: nothing can strike
  SourceId source_;
  NodeId sender_;
  PortId sender_port_;
};

}  // namespace soya
