// One port on the bench: a transmitter that always has a frame to send, and PFC frames that arrive by script.
// Simplifies: one priority, one frame size; frames end in a sink at the far end of a link.
// Source: net/port.hpp, net/pause.hpp. Validated by tests/bench_top/pause_test.cpp and link_test.cpp.
#pragma once

#include <vector>

#include "core/check.hpp"
#include "net/port.hpp"

namespace soya::test {

/// What a component needs to run by itself.
struct Workbench {
  EventQueue events{1};
  PacketPool packets;
  RunCounters counters;
  Context context{Time{0}, events, packets, counters};

  SourceId source(std::uint64_t name, EventKind kind) { return events.add_source(name, {kind, 0, 0}); }
  Packet& packet(PacketKind kind, Bytes frame, Priority priority = Priority{3}) {
    Packet& made = packets.take();
    made = Packet{};
    made.kind = kind;
    made.frame = static_cast<std::uint32_t>(frame.count());
    made.priority = priority;
    return made;
  }
};

struct GreedyPortSetup {
  Rate rate{100'000'000'000};
  Duration one_way{0};  ///< to the sink
  Bytes frame{1062};    ///< payload 1000 and 62 B around it
  Priority priority{3};
};

class GreedyPort {
 public:
  GreedyPort(const PfcConfig& pfc, const GreedyPortSetup& setup)
      : setup_{setup}, port_{pfc, port_setup(bench_, setup.rate)}, sink_{setup.one_way, sink_source()} {
    port_.connect(sink_);
    port_.wake_at(bench_.context, Time{0});
  }

  /// The last byte of a PFC frame arrives at `at`. In order of time.
  void pfc(Time at, const PfcFields& fields) {
    Packet& packet = bench_.packet(PacketKind::pfc, pfc_frame);
    packet.pfc = fields;
    port_.incoming.carry(bench_.context, packet, at, Phase::control_arrival);
  }

  /// Runs until a frame starts at `from` or later, and returns that instant.
  Time next_start(Time from) {
    while (starts_.empty() || starts_.back() < from) {
      SOYA_CHECK(!bench_.events.empty(), "the port sends again some day");
      step();
    }
    return starts_.back();
  }
  /// Instants at which frames have started, and arrived at the sink, so far.
  [[nodiscard]] const std::vector<Time>& starts() const { return starts_; }
  [[nodiscard]] const std::vector<Time>& arrivals() const { return arrivals_; }
  [[nodiscard]] Port& port() { return port_; }
  [[nodiscard]] Workbench& bench() { return bench_; }

 private:
  static PortSetup port_setup(Workbench& bench, Rate rate) {
    PortSetup setup;
    setup.node = NodeId{0U};
    setup.port = PortId{0U};
    setup.rate = rate;
    setup.peer_rate = rate;
    setup.transmit = bench.source(1, EventKind::nic_transmit);
    setup.arrival = bench.source(2, EventKind::host_arrival);
    setup.pause_clock = bench.source(3, EventKind::nic_pause_clock);
    setup.pause_refresh = bench.source(4, EventKind::nic_pause_refresh);
    return setup;
  }
  SourceId sink_source() { return bench_.source(5, EventKind::switch_arrival); }

  void step() {
    const EventQueue::Fired fired = bench_.events.pop();
    Context& context = bench_.context;
    context.now = fired.time;
    if (fired.event.kind == EventKind::switch_arrival) {
      arrivals_.push_back(context.now);
      return bench_.packets.release(sink_.take(context));
    }
    if (fired.event.kind == EventKind::host_arrival) {
      Packet& packet = port_.incoming.take(context);
      const PfcFields fields = packet.pfc;
      bench_.packets.release(packet);
      if (!port_.pause_clock.receive(context, fields)) return;
    } else if (fired.event.kind == EventKind::nic_pause_clock) {
      if (!port_.pause_clock.wake(context)) return;
    }
    offer();
  }

  void offer() {
    Context& context = bench_.context;
    if (!port_.idle(context.now)) return port_.wake_when_free(context);
    if (port_.pause_clock.paused().contains(setup_.priority)) return;
    port_.start(context, {&bench_.packet(PacketKind::data, setup_.frame, setup_.priority),
                          static_cast<std::uint32_t>(setup_.frame.count()), setup_.priority, PacketKind::data});
    starts_.push_back(context.now);
    port_.wake_when_free(context);
  }

  GreedyPortSetup setup_;
  Workbench bench_;
  Port port_;
  Link sink_;
  std::vector<Time> starts_;
  std::vector<Time> arrivals_;
};

}  // namespace soya::test
