// What an event handler may use: the present, the event queue, the packets, the run's counters and the observer.
// Simplifies: nothing. Handlers get it by reference and keep no copy. Source: docs/architecture.md, "The engine".
// Validated by every test that runs a component.
#pragma once

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
};

struct Context {
  Time now;
  EventQueue& events;
  PacketPool& packets;
  RunCounters& counters;
  Observer* observer{nullptr};

  [[nodiscard]] Packet& packet(PacketId id) { return packets[id]; }
  void observe(FactKind kind, NodeId node, PortId port, Priority priority, std::int64_t value) {
    if (observer != nullptr) [[unlikely]] observer->observe({kind, now, node, port, priority, value});
  }
};

}  // namespace soya
