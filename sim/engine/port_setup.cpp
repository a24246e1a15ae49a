#include "engine/port_setup.hpp"

namespace soya {

std::string port_source_name(const SimulationState& state, PortRef ref, const char* what) {
  return state.node_name(ref.node) + source_separator + state.port_name(ref.node, ref.port) + source_separator + what;
}

PortSetup port_setup(SimulationState& state, PortRef ref, const PortEvents& events, std::uint32_t object) {
  const TopologyConfig& topology = state.scenario.topology;
  const PortLink& plug = state.routing->ports().at(ref);
  const LinkConfig& link = topology.links[plug.link.index()];
  const std::uint32_t part = ref.port.value();
  PortSetup setup;
  setup.node = ref.node;
  setup.port = ref.port;
  setup.rate = link.rate_from(ref.node);
  setup.peer_rate = link.rate_from(plug.peer);
  setup.incoming_delay = link.one_way_from(plug.peer);
  const auto source = [&](const char* what, EventKind kind) {
    return state.add_source(ref.node, port_source_name(state, ref, what), {kind, object, part});
  };
  setup.transmit = source("transmit", events.transmit);
  setup.arrival = source(arrival_name, events.arrival);
  setup.pause_clock = source(pause_clock_name, events.pause_clock);
  setup.pause_refresh = source("pause refresh", events.pause_refresh);
  return setup;
}

}  // namespace soya
