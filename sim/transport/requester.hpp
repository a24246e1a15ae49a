// The sending half of a reliable connection: work requests in, packets out, acknowledges and READ responses back.
// Simplifies: the time-out runs from the first packet that asks for an acknowledge after progress; an acknowledge is no
// evidence that a READ response is lost.
// Source: InfiniBand Architecture vol. 1, 9.7 (RC requester); docs/model.md section 6.
// Validated by tests/unit/transport, tests/bench_top/transport_test.cpp and tests/property/reliable_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/operation.hpp"
#include "core/ring.hpp"
#include "core/units.hpp"
#include "net/frame.hpp"
#include "net/packet.hpp"
#include "transport/arrival_window.hpp"
#include "transport/psn.hpp"
#include "transport/resend_list.hpp"
#include "transport/transport_config.hpp"
#include "transport/young_gaps.hpp"

namespace soya {

/// One work request in a send queue.
struct SendRequest {
  Bytes size;
  Operation operation{Operation::write};
  std::uint64_t tag{0};
  std::uint32_t record{0};  ///< the poster's own number, back in `SendCompletion`
};

struct SendCompletion {
  Bytes size;
  std::uint64_t tag{0};
  std::uint32_t record{0};
  std::int64_t retransmitted{0};  ///< packets of this request sent again; of a READ, responses asked for again
};

struct RequesterConfig {
  int queue_depth{128};
  int ack_every{64};
  int retry_count{7};
  std::int64_t max_unacked{psn_window - 1};
  std::uint32_t initial_psn{0};
  int max_reads{16};
  int rnr_retry{7};  ///< 7: for ever
  Retransmission retransmission{Retransmission::go_back_n};
  std::optional<Duration> reorder_timeout{};  ///< a missing READ response is asked for again when it is as late
  bool holds_slots{false};  ///< a completed request keeps its place in the send queue until `release_slot`
};

class alignas(64) Requester {
 public:
  enum class Failure : std::uint8_t { none, retries, receiver_not_ready };

  explicit Requester(const RequesterConfig& config);

  void post(const SendRequest& request, const FrameSizes& sizes);
  /// Whether a packet may be sent now.
  [[nodiscard]] bool can_send() const { return next_ < open_; }
  /// Whether the next packet is the first that a message sends.
  [[nodiscard]] bool starts_message() const {
    return !due_ && next_ == highest_ && cursor_ < messages_.size() && messages_[cursor_].first == next_;
  }
  /// Fills in the next packet: kind, psn, payload, frame, operation, position, ack_request, tag, and count of a READ.
  void fill_next(Packet& packet, const FrameSizes& sizes) {
    if (next_ < middles_.first || next_ >= middles_.end) [[unlikely]]
      return fill_other(packet, sizes);
    packet.tag = tag_;
    packet.psn = psn_of(next_);
    packet.frame = middle_frame_;
    packet.payload = middle_payload_;
    packet.kind = PacketKind::data;
    packet.operation = operation_;
    packet.position = PacketPosition::middle;
    packet.ack_request = take_place(false);
  }

  /// What a reply says: an acknowledge, or a NAK for a sequence error. Returns whether that is news.
  bool replied(const Packet& reply);
  /// The same of an acknowledge that only moves on within the oldest message, as most do: whether it was one. Of
  /// another reply nothing is done yet.
  [[nodiscard]] bool moved_on(const Packet& acknowledge) {
    const Sequence end = sequence_near(arrived_, acknowledge.psn) + 1;
    if (end <= arrived_ || end >= plain_end_ || end > next_) return false;
    arrived_ = acknowledged_ = end;
    retries_ = 0;
    receiver_retries_ = 0;
    open_ = std::min(limit_, end + max_unacked_);
    return true;
  }
  /// A READ response has arrived. Returns whether that is news.
  bool responded(const Packet& response, Time now);
  /// When the next gap in READ responses is as old as the reorder time-out; absent where there is none.
  [[nodiscard]] std::optional<Time> next_old_gap() const { return reads_ ? reads_->young.next() : std::nullopt; }
  /// Gaps that are old by now are asked for again.
  void gaps_grew_old(Time now);
  /// The responder had no receive for the packet that `reply` names: nothing is sent until `resume`, and then from
  /// there on. Returns whether that is news.
  bool receiver_not_ready(const Packet& reply);
  void resume();
  /// Nothing was acknowledged in time: what may be missing is sent again, or the queue pair fails.
  void timed_out();

  /// Completions since the last call, oldest first; the caller clears the vector.
  [[nodiscard]] std::vector<SendCompletion>& completions() { return completions_; }
  void release_slot();

  [[nodiscard]] const RequesterConfig& config() const { return config_; }
  [[nodiscard]] bool failed() const { return failure_ != Failure::none; }
  [[nodiscard]] Failure failure() const { return failure_; }
  /// Whether an acknowledge is owed: a packet that asks for one is outstanding, and the requester does not wait itself.
  [[nodiscard]] bool awaits_acknowledge() const { return asked_ > acknowledged_ && !stopped_; }
  [[nodiscard]] std::int64_t outstanding() const { return next_ - acknowledged_; }
  [[nodiscard]] Sequence next() const { return next_; }
  [[nodiscard]] Sequence highest() const { return highest_; }
  [[nodiscard]] Sequence acknowledged() const { return acknowledged_; }
  [[nodiscard]] std::int64_t retransmitted() const { return retransmitted_; }
  [[nodiscard]] int retries() const { return retries_; }
  [[nodiscard]] int receiver_retries() const { return receiver_retries_; }
  [[nodiscard]] bool idle() const { return messages_.empty(); }
  /// Payload bytes of READ responses, duplicates not counted.
  [[nodiscard]] std::int64_t delivered() const { return reads_ ? reads_->delivered : 0; }
  [[nodiscard]] std::int64_t duplicates() const { return reads_ ? reads_->duplicates : 0; }
  [[nodiscard]] std::int64_t gaps() const { return reads_ ? reads_->gaps : 0; }

