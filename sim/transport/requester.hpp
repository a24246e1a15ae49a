// The sending half of a reliable connection: work requests in, packets out, acknowledges back.
// Simplifies: go-back-N only; the time-out runs from the first packet that asks for an acknowledge after progress.
// Source: InfiniBand Architecture vol. 1, 9.7 (RC requester); docs/model.md section 6.
// Validated by tests/unit/transport/requester_test.cpp and tests/bench_top/transport_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/operation.hpp"
#include "core/ring.hpp"
#include "core/units.hpp"
#include "net/frame.hpp"
#include "net/packet.hpp"
#include "transport/psn.hpp"

namespace soya {

/// One work request in a send queue.
struct SendRequest {
  Bytes size;
  Operation operation{Operation::write};
  std::uint64_t tag{0};
  std::uint32_t record{0};         ///< the poster's own number, back in `SendCompletion`
};

struct SendCompletion {
  Bytes size;
  std::uint64_t tag{0};
  std::uint32_t record{0};
  std::int64_t retransmitted{0};   ///< packets of this request sent again
};

struct RequesterConfig {
  int queue_depth{128};
  int ack_every{64};
  int retry_count{7};
  std::int64_t max_unacked{psn_window - 1};
  std::uint32_t initial_psn{0};
};

class Requester {
 public:
  explicit Requester(const RequesterConfig& config);

  void post(const SendRequest& request, const FrameSizes& sizes);
  /// Whether a packet may be sent now.
  [[nodiscard]] bool can_send() const { return !failed_ && next_ < limit_ && next_ - acknowledged_ < max_unacked_; }
  /// Fills in the next packet: psn, payload, frame, operation, position, ack_request, tag.
  void fill_next(Packet& packet, const FrameSizes& sizes);

  /// `psn` and everything before it has arrived in order. Returns whether that is news.
  bool acknowledged(std::uint32_t psn);
  /// The responder expects `psn`: what is before it has arrived, the rest is sent again. Returns whether that is news.
  bool go_back(std::uint32_t psn);
  /// Nothing was acknowledged in time: all that is outstanding is sent again, or the queue pair fails.
  void timed_out();

  /// Completions since the last call, oldest first; the caller clears the vector.
  [[nodiscard]] std::vector<SendCompletion>& completions() { return completions_; }

  [[nodiscard]] bool failed() const { return failed_; }
  /// Whether an acknowledge is owed: a packet that asks for one is outstanding.
  [[nodiscard]] bool awaits_acknowledge() const { return asked_ > acknowledged_; }
  [[nodiscard]] std::int64_t outstanding() const { return next_ - acknowledged_; }
  [[nodiscard]] Sequence next() const { return next_; }
  [[nodiscard]] std::int64_t retransmitted() const { return retransmitted_; }
  [[nodiscard]] int retries() const { return retries_; }
  [[nodiscard]] bool idle() const { return messages_.empty(); }

 private:
  struct Message {
    Sequence first{0};
    std::int64_t packets{0};
    std::int64_t retransmitted{0};
    SendRequest request;
  };
  bool advance(Sequence arrived);
  void admit();
  void rewind(Sequence to);

  RequesterConfig config_;
  std::int64_t max_unacked_;
  Ring<Message> messages_;          // not complete
  std::uint32_t admitted_{0};       // of them, in the send queue: at most queue_depth
  std::uint32_t cursor_{0};         // of them, the one `next_` belongs to
  Sequence posted_;                 // end of the last message posted
  Sequence limit_;                  // end of the last message admitted
  Sequence next_;                   // next packet to send
  Sequence highest_;                // end of what was ever sent
  Sequence acknowledged_;           // end of what is acknowledged
  Sequence asked_;                  // end of the last packet sent that asked for an acknowledge
  int until_ask_{0};
  int retries_{0};
  bool failed_{false};
  std::int64_t retransmitted_{0};
  std::vector<SendCompletion> completions_;
};

}  // namespace soya
