#include "engine/port_setup.hpp"

namespace soya {

PortSetup port_setup(SimulationState& state, PortRef ref, const PortEvents& events, std::uint32_t object) {
  const TopologyConfig& topology = state.scenario.topology;
  const PortLink& plug = state.routing->ports().at(ref);
  const LinkConfig& link = topology.links[plug.link.index()];
  const std::string name =
      state.node_name(ref.node) + source_separator + state.port_name(ref.node, ref.port) + source_separator;
  const std::uint32_t part = ref.port.value();
  PortSetup setup;
  setup.node = ref.node;
  setup.port = ref.port;
  setup.rate = link.rate_from(ref.node);
  setup.peer_rate = link.rate_from(plug.peer);
  setup.incoming_delay = link.one_way_from(plug.peer);
  setup.transmit = state.add_source(ref.node, name + "transmit", {events.transmit, object, part});
  setup.arrival = state.add_source(ref.node, name + "arrival", {events.arrival, object, part});
  setup.pause_clock = state.add_source(ref.node, name + "pause clock", {events.pause_clock, object, part});
  setup.pause_refresh = state.add_source(ref.node, name + "pause refresh", {events.pause_refresh, object, part});
  return setup;
}

}  // namespace soya
