// Off-chip memory behind a switch's on-chip memory: which frames go there and come back, and when.
// Simplifies: reads and writes share one bandwidth and nothing else; no banks, bursts or refresh; one queue per egress
// port and priority, whatever the ingress.
// Source: docs/model.md section 3, "Deep buffers"; xrdocs/ncs5500, "Understanding Packet Buffering" (evicted queues,
// 900 Gbps half duplex, 450/450 under load). Validated by tests/unit/fabric/deep_memory_test.cpp,
// tests/bench_top/deep_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/ring.hpp"
#include "core/units.hpp"
#include "fabric/fabric_config.hpp"
#include "net/wire_clock.hpp"

namespace soya {

/// What off-chip memory is built from.
struct DeepSetup {
  DeepConfig config;
  Bytes landing;   ///< on-chip bytes kept for what arrives while all senders are being paused
  Bytes prefetch;  ///< on-chip bytes of each queue for frames that come back: two of the largest
};

/// The books of both memories and the one server between them. Bytes are whole cells. A queue is a number: port × 8 +
/// priority of the egress. From head to tail it holds frames that never left the chip, frames that are back, at most
/// one that is being read, frames off chip, and frames that are to be written.
class DeepMemory final {
 public:
  struct Setup {
    DeepSetup deep;
    Bytes on_chip;
    Bytes xon_offset;
    std::size_t ports{0};
  };
  /// A frame that can be sent again: the `position`-th of its queue, the head being 0.
  struct ReadBack {
    std::size_t queue{0};
    std::uint32_t position{0};
  };

  explicit DeepMemory(const Setup& setup);

  /// By how much on-chip memory is too small for a frame of `charge` now; 0 where it fits. Lossy frames stay out of
  /// what is kept for landing.
  [[nodiscard]] Bytes missing(Bytes charge, bool lossless) const {
    return std::max(on_chip_ + charge - (lossless ? level_ + landing_ : level_), Bytes{0});
  }
  /// A frame that fits joins `queue` and leaves the pipeline at `ready`. True: it stays on chip and may be sent then.
  /// False: it is written away, and may be sent when `finish` says so.
  [[nodiscard]] bool arrived(std::size_t queue, Bytes charge, Time ready);
  /// The head of `queue`, which is on chip, has left.
  void left(std::size_t queue, Bytes charge);

  /// Starts a transfer where one is due and none is under way. Returns when to call `finish` next, where that is new.
  [[nodiscard]] std::optional<Time> advance(Time now);
  /// Ends the transfer that is due at `now`, if there is one. Returns the frame that it brought back.
  [[nodiscard]] std::optional<ReadBack> finish(Time now);

  /// The switch goes down: nothing waits any more, and no port is pressed.
  void lose_all(Time now);

  /// On-chip memory holds more than it may while senders are not paused.
  [[nodiscard]] bool above_level() const { return on_chip_ > level_; }
  [[nodiscard]] bool pressed(PortId port) const { return pressed_[port.index()]; }
  /// `port` pauses all its lossless senders until on-chip memory has drained.
  void press(PortId port, Time now);
  /// The ports whose pressure ends now, in order: on-chip memory has drained far enough.
  [[nodiscard]] std::vector<PortId> relieved(Time now);
  [[nodiscard]] bool relief_due() const { return pressed_ports_ > 0 && on_chip_ <= resume_level_; }

  [[nodiscard]] Bytes on_chip_size() const {
    return level_ + landing_ + prefetch_ * static_cast<std::int64_t>(queues_.size());
  }
  [[nodiscard]] Bytes off_chip_size() const { return size_; }
  [[nodiscard]] Bytes landing() const { return landing_; }
  [[nodiscard]] Rate bandwidth() const { return clock_.rate(); }
  [[nodiscard]] Bytes on_chip() const { return on_chip_ + prefetched_; }
  [[nodiscard]] Bytes on_chip_peak() const { return on_chip_peak_; }
  [[nodiscard]] Bytes off_chip() const { return off_chip_; }
  [[nodiscard]] Bytes off_chip_peak() const { return off_chip_peak_; }
  [[nodiscard]] Bytes off_chip_peak(std::size_t queue) const { return queues_[queue].off_chip_peak; }
  [[nodiscard]] Bytes written() const { return written_; }
  [[nodiscard]] Bytes read() const { return read_; }
  [[nodiscard]] bool moving() const { return transfer_.kind != TransferKind::none; }
  /// How long transfers have been under way until `now`.
  [[nodiscard]] Duration busy_time(Time now) const;
  /// How long a port has been pressed until `now`: on-chip memory was full because off-chip memory is too slow.
  [[nodiscard]] Duration pressed_time(Time now) const;

  /// The conservation laws, counted anew over all queues. Throws `InternalError`.
  void check_invariants() const;

 private:
  struct Queue {
    std::uint32_t stayed{0};   ///< frames that never left the chip
    std::uint32_t back{0};     ///< … that are back
    std::uint32_t away{0};     ///< … off chip, without the one that is being read
    std::uint32_t waiting{0};  ///< … that are to be written, the one that is being written among them
    bool reading{false};
    bool in_read_line{false};
    Bytes stayed_bytes;
    Bytes prefetched;  ///< of frames that are back or being read
    Bytes off_chip;    ///< … that are being written, off chip or being read
    Bytes off_chip_peak;
    Ring<std::uint32_t> charges;  ///< of the frames off chip and to be written
    [[nodiscard]] bool evicted() const { return back + away + waiting > 0 || reading; }
  };
  struct Write {
    Time ready;
    std::uint32_t queue{0};
    std::uint32_t charge{0};
  };
  enum class TransferKind : std::uint8_t { none, write, read };
  struct Transfer {
    TransferKind kind{TransferKind::none};
    std::size_t queue{0};
    Bytes charge;
    Time start;
    Time end;
  };

  [[nodiscard]] bool wants_read(const Queue& queue) const;
  void join_read_line(std::size_t queue);
  [[nodiscard]] Time start(TransferKind kind, std::size_t queue, Bytes charge, Time now);
  [[nodiscard]] Time start_write(Time now);
  [[nodiscard]] Time start_read(Time now);
  void note_peaks();

  Bytes size_;
  Bytes threshold_;
  Bytes prefetch_;  ///< of each queue
  Bytes landing_;
  Bytes level_;  ///< on-chip bytes that frames may take while no sender is paused
  Bytes resume_level_;
  WireClock clock_;
  Bytes on_chip_;  ///< without what is prefetched
  Bytes prefetched_;
  Bytes on_chip_peak_;
  Bytes off_chip_;
  Bytes off_chip_peak_;
  std::vector<Queue> queues_;
  Ring<Write> write_line_;
  Ring<std::uint32_t> read_line_;  ///< queues that want a frame back, each once
  Transfer transfer_;
  std::int64_t lead_{0};  ///< bytes written − read since a side last had no work
  Bytes written_;
  Bytes read_;
  Duration busy_;
  std::vector<bool> pressed_;
  std::size_t pressed_ports_{0};
  Time pressed_since_;
  Duration pressed_time_;
};

}  // namespace soya
