// What an event is: which component has to act, and in which phase of its instant.
// Simplifies: nothing. Kinds are closed; the engine dispatches them in one switch.
// Source: docs/architecture.md, "Event order". Validated by tests/unit/core/event_queue_test.cpp.
#pragma once

#include <compare>
#include <cstdint>

#include "core/units.hpp"

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
  switch_arrival,        ///< the frame at the head of a link has arrived at a switch port
  host_arrival,          ///< … at a NIC
  switch_transmit,       ///< a switch port may start a frame
  nic_transmit,          ///< a NIC may start a frame
  switch_pause_clock,    ///< a pause received at a switch port takes effect or expires
  nic_pause_clock,       ///< … at a NIC
  switch_pause_refresh,  ///< a pause that a switch port has sent is due again
  nic_pause_refresh,     ///< … that a NIC has sent
  switch_deep_memory,    ///< a transfer to or from the off-chip memory of a switch has ended, or may begin
  accelerator_arrival,        ///< as of a switch, at a WAN accelerator
  accelerator_transmit,
  accelerator_pause_clock,
  accelerator_pause_refresh,
  accelerator_timer,     ///< the earliest deadline of an accelerator
  nic_timer,             ///< the earliest time-out of a NIC's queue pairs
  nic_receive,           ///< a slow NIC has handled the oldest frame of its receive buffer
  host_completions,      ///< a host's jobs learn of completed work
  job_wake,              ///< a job's earliest deadline on one host: `object` host, `part` job
  fault,                 ///< the next scripted fault
  stall_check,           ///< has anything moved lately?
  sample,                ///< the sampler
  nic_wait,              ///< the earliest end of a NIC's waits: a delayed acknowledge, an RNR time, a message's turn
};

/// An event's place in the order of a run: a function of the scenario alone, whatever runs it.
struct EventKey {
  Time time;
  Phase phase{};
  std::uint64_t mixed{0};     ///< the first bits of a mix of time and identity
  std::uint64_t identity{0};  ///< of its source: no two sources tie
  constexpr auto operator<=>(const EventKey&) const = default;
};

/// Which object handles the event. `object` and `part` mean what `kind` says, such as a node index and a port index.
struct Event {
  EventKind kind{};
  std::uint32_t object{0};
  std::uint32_t part{0};
  bool operator==(const Event&) const = default;
};

}  // namespace soya
