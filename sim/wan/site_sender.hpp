// What an accelerator keeps of one connection until the destination's NIC has acknowledged it: it stores packets from
// the long link in any order and is the NIC's requester. Simplifies: under selective repeat a packet that is lost
// again, or whose NAK is lost, waits for the time-out; a window as large as the order of PSNs allows. Source:
// InfiniBand Architecture vol. 1, 9.7 (RC requester); docs/model.md, "Pseudo-ACK accelerators". Validated by
// tests/unit/wan/site_sender_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/ring.hpp"
#include "net/packet.hpp"
#include "transport/arrival_window.hpp"
#include "transport/psn.hpp"

namespace soya {

class SiteSender {
 public:
  struct Kept {
    Packet* packet{nullptr};           ///< none: has not arrived
    std::uint32_t frame{0};    ///< bytes
    std::uint32_t payload{0};  ///< bytes
  };

  explicit SiteSender(std::uint32_t initial_psn)
      : window_{initial_psn, psn_window - 1}, acknowledged_{initial_psn}, next_{initial_psn}, highest_{initial_psn} {}

  /// A packet from the long link; kept unless it is a duplicate.
  ArrivalWindow::Arrival receive(std::uint32_t psn, const Kept& packet);
  [[nodiscard]] const ArrivalWindow& window() const { return window_; }

  /// Whether a packet may go to the NIC: the next in order is there.
  [[nodiscard]] bool can_send() const { return !again_.empty() || next_ < window_.cumulative(); }
  /// Packets that may.
  [[nodiscard]] std::int64_t ready() const { return window_.cumulative() - next_ + again_.size(); }
  /// The next one. There is one that may go.
  [[nodiscard]] const Kept& next() const { return kept_[static_cast<std::uint32_t>(place() - acknowledged_)]; }
  /// It has gone; `asks` says whether it asked for an acknowledge.
  void sent(bool asks);

  /// The NIC has `psn` and everything before; what it has goes to `released`. Returns whether that is news.
  bool acknowledged(std::uint32_t psn, std::vector<Kept>& released);
  /// The NIC expects `psn`: what is before goes to `released`, the rest is sent again. Returns whether that is news.
  bool go_back(std::uint32_t psn, std::vector<Kept>& released);
  /// The NIC, which places what follows a gap, misses `count` packets from `psn` on: they are sent again.
  bool send_again(std::uint32_t psn, std::uint32_t count);
  /// The NIC takes nothing from `psn` on: it is sent again.
  void rewind(std::uint32_t psn);
  /// Nothing was acknowledged in time: all that is outstanding is sent again.
  void timed_out();

  /// Whether an acknowledge is owed: a packet that asks for one is outstanding.
  [[nodiscard]] bool awaits_acknowledge() const { return asked_ > acknowledged_; }
  /// Time-outs in a row without progress.
  [[nodiscard]] int retries() const { return retries_; }
  /// Packets sent again.
  [[nodiscard]] std::int64_t retransmitted() const { return retransmitted_; }

 private:
  bool advance(Sequence to, std::vector<Kept>& released);
  [[nodiscard]] Sequence place() const { return again_.empty() ? next_ : again_.front(); }

  ArrivalWindow window_;
  Ring<Kept> kept_;        // from acknowledged_ to the highest that has arrived
  Sequence acknowledged_;  // end of what the NIC has acknowledged
  Sequence next_;          // the next to send
  Ring<Sequence> again_;   // selective repeat: to be sent again before that
  Sequence highest_;       // end of what was ever sent
  Sequence asked_{0};      // end of the last packet sent that asked for an acknowledge
  int retries_{0};
  std::int64_t retransmitted_{0};
};

}  // namespace soya
