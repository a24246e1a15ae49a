#include "engine/link_delay.hpp"

#include <array>
#include <string>

#include "core/check.hpp"
#include "core/hash.hpp"
#include "net/port.hpp"

namespace soya {

namespace {

constexpr Bytes probe_frame = minimum_frame;

/// The two ports of one link and nothing else: end 0 asks, end 1 answers.
class DelayExchange {
 public:
  explicit DelayExchange(const LinkConfig& link)
      : rates_{link.rate, link.reverse_rate.value_or(link.rate)},
        ends_{Port{pfc_, setup(0, link.reverse_way())}, Port{pfc_, setup(1, link.forward_way())}} {
    ends_[0].connect(ends_[1].incoming);
    ends_[1].connect(ends_[0].incoming);
  }

  Duration run() {
    ends_[0].wake_at(context_, Time{0});
    while (!events_.empty()) {
      const EventQueue::Fired fired = events_.pop();
      context_.now = fired.time;
      const std::size_t end = fired.event.object;
      if (fired.event.kind == EventKind::host_arrival)
        receive(end);
      else
        transmit(end);
    }
    SOYA_CHECK(answered_ && packets_.in_use() == 0, "a link at its start answers a request");
    const std::int64_t there_and_back = round_trip_.picoseconds();
    const std::int64_t tick = 2 * timestamp_granularity.picoseconds();
    return (there_and_back + tick - 1) / tick * timestamp_granularity;
  }

 private:
  PortSetup setup(std::size_t end, Duration incoming) {
    const std::string name = "end " + std::to_string(end) + ' ';
    const auto source = [&](const std::string& of, EventKind kind) {
      return events_.add_source(hash_name(name + of), {kind, static_cast<std::uint32_t>(end), 0});
    };
    PortSetup setup;
    setup.node = NodeId{end};
    setup.port = PortId{std::size_t{0}};
    setup.rate = rates_.at(end);
    setup.peer_rate = rates_.at(1 - end);
    setup.incoming_delay = incoming;
    setup.transmit = source("transmit", EventKind::nic_transmit);
    setup.arrival = source("arrival", EventKind::host_arrival);
    setup.pause_clock = source("pause clock", EventKind::nic_pause_clock);
    setup.pause_refresh = source("pause refresh", EventKind::nic_pause_refresh);
    return setup;
  }

  void transmit(std::size_t end) {
    Packet& packet = packets_.take();
    packet = Packet{};
    packet.frame = static_cast<std::uint32_t>(probe_frame.count());
    // The response carries how long the request has rested, as PTP's correction field does.
    if (end == 1) packet.tag = static_cast<std::uint64_t>((context_.now - request_in_).picoseconds());
    if (end == 0) request_out_ = context_.now;
    ends_.at(end).start(context_, {&packet, packet.frame, packet.priority, packet.kind});
  }

  void receive(std::size_t end) {
    Packet& packet = ends_.at(end).incoming.take(context_);
    const Duration residence{static_cast<std::int64_t>(packet.tag)};
    packets_.release(packet);
    // A stamp is of a frame's beginning, which was here one frame time before its end.
    const Time stamp = context_.now - WireClock{rates_.at(1 - end)}.serialise(probe_frame + wire_gap);
    if (end == 1) {
      request_in_ = stamp;
      return ends_[1].wake_at(context_, context_.now);
    }
    round_trip_ = stamp - request_out_ - residence;
    answered_ = true;
  }

  EventQueue events_{0};
  PacketPool packets_;
  RunCounters counters_;
  Context context_{Time{0}, events_, packets_, counters_};
  PfcConfig pfc_;
  std::array<Rate, 2> rates_;
  std::array<Port, 2> ends_;
  Time request_out_;
  Time request_in_;
  Duration round_trip_;
  bool answered_{false};
};

}  // namespace

Duration measure_link_delay(const LinkConfig& link) {
  return DelayExchange{link}.run();
}

Duration LinkDelays::of(const LinkConfig& link) {
  const auto [entry, is_new] =
      measured_.try_emplace({link.rate, link.rate_from(link.b), link.forward_way(), link.reverse_way()},
                            Duration{0});
  if (is_new) entry->second = measure_link_delay(link);
  return entry->second;
}

}  // namespace soya
