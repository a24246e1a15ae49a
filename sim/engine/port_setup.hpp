// What a port is built from: the event sources of its node's kind, and the link it is plugged into.
// Simplifies: nothing. Source: docs/architecture.md, "Event order". Not included outside engine/.
// Validated by tests/golden, whose fingerprints follow from the names of sources.
#pragma once

#include <cstdint>
#include <string>

#include "engine/state.hpp"

namespace soya {

/// Separates the parts of a source's name; cannot be part of a YAML name.
inline constexpr char source_separator = '\x1f';

/// The events of a port, by the kind of its node.
struct PortEvents {
  EventKind transmit;
  EventKind arrival;
  EventKind pause_clock;
  EventKind pause_refresh;
};
inline constexpr PortEvents nic_events{EventKind::nic_transmit, EventKind::host_arrival, EventKind::nic_pause_clock,
                                       EventKind::nic_pause_refresh};
inline constexpr PortEvents switch_events{EventKind::switch_transmit, EventKind::switch_arrival,
                                          EventKind::switch_pause_clock, EventKind::switch_pause_refresh};
inline constexpr PortEvents accelerator_events{EventKind::accelerator_transmit, EventKind::accelerator_arrival,
                                               EventKind::accelerator_pause_clock,
                                               EventKind::accelerator_pause_refresh};

/// The name of a source of a port.
inline constexpr const char* arrival_name = "arrival";
inline constexpr const char* pause_clock_name = "pause clock";
[[nodiscard]] std::string port_source_name(const SimulationState& state, PortRef ref, const char* what);

/// `object` is what the events name: the number of the node among those of its kind.
[[nodiscard]] PortSetup port_setup(SimulationState& state, PortRef ref, const PortEvents& events, std::uint32_t object);

/// Accelerators whose buffer is too small for their links.
[[nodiscard]] std::vector<Diagnostic> accelerator_problems(const Scenario& scenario, const PortMap& ports);

}  // namespace soya
