// What an event is: which component has to act, and in which phase of its instant.
// Simplifies: nothing. Kinds are closed; the engine dispatches them in one switch.
// Source: docs/architecture.md, "Event order". Validated by tests/unit/core/event_queue_test.cpp.
#pragma once

#include <cstdint>

namespace soya {

/// Order within one instant. An event schedules a later time, or the present in a later phase.
enum class Phase : std::uint8_t {
  wire_free,        ///< the last bit of a frame has left its transmitter
  control_arrival,  ///< a MAC control frame (PFC) has arrived
  data_arrival,     ///< any other frame has arrived
  timer,            ///< pause expiry and refresh, retransmission time-outs
  workload,         ///< computation ends, a job starts
  transmit,         ///< a transmitter picks its next frame, after every arrival of the instant
  sample,           ///< a sampler reads counters, after everything else
};

enum class EventKind : std::uint8_t {
  link_arrival,   ///< the frame at the head of a link direction has arrived
  port_transmit,  ///< a port's transmitter may start a frame
  pause_clock,    ///< a received pause takes effect or expires
  pause_refresh,  ///< a pause sent earlier is due again
  nic_transmit,   ///< a NIC's transmitter may start a frame
  nic_timer,      ///< the earliest time-out of a NIC's queue pairs
  nic_receive,    ///< a NIC has handled what it received
  host,           ///< a host's computation or job schedule
  fault,          ///< the next scripted fault
  sample,         ///< the sampler
};

/// Which object handles the event. `object` and `part` mean what `kind` says, such as a node index and a port index.
struct Event {
  EventKind kind{};
  std::uint32_t object{0};
  std::uint32_t part{0};
  bool operator==(const Event&) const = default;
};

}  // namespace soya
