// What an event handler may use: the present, the event queue, the packets, the run's counters and the observer.
// Simplifies: nothing. Handlers get it by reference and keep no copy. Source: docs/architecture.md, "The engine".
// Validated by every test that runs a component.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/event_queue.hpp"
#include "core/observer.hpp"
#include "core/units.hpp"
#include "net/packet.hpp"

namespace soya {

/// Totals of a run that no single component owns.
struct RunCounters {
  std::int64_t packets{0};          ///< data, acknowledge and NAK packets that NICs have sent
  std::int64_t packet_hops{0};      ///< … that have started to cross a link
  std::int64_t lost_frames{0};      ///< frames lost on links, PFC frames included
  std::int64_t lossless_drops{0};
  std::int64_t lossy_drops{0};
  std::int64_t pause_frames{0};     ///< PFC frames sent that pause at least one priority
  std::int64_t resume_frames{0};    ///< PFC frames sent that only resume
  std::int64_t asking{0};           ///< (port, priority) pairs that ask their neighbour to pause now
  std::int64_t failed_queue_pairs{0};
  Time last_data_start;             ///< when a data frame last started anywhere

  RunCounters& operator+=(const RunCounters& other) {
    packets += other.packets;
    packet_hops += other.packet_hops;
    lost_frames += other.lost_frames;
    lossless_drops += other.lossless_drops;
    lossy_drops += other.lossy_drops;
    pause_frames += other.pause_frames;
    resume_frames += other.resume_frames;
    asking += other.asking;
    failed_queue_pairs += other.failed_queue_pairs;
    last_data_start = std::max(last_data_start, other.last_data_start);
    return *this;
  }
};

struct Context {
  Time now;
  EventQueue& events;
  PacketPool& packets;
  RunCounters& counters;
  Observer* observer{nullptr};
  const EventQueue* acting{&events};  ///< whose last event is handled now: these, or those of the run itself

  /// The place in the order of the run of the event that is handled now.
  [[nodiscard]] EventKey key() const { return acting->last_key(); }
  void observe(FactKind kind, NodeId node, PortId port, Priority priority, std::int64_t value) {
    if (observer != nullptr) [[unlikely]] observer->observe({kind, now, node, port, priority, value});
  }
};

}  // namespace soya
