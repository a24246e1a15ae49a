// A port: its transmitter with both halves of pause, and the link that arrives at it. What to send next is the
// business of the switch or NIC that owns the port.
// Simplifies: store and forward; a frame on the wire is never interrupted.
// Source: IEEE 802.3, 802.1Qbb; docs/model.md sections 2 and 4. Validated by tests/bench_top.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "core/units.hpp"
#include "net/context.hpp"
#include "net/link.hpp"
#include "net/pause.hpp"
#include "net/wire_clock.hpp"

namespace soya {

/// What a port is built from. Sources are slots of the event queue.
struct PortSetup {
  NodeId node;
  PortId port;
  Rate rate;                 ///< of the transmitter
  Rate peer_rate;            ///< of the transmitter at the far end
  Duration incoming_delay;   ///< one way, towards this port
  SourceId transmit;
  SourceId arrival;
  SourceId pause_clock;
  SourceId pause_refresh;
};

/// Frames and bytes a port has sent; PFC frames in `wire_bytes` and `busy` only.
struct PortCounters {
  std::int64_t frames{0};
  std::int64_t wire_bytes{0};
  std::int64_t control_frames{0};  ///< PFC frames
  std::int64_t pause_frames{0};    ///< … that pause at least one priority
};

/// What a port wants to know of a frame that starts.
struct StartingFrame {
  Packet* packet{nullptr};
  std::uint32_t bytes{0};
  Priority priority;
  PacketKind kind{PacketKind::data};
};

class alignas(64) Port {
 public:
  Port(const PfcConfig& pfc, const PortSetup& setup)
      : node_{setup.node},
        port_{setup.port},
        pause_refresher{pfc, setup.peer_rate, setup.pause_refresh},
        transmit_source_{setup.transmit},
        pause_clock{pfc, setup.rate, setup.pause_clock},
        wire_{setup.rate},
        incoming{setup.incoming_delay, setup.arrival} {
    ps_per_byte_ = wire_.ps_per_byte();
    pause_clock.name_place(setup.node, setup.port);
  }

  /// Where the port's frames go: the incoming link of the port at the far end.
  void connect(Link& outgoing) {
    outgoing_ = &outgoing;
    outgoing.name_sender(node_, port_);
  }
  [[nodiscard]] Link& outgoing() { return *outgoing_; }
  [[nodiscard]] const Link& outgoing() const { return *outgoing_; }
  /// The same across a cut: `half` is the sender's of the link to `far`, which is of another partition.
  void connect(Link& half, FarClock& far_clock) {
    connect(half);
    pause_refresher.name_paused(far_clock);
  }
  /// The same, with the far port's halves of pause, each of which knows its counterpart for measurements.
  void connect(Port& far) {
    connect(far.incoming);
    pause_clock.name_asker(far.pause_refresher);
    far.pause_refresher.name_paused(pause_clock);
  }

  /// Fetches what the start of a frame will touch: its own part, and when that is here, the far end of its link.
  void fetch() const { __builtin_prefetch(&busy_until_, 1); }
  void fetch_outgoing() const { __builtin_prefetch(outgoing_, 1); }

  [[nodiscard]] bool idle(Time now) const { return now >= busy_until_; }
  [[nodiscard]] Rate rate() const { return wire_.rate(); }
  [[nodiscard]] PortCounters counters() const { return {frames_, wire_bytes_, control_frames_, pause_frames_}; }
  /// Time the wire has been busy until `now`; of a frame that is being sent, the part that has left.
  [[nodiscard]] Duration busy_time(Time now) const {
    const Duration all = serialisation(Bytes{wire_bytes_}, rate());
    return idle(now) ? all : all - (busy_until_ - now);
  }
  [[nodiscard]] NodeId node() const { return node_; }
  [[nodiscard]] PortId id() const { return port_; }
  [[nodiscard]] bool held() const { return holds_ > 0; }
  /// A scripted hold begins or ends: no data frame starts while one lasts. Holds may overlap.
  void hold(bool held) { held ? ++holds_ : --holds_; }

  /// Starts a data, acknowledge or NAK frame.
  void start(Context& context, const StartingFrame& frame) {
    ++frames_;
    ++context.counters.packet_hops;
    if (is_data(frame.kind)) context.counters.last_data_start = context.now;
    context.observe(FactKind::frame_started, node_, port_, frame.priority, frame.bytes);
    put_on_wire(context, *frame.packet, Bytes{frame.bytes} + wire_gap, Phase::data_arrival);
  }

  /// Starts the PFC frame that is due.
  void start_control(Context& context);

  /// Wakes the transmitter when the wire is free, unless it will wake anyway by then.
  void wake_when_free(Context& context) {
    // A later wake-up, for a frame still in the pipeline, must not delay a PFC frame or a queue that is resumed.
    if (context.events.time_of(transmit_source_) <= busy_until_) return;
    context.events.schedule(transmit_source_, busy_until_, Phase::wire_free);
  }
  /// Wakes the transmitter at `at` (≥ now), after every arrival of that instant.
  void wake_at(Context& context, Time at) { context.events.schedule(transmit_source_, at, Phase::transmit); }
  /// The transmitter looks again at this instant, or when the wire is free.
  void wake_now(Context& context) {
    if (idle(context.now)) return wake_at(context, context.now);
    wake_when_free(context);
  }
  /// Its link went down, or is up again. Pauses do not outlast a link.
  void link_lost(Context& context) {
    pause_clock.link_lost(context);
    pause_refresher.link_lost();
    wake_now(context);
  }
  void link_returned(Context& context) {
    pause_refresher.link_returned();
    wake_now(context);
  }
  [[nodiscard]] bool wake_pending(Context& context) const { return context.events.pending(transmit_source_); }

 private:
  void put_on_wire(Context& context, Packet& packet, Bytes wire, Phase arrival) {
    wire_bytes_ += wire.count();
    busy_until_ = context.now + serialise(wire);
    outgoing_->carry(context, packet, busy_until_, arrival);
  }
  [[nodiscard]] Duration serialise(Bytes wire) {
    if (ps_per_byte_ != 0) [[likely]]
      return Duration{wire.count() * ps_per_byte_};
    return wire_.serialise(wire);
  }

  // The start of a frame touches one cache line, the second: it begins with the last bytes of the refresher, which say
  // whether a PFC frame is due, and ends with the first bytes of the clock, which say who is paused. The arrival of one
  // touches the last line.
  std::int64_t control_frames_{0};
  std::int64_t pause_frames_{0};
  NodeId node_;
  PortId port_;

 public:
  PauseRefresher pause_refresher;

 private:
  std::int64_t ps_per_byte_{0};  // of the wire
  Link* outgoing_{nullptr};
  Time busy_until_;
  std::int64_t frames_{0};
  std::int64_t wire_bytes_{0};
  SourceId transmit_source_;
  std::uint16_t holds_{0};

 public:
  PrioritySet backlog;      ///< of a switch: its queues that hold a frame
  bool takes_turns{false};  ///< … whether they do by the scheduler's rounds
  PauseClock pause_clock;

 private:
  WireClock wire_;

 public:
  alignas(64) Link incoming;
};
static_assert(sizeof(PauseRefresher) == 48 && sizeof(PauseClock) == 48 && sizeof(Port) == 256,
              "the start of a frame touches one cache line of the port");

}  // namespace soya
