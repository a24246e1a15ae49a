// What the sampler reads: utilisation of every link direction, and the queues and headroom of lossless priorities.
#include "engine/state.hpp"

namespace soya {

namespace {

/// Calls `visit(ref, is_switch)` for every port, node by node: the order in which series are numbered.
template <class Visit>
void for_each_port(const PortMap& map, Visit visit) {
  for (std::size_t n = 0; n < map.node_count(); ++n) {
    for (std::size_t p = 0; p < map.ports_of(NodeId{n}).size(); ++p) visit(PortRef{NodeId{n}, PortId{p}});
  }
}

/// Calls `visit(priority)` for each lossless priority.
template <class Visit>
void for_each_lossless(PrioritySet lossless, Visit visit) {
  for (std::uint8_t p = 0; p < Priority::count; ++p) {
    if (lossless.contains(Priority{p})) visit(Priority{p});
  }
}

}  // namespace

void SimulationState::take_sample() {
  const PortMap& map = routing->ports();
  const double interval_ps = static_cast<double>(sampler->interval().picoseconds());
  std::size_t series = 0;
  std::size_t port_number = 0;
  for_each_port(map, [&](PortRef ref) {
    const Port& port = port_at(ref);
    if (port_number >= sampled_busy.size()) sampled_busy.resize(port_number + 1);
    const Duration busy = port.busy_time(now);
    const Duration since_last = busy - sampled_busy[port_number];
    sampled_busy[port_number++] = busy;
    sampler->record(now, series++, static_cast<double>(since_last.picoseconds()) / interval_ps);
    if (map.is_host(ref.node) || map.is_accelerator(ref.node)) return;
    const SharedBuffer& buffer = switches[map.switch_at(ref.node).index()].buffer();
    for_each_lossless(scenario.pfc.priorities, [&](Priority priority) {
      const auto queued = buffer.queue_bytes(ref.port, priority).count();
      const auto headroom = buffer.headroom_use(ref.port, priority).count();
      sampler->record(now, series++, static_cast<double>(queued));
      sampler->record(now, series++, static_cast<double>(headroom));
    });
  });
  script.schedule(sample_source, now + sampler->interval(), Phase::sample);
}

std::vector<SampleRow> SimulationState::sample_rows() const {
  if (!sampler) return {};
  const PortMap& map = routing->ports();
  std::vector<std::string> names;
  for_each_port(map, [&](PortRef ref) {
    const std::string place = node_name(ref.node) + "/" + port_name(ref.node, ref.port);
    names.push_back(place + " utilisation_share");
    if (map.is_host(ref.node) || map.is_accelerator(ref.node)) return;
    for_each_lossless(scenario.pfc.priorities, [&](Priority priority) {
      const std::string queue = place + " p" + std::to_string(priority.value());
      names.push_back(queue + " queue_bytes");
      names.push_back(queue + " headroom_bytes");
    });
  });
  std::vector<SampleRow> rows;
  for (const Sample& sample : sampler->samples()) {
    rows.push_back({sample.time.picoseconds(), names[sample.series], sample.value});
  }
  return rows;
}

}  // namespace soya
