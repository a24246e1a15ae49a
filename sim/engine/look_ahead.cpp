#include "engine/look_ahead.hpp"

#include "engine/state.hpp"

namespace soya {

void LookAhead::fetch(SimulationState& state, const Partition& partition, Time end) {
  sources_.clear();
  arrivals_.clear();
  partition.events.pending_before(end, sources_);
  for (const SourceId source : sources_) partition.events.fetch(source);
  for (const SourceId source : sources_) {
    const Event event = partition.events.event_of(source);
    const PortId port{event.part};
    if (event.kind == EventKind::switch_arrival) {
      const Switch& at = state.switches[event.object];
      arrivals_.push_back({&at, port, &at.port(port).incoming});
    } else if (event.kind == EventKind::host_arrival) {
      arrivals_.push_back({nullptr, port, &state.nics[event.object].port().incoming});
    }
  }
  // Each round reads what the one before has fetched.
  for (const Arrival& one : arrivals_) __builtin_prefetch(one.link, 1);
  for (const Arrival& one : arrivals_) one.link->fetch_head();
  for (const Arrival& one : arrivals_) __builtin_prefetch(one.link->head(), 1);
  for (Arrival& one : arrivals_) {
    const Packet* head = one.link->head();
    if (one.at != nullptr && head != nullptr) one.egress = one.at->fetch_for(*head, one.ingress);
  }
  for (const Arrival& one : arrivals_) {
    if (one.at != nullptr && !one.egress.is_none()) one.at->port(one.egress).fetch_outgoing();
  }
}

}  // namespace soya
