// A switch: shared memory, output queues, PFC towards whoever fills it, ECMP or another choice among equal ports.
// Simplifies: store and forward; a constant pipeline latency, before off-chip memory; a frame leaves the accounts when
// its first bit leaves. Source: docs/model.md sections 2 to 4; IEEE 802.1Q, 802.1Qbb. Validated by
// tests/bench_top/switch_test.cpp, tests/analytic/incast_test.cpp and tests/property.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/ring.hpp"
#include "core/units.hpp"
#include "fabric/deep_memory.hpp"
#include "fabric/path_choice.hpp"
#include "fabric/pause_books.hpp"
#include "fabric/scheduler.hpp"
#include "fabric/shared_buffer.hpp"
#include "net/context.hpp"
#include "net/port.hpp"
#include "topology/routing.hpp"

namespace soya {

/// The first frame of a lossless class that a switch refused: where, when and by how much.
struct LosslessDrop {
  Time time;
  PriorityGroup group;
  Bytes missing;
  HeadroomLimit limit;
};

/// A frame that waits in a switch, with all that the switch will ask of it: its packet rests until the next node.
struct WaitingFrame {
  Time ready;  ///< may leave the pipeline from here on
  Packet* packet{nullptr};
  PortId ingress;  ///< came in by
  std::uint32_t bytes_and_kind{0};

  void set(Time when_ready, Packet& what, PortId from) {
    ready = when_ready;
    packet = &what;
    ingress = from;
    bytes_and_kind = (what.frame << 8U) | static_cast<std::uint32_t>(what.kind);
  }
  [[nodiscard]] std::uint32_t bytes() const { return bytes_and_kind >> 8U; }  ///< frame bytes
  [[nodiscard]] PacketKind kind() const { return static_cast<PacketKind>(bytes_and_kind & 0xFFU); }
};
static_assert(sizeof(WaitingFrame) == 24, "frames of a queue share cache lines");

/// Frames that a switch lost which no buffer refused.
struct SwitchLosses {
  std::int64_t no_path{0};  ///< no way led to their destination any more
  std::int64_t failure{0};  ///< they waited in it when it went down
};

class alignas(64) Switch {
 public:
  struct Setup {
    SharedBufferSetup buffer;
    SchedulerConfig scheduler;
    Duration latency;
    const RoutingTable* routes{nullptr};
    Bytes largest_frame;  ///< the scheduler's quantum
    std::vector<PortSetup> ports;
    SourceId deep_memory{};              ///< read only where the buffer is deep
    std::optional<PathChoice> choice{};  ///< absent: routes never change, and the flow's hash alone chooses
  };
  Switch(const PfcConfig& pfc, const Setup& setup);

  /// The frame at the head of the link into `ingress` has arrived.
  void arrive(Context& context, PortId ingress);
  /// The transmitter of `egress` may start a frame.
  void transmit(Context& context, PortId egress);
  void pause_clock_fired(Context& context, PortId port);
  void pause_refresh_fired(Context& context, PortId port);
  void hold(Context& context, PortId egress, bool held);
  /// Other routes rule from now on. The switch has a choice.
  void reroute(const RoutingTable& routes);
  /// The switch goes down: what waits in it is lost. Its links are down.
  void fail(Context& context);
  /// A transfer to or from off-chip memory has ended, or may begin.
  void deep_memory_fired(Context& context);

  /// Fetches what the arrival of `packet` by `ingress` will touch; returns the port that it will leave by, none where
  /// that is not known before it is here.
  [[nodiscard]] PortId fetch_for(const Packet& packet, PortId ingress) const;

