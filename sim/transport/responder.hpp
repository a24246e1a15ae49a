// The receiving half of a reliable connection: requests in, acknowledges, NAKs and READ responses out.
// Simplifies: no access errors; an acknowledge that waits for the port covers all that has arrived meanwhile; READs are
// executed when all before them has arrived, and a READ repeated by selective repeat goes before those that wait.
// Source: InfiniBand Architecture vol. 1, 9.7 (RC responder); docs/model.md section 6.
// Validated by tests/unit/transport, tests/bench_top/transport_test.cpp and tests/property/reliable_test.cpp.
#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/units.hpp"
#include "net/frame.hpp"
#include "net/packet.hpp"
#include "transport/arrival_window.hpp"
#include "transport/psn.hpp"
#include "transport/transport_config.hpp"
#include "transport/young_gaps.hpp"

namespace soya {

/// What the responder owes the requester.
enum class Reply : std::uint8_t { none, acknowledge, nak, receiver_not_ready };

struct ResponderConfig {
  std::uint32_t initial_psn{0};
  Retransmission retransmission{Retransmission::go_back_n};
  std::int64_t reorder_window{65'536};
  std::optional<Duration>
      reorder_timeout{};  ///< of selective repeat: a gap is told of when it is as old; absent: at once
  Bytes mtu{4096};
  std::optional<ReceiveQueue> receives{};  ///< absent: there is always one
};

class Responder {
 public:
  explicit Responder(const ResponderConfig& config);

  struct Arrival {
    bool reply{false};     ///< an acknowledge or NAK is now owed
    bool can_wait{false};  ///< it may wait for more to arrive
    bool response{false};  ///< there are responses to send
    bool young{false};     ///< a gap has opened that may close by itself: `gaps_grew_old` is due at `next_old_gap`
    bool message{false};   ///< there is something in `received`
  };
  /// A message that the host learns of.
  struct Received {
    Bytes size;
    std::uint64_t tag{0};
    bool took_receive{false};
  };
  /// `receive` of a data packet that is what most are: in order within its message, while nothing else is owed. Whether
  /// it was one; an acknowledge is owed then if it asks. Of another nothing is done yet.
  [[nodiscard]] bool moved_on(const Packet& packet) {
    const Sequence at = window_.cumulative();
    if (packet.psn != psn_of(at) || is_last(packet.position) || !state_.plain() || !window_.complete()) return false;
    window_.receive(at);
    delivered_ += packet.payload;
    if (packet.ack_request) state_.owed = Reply::acknowledge;
    return true;
  }
  Arrival receive(const Packet& packet, Time now) {
    const Sequence at = sequence_near(window_.cumulative(), packet.psn);
    if (at == window_.cumulative() && window_.complete() && packet.kind == PacketKind::data && !state_.counts_receives)
        [[likely]] {
      window_.receive(at);
      return in_order(packet, at);
    }
    Arrival arrival = receive_other(packet, at, now);
    arrival.message = !received_.empty();
    return arrival;
  }

  [[nodiscard]] Reply owed() const {
    return !selective() || selective_->naks.empty() || state_.owed == Reply::receiver_not_ready ? state_.owed
                                                                                                : Reply::nak;
  }
  /// Fills in what is owed: kind, psn, and with selective repeat count and highest. Returns whether more is owed.
  bool fill_reply(Packet& packet);
  /// Whether what is owed is an acknowledge that only names a PSN, as most do.
  [[nodiscard]] bool owes_acknowledge() const { return state_.owed == Reply::acknowledge && !selective(); }
  /// Fills that in. Nothing more is owed.
  void fill_acknowledge(Packet& packet) {
    packet.kind = PacketKind::acknowledge;
    packet.psn = psn_of(window_.cumulative() - 1);
    state_.owed = Reply::none;
  }

  /// When the next gap is as old as the reorder time-out; absent where there is none.
  [[nodiscard]] std::optional<Time> next_old_gap() const {
    return selective() ? selective_->young.next() : std::nullopt;
  }
  /// Gaps that are old by now are told of. A reply may be owed then.
  void gaps_grew_old(Time now);

  [[nodiscard]] bool has_response() const { return state_.responding; }
  /// Fills in the next READ response: kind, psn, payload, frame, operation, position. There is one.
  void fill_response(Packet& packet, const FrameSizes& sizes);

