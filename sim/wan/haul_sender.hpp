// What an accelerator keeps of one connection until its partner has stored it: packets by their PSN, sent over the long
// link and sent again where they are lost.
// Simplifies: the long link does not reorder, so what was sent before a packet that has arrived, and is reported
// missing, is lost. Source: ours, selective repeat as in docs/model.md, "Pseudo-ACK accelerators". Validated by
// tests/unit/wan/haul_sender_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/ring.hpp"
#include "core/units.hpp"
#include "net/packet.hpp"
#include "transport/psn.hpp"
#include "wan/haul_message.hpp"

namespace soya {

class HaulSender {
 public:
  enum class State : std::uint8_t {
    absent,   ///< has not come from the site
    waiting,  ///< to be sent for the first time
    sent,
    lost,    ///< to be sent again
    stored,  ///< the partner has it
  };
  struct Kept {
    Packet* packet{nullptr};         ///< none unless it waits, is sent or lost
    std::uint32_t frame{0};  ///< bytes
    State state{State::absent};
    std::uint64_t sent{0};  ///< when it was sent last, counted in packets of the connection
  };

  explicit HaulSender(std::uint32_t initial_psn) : base_{initial_psn}, end_{initial_psn} {}

  /// A packet from the site that was not there yet.
  void store(Sequence at, Packet* packet, std::uint32_t frame);
  /// The packet at `at` if it waits to be sent, or sent again; else null.
  [[nodiscard]] const Kept* to_send(Sequence at) const;
  /// It has been sent.
  void sent(Sequence at);

  /// The partner has replied. What it has stored by now goes to `released`, what has to be sent again to `lost`.
  /// Returns whether that is news.
  bool replied(const HaulReply& reply, std::vector<Kept>& released, std::vector<Sequence>& lost);
  /// No news in time: the first and the last packet on the way are sent again, whose replies tell of all between.
  void timed_out(std::vector<Sequence>& lost);

  /// Packets sent and not known to be stored or lost.
  [[nodiscard]] std::int64_t on_the_way() const { return on_the_way_; }
  /// Packets sent again.
  [[nodiscard]] std::int64_t retransmitted() const { return retransmitted_; }

 private:
  [[nodiscard]] bool knows(Sequence at) const { return at >= base_ && at < end_; }
  [[nodiscard]] Kept& at(Sequence place) { return kept_[static_cast<std::uint32_t>(place - base_)]; }
  [[nodiscard]] const Kept& at(Sequence place) const { return kept_[static_cast<std::uint32_t>(place - base_)]; }
  bool note_stored(Kept& kept, std::vector<Kept>& released);
  void note_lost(Sequence place, std::vector<Sequence>& lost);

  Ring<Kept> kept_;  // from base_ to end_
  Sequence base_;    // all before it is stored by the partner
  Sequence end_;     // of what the site has sent
  std::uint64_t sends_{0};
  std::int64_t on_the_way_{0};
  std::int64_t retransmitted_{0};
};

}  // namespace soya