 private:
  struct Message {
    Sequence first{0};
    std::int64_t packets{0};
    std::int64_t retransmitted{0};
    Sequence first_response{0};  ///< of all responses of this requester's READs; of another message those before it
    SendRequest request;
    [[nodiscard]] bool is_read() const { return request.operation == Operation::read; }
    [[nodiscard]] Sequence end() const { return first + packets; }
  };
  /// What a requester of READs knows of their responses, counted over all READs without what lies between them.
  struct Reads {
    explicit Reads(std::int64_t window) : responses{0, window} {}
    ArrivalWindow responses;
    ResendList again;      ///< responses missing, as places of the stream
    Sequence asked{0};     ///< end of the responses of all READs posted
    Sequence stream{0};    ///< place of the first missing response's READ in the stream, where there is one
    Span of_stream;        ///< its responses
    YoungGaps young{};     ///< of the responses, with a reorder time-out
    bool gap_open{false};  ///< go-back-N: the responses from the first missing on were asked for again
    std::int64_t delivered{0};
    std::int64_t duplicates{0};
    std::int64_t gaps{0};
  };

  [[nodiscard]] bool selective() const { return config_.retransmission == Retransmission::selective_repeat; }
  [[nodiscard]] std::uint32_t message_of(Sequence at) const;
  void admit();
  void look_at_message();
  void advance_cursor();
  void reopen();
  [[nodiscard]] bool take_place(bool last) {
    const Sequence end = next_ + 1;
    // The packet that fills the window asks, too: without an acknowledge nothing more would be sent.
    const bool asks = --until_ask_ == 0 || last || end - acknowledged_ >= max_unacked_;
    if (asks) {
      until_ask_ = ack_every_;
      asked_ = end;  // nothing from `next_` on has asked
    }
    if (next_ < highest_) [[unlikely]] {
      count_again(messages_[cursor_], 1);
    } else {
      highest_ = end;
    }
    next_ = end;
    return asks;
  }
  Bytes fill_place(Packet& packet, const Message& message, Sequence at, const FrameSizes& sizes) const;
  void fill_request(Packet& packet, const Message& message, Span places, const FrameSizes& sizes) const;
  void fill_read(Packet& packet, const FrameSizes& sizes);
  void fill_again(Packet& packet, const FrameSizes& sizes);
  void fill_other(Packet& packet, const FrameSizes& sizes);
  void count_again(Message& message, std::int64_t packets);

  bool arrived_to(Sequence end);
  bool settle();
  void rewind(Sequence to);
  bool go_back(Sequence expected);
  bool selective_reply(const Packet& reply);
  void list_unheard();

  [[nodiscard]] Sequence first_missing_response() const;
  [[nodiscard]] Sequence place_of_response(Sequence response) const;
  [[nodiscard]] bool is_response(Sequence at, Sequence& response) const;
  void follow_reads();
  void add_missing_responses(Span responses);
  [[nodiscard]] Sequence end_of_missing(Sequence at) const;
  void prune_reads();
  void settle_due();

  // A cache line for what is sent.
  Sequence next_;     // next packet to send
  Sequence open_;     // it may be sent while it is before this: what is admitted and the window permit, or what is due
  Span middles_;      // places of middle packets in the message that `next_` belongs to; none in a READ or while `due_`
  Sequence highest_;  // end of what was ever sent
  std::uint64_t tag_{0};
  std::uint32_t middle_payload_{0};
  std::uint32_t middle_frame_{0};
  int until_ask_;
  Operation operation_{Operation::write};
  bool due_{false};      // something is to be sent again, before anything new
  bool stopped_{false};  // failed, or waits for a receiver

  // One more for what is acknowledged.
  Sequence arrived_;               // end of what has arrived at the responder without a gap
  Sequence acknowledged_;          // end of what is done: acknowledged, and READ responses placed
  Sequence asked_;                 // end of the last packet sent that asked for an acknowledge, at most `next_`
  Sequence limit_;                 // end of the last message admitted
  Sequence plain_end_{INT64_MIN};  // end of the oldest message, where what has arrived before it is acknowledged, too
  std::int64_t max_unacked_;
  int ack_every_;
  int retries_{0};
  int receiver_retries_{0};
  Failure failure_{Failure::none};

  // What a message, a loss or a READ needs.
  Ring<Message> messages_;     // not complete
  std::uint32_t admitted_{0};  // of them, in the send queue: at most queue_depth
  std::uint32_t cursor_{0};    // of them, the one `next_` belongs to
  Sequence posted_;            // end of the last message posted
  std::int64_t step_{1};       // places that the next new packet takes: a READ takes those of its responses
  std::vector<SendCompletion> completions_;
  std::int64_t retransmitted_{0};
  int admitted_reads_{0};
  int held_{0};        // places in the send queue whose completions wait
  Sequence reported_;  // selective repeat: end of the highest that has arrived
  ResendList again_;   // selective repeat: requests missing at the responder
  std::unique_ptr<Reads> reads_;
  RequesterConfig config_;
};

}  // namespace soya