  [[nodiscard]] Port& port(PortId id) { return ports_[id.index()].port; }
  [[nodiscard]] const Port& port(PortId id) const { return ports_[id.index()].port; }
  [[nodiscard]] std::size_t port_count() const { return ports_.size(); }
  [[nodiscard]] const SharedBuffer& buffer() const { return buffer_; }
  [[nodiscard]] const PauseBooks& pause_books() const { return pause_books_; }
  /// Null where all memory is on chip.
  [[nodiscard]] const DeepMemory* deep_memory() const { return deep_.get(); }
  [[nodiscard]] PrioritySet lossless() const { return lossless_; }
  [[nodiscard]] const SwitchLosses& losses() const { return losses_; }
  /// The first refused frame of each group that lost one, in order of time.
  [[nodiscard]] const std::vector<LosslessDrop>& lossless_drops() const { return lossless_drops_; }
  [[nodiscard]] bool queue_empty(PortId egress, Priority priority) const {
    return ports_[egress.index()].queues[priority.index()].empty();
  }

  /// Calls `visit(frame)` for each frame that waits in a queue of `egress`, oldest first.
  template <class Visit>
  void for_each_waiting(PortId egress, Priority priority, Visit visit) const {
    const Ring<WaitingFrame>& queue = ports_[egress.index()].queues[priority.index()];
    for (std::uint32_t i = 0; i < queue.size(); ++i) visit(queue[i]);
  }

 private:
  struct SwitchPort {
    SwitchPort(const PfcConfig& pfc, const PortSetup& setup, const SchedulerConfig& config, Bytes quantum)
        : port{pfc, setup}, scheduler{config, quantum} {}
    Port port;
    std::array<Ring<WaitingFrame>, Priority::count> queues{};
    Scheduler scheduler;
  };

  void receive(Context& context, Packet& packet, PortId ingress);
  [[nodiscard]] bool admit(Context& context, Packet& packet, PortId ingress, PortId egress);
  void pause_upstream(Context& context, PortId ingress, PrioritySet priorities);
  void resume_upstream(Context& context, PriorityGroup group);
  void drop(Context& context, Packet& packet, PriorityGroup group, const Admission& admission);
  void note_arrival(Context& context, PriorityGroup group, Bytes frame);
  void note_release(const Context& context, PriorityGroup group);
  [[nodiscard]] PortId choose_egress(const Packet& packet, Time now);
  void lose(Context& context, Packet& packet, PortId ingress);
  [[nodiscard]] bool passes(const SwitchPort& out, Priority priority, Time now) const;
  void left(Context& context, PriorityGroup group, PortId egress, Bytes frame);
  void enqueue(Context& context, Packet& packet, PortId ingress, PortId egress, SwitchPort& out);
  static void dequeue(SwitchPort& egress, Priority priority);
  [[nodiscard]] static Priority choose(SwitchPort& egress, PrioritySet eligible);
  bool start_frame(Context& context, PortId egress, SwitchPort& out);
  void offer(Context& context, PortId egress);
  void offer_control(Context& context, PortId egress);

  // Of a deep buffer: switch_deep.cpp.
  void receive_deep(Context& context, Packet& packet, PortId ingress, PortId egress);
  void left_deep(Context& context, const WaitingFrame& frame, PortId egress, Priority priority);
  void press(Context& context, PortId ingress);
  void relieve(Context& context);
  void advance_deep(Context& context);

  // What every frame asks lies together.
  RoutingTable routes_;
  std::vector<SwitchPort> ports_;
  std::unique_ptr<DeepMemory> deep_;
  std::unique_ptr<PathChoice> choice_;
  Duration latency_;
  PauseBooks pause_books_;
  SharedBuffer buffer_;
  PrioritySet lossless_;
  SourceId deep_source_;
  std::vector<LosslessDrop> lossless_drops_;
  SwitchLosses losses_;
};

/// A frame or a resumed queue may be sent: now if the wire is free, else when it is.
inline void Switch::offer(Context& context, PortId egress) {
  if (ports_[egress.index()].port.idle(context.now)) {
    transmit(context, egress);
  } else {
    ports_[egress.index()].port.wake_when_free(context);
  }
}

}  // namespace soya