  /// Messages the host has to learn of since the last call, in order; the caller clears the vector.
  [[nodiscard]] std::vector<Received>& received() { return received_; }
  /// The host posts a receive that is there from `at` on; calls come in the order of time.
  void post_receive(Time at) { receives_->coming.push_back(at); }

  [[nodiscard]] std::int64_t delivered() const { return delivered_; }  ///< payload bytes, duplicates not counted
  [[nodiscard]] std::int64_t duplicates() const { return duplicates_; }
  [[nodiscard]] std::int64_t gaps() const { return gaps_; }
  [[nodiscard]] const ResponderConfig& config() const { return config_; }
  [[nodiscard]] const ArrivalWindow& window() const { return window_; }

 private:
  /// Responses to send.
  struct Read {
    Span places;
    Sequence next{0};  ///< of `places`, to be sent
    std::uint32_t last_payload{0};
    std::uint64_t tag{0};
  };
  /// The end of a message that came before what is ahead of it.
  struct End {
    Span places;  ///< of a READ request; of another message its last packet
    std::uint32_t payload{0};
    std::uint64_t tag{0};
    Operation operation{Operation::write};
  };
  /// What selective repeat keeps, beside its window.
  struct Selective {
    std::vector<Read> repeated;  ///< asked for again
    std::vector<Span> naks;      ///< gaps to be told of
    YoungGaps young;             ///< … when they are old, with a reorder time-out
    Sequence told{0};            ///< end of the last gap that was
    std::vector<Sequence> asks;  ///< packets beyond young gaps that ask for an acknowledge
    std::vector<End> ends;       ///< in the order of the stream
  };
  struct Receives {
    int ready{0};
    std::deque<Time> coming;
  };

  /// What makes a packet in order more than that, in one word.
  struct State {
    Reply owed{Reply::none};
    bool counts_receives{false};  ///< there is not always one
    bool responding{false};       ///< there are READ responses to send
    bool gap_reported{false};     ///< go-back-N: a NAK was sent, or nothing more is placed until a receive is there
    [[nodiscard]] bool plain() const { return std::bit_cast<std::uint32_t>(*this) == 0; }
  };

  [[nodiscard]] bool selective() const { return selective_ != nullptr; }
  void fill_other_reply(Packet& packet);
  [[nodiscard]] bool fill_gap(Packet& packet);
  Arrival in_order(const Packet& packet, Sequence at) {
    state_.gap_reported = false;
    delivered_ += packet.payload;
    const bool last = is_last(packet.position);
    const bool message = last && notifies_receiver(packet.operation);
    if (message) note_received(packet.operation, packet.payload, packet.tag, at);
    if (last) message_first_ = at + 1;
    // A NAK that could not leave before the gap closed becomes an acknowledge.
    const bool reply = packet.ack_request || state_.owed != Reply::none;
    if (reply) state_.owed = Reply::acknowledge;
    return {reply, !(last && packet.ack_request), has_response(), false, message};
  }
  Arrival receive_other(const Packet& packet, Sequence at, Time now);
  Arrival refuse(Sequence at);
  Arrival out_of_order();
  Arrival selective_arrival(const Packet& packet, Sequence at, Time now);
  Arrival duplicate(const Packet& packet, Sequence at);
  void tell(Span gap);
  [[nodiscard]] bool note_ask(bool asks, Sequence at);
  void read_again(const Packet& packet, Sequence at);
  void execute(std::vector<Read>& queue, const Read& read) {
    queue.push_back(read);
    state_.responding = true;
  }
  bool take_receive(const Packet& packet, Sequence at, Time now);
  void note_end(const Packet& packet, Sequence at);
  void pass_ends();
  void note_received(Operation operation, std::uint32_t payload, std::uint64_t tag, Sequence last);
  [[nodiscard]] std::int64_t missing_before(Sequence at) const;

  // One cache line for what comes in order, where its owner aligns it so.
  std::int64_t delivered_{0};
  Sequence message_first_;  // of the message that `window_.cumulative()` is in
  State state_;
  std::unique_ptr<Selective> selective_;  // none: go-back-N
  ArrivalWindow window_;

  // What messages, gaps and READs need.
  std::vector<Received> received_;
  std::int64_t duplicates_{0};
  std::int64_t gaps_{0};
  std::optional<Sequence> refused_;  // no receive: nothing from here on is placed until this has been
  std::unique_ptr<Receives> receives_;
  std::vector<Read> reads_;  // in the order of the stream
  ResponderConfig config_;
};

}  // namespace soya
