// Accelerators, and the connections that a pair of them relays.
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "core/quantity_text.hpp"
#include "engine/headroom_auto.hpp"
#include "engine/longest_link.hpp"
#include "engine/port_setup.hpp"
#include "engine/stall_time.hpp"
#include "engine/state.hpp"
#include "scenario/quantity.hpp"

namespace soya {

namespace {

[[nodiscard]] PortId port_towards(const PortMap& ports, NodeId node, NodeId peer, bool wanted) {
  const auto plugs = ports.ports_of(node);
  for (std::size_t p = 0; p < plugs.size(); ++p) {
    if ((plugs[p].peer == peer) == wanted) return PortId{p};
  }
  SOYA_CHECK(false, "an accelerator has a link to its partner and one to its site");
}

[[nodiscard]] PortId haul_port(const PortMap& ports, const AcceleratorConfig& one) {
  return port_towards(ports, one.node, one.partner, true);
}
[[nodiscard]] PortId site_port(const PortMap& ports, const AcceleratorConfig& one) {
  return port_towards(ports, one.node, one.partner, false);
}

/// What may still come from the site after XOFF.
[[nodiscard]] Bytes site_headroom(const Scenario& scenario, const PortMap& ports, const AcceleratorConfig& one) {
  if (scenario.pfc.priorities.empty()) return Bytes{0};
  return headroom_budget_of(scenario, ports, {one.node, site_port(ports, one)}, largest_frame(scenario)).automatic;
}

[[nodiscard]] const AcceleratorConfig& config_of(const Scenario& scenario, const PortMap& ports, NodeId node) {
  return scenario.topology.accelerators[ports.accelerator_at(node).index()];
}

[[nodiscard]] bool reads(const FlowsConfig& job, std::uint32_t connection) {
  return job.flows[connection].operation == Operation::read;
}
[[nodiscard]] bool reads(const PerftestConfig& job, std::uint32_t) {
  return job.test == PerftestTest::read_bw;
}
template <class Collective>
[[nodiscard]] bool reads(const Collective&, std::uint32_t) {
  return false;
}

/// One end of a connection as its queue pair knows it.
[[nodiscard]] ConnectionEnd connection_end(const SimulationState& state, HostId host, QueuePairId queue_pair) {
  const QueuePair& own = state.nics[host.index()].queue_pairs()[queue_pair.index()];
  const NicConfig& nic = state.scenario.nics[host.index()];
  ConnectionEnd end;
  end.host = host;
  end.queue_pair = queue_pair;
  end.flow_hash = own.flow_hash;
  end.priority = own.priority;
  end.ack_priority = own.ack_priority;
  end.initial_psn = own.requester.config().initial_psn;
  end.responder = own.responder.config();
  end.rnr_retry = own.requester.config().rnr_retry;
  end.timeout = nic.retransmission_timeout();
  end.retry_count = nic.retry_count;
  return end;
}

/// Whether a path leaves `egress`.
[[nodiscard]] bool crosses(const std::vector<PortRef>& path, PortRef egress) {
  return std::find(path.begin(), path.end(), egress) != path.end();
}

/// A connection that may be relayed.
struct Candidate {
  const std::string* identity;
  FlowRef flow;
  ConnectionEnd a;
  ConnectionEnd b;
  std::vector<PortRef> there;
  std::vector<PortRef> back;
};

/// In an order that no file's order changes.
[[nodiscard]] std::vector<Candidate> candidates(const SimulationState& state) {
  std::vector<Candidate> found;
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    const std::vector<ConnectionConfig>& connections = state.jobs[j].job->connections();
    for (std::uint32_t c = 0; c < connections.size(); ++c) {
      if (std::visit([&](const auto& job) { return reads(job, c); }, state.scenario.jobs[j])) continue;
      const ConnectionConfig& one = connections[c];
      const ConnectionEnds& ends = state.jobs[j].ends[c];
      Candidate candidate{&one.identity,
                          {JobId{j}, c},
                          connection_end(state, ends.nics.from, ends.at_a),
                          connection_end(state, ends.nics.to, ends.at_b),
                          {},
                          {}};
      candidate.there = state.routing->path(ends.nics, candidate.a.flow_hash);
      candidate.back = state.routing->path(ends.from(false), candidate.b.flow_hash);
      found.push_back(std::move(candidate));
    }
  }
  std::ranges::sort(found, {}, [](const Candidate& one) {
    return std::tie(*one.identity, one.a.host, one.b.host, one.a.queue_pair);
  });
  return found;
}

}  // namespace

std::vector<Diagnostic> accelerator_problems(const Scenario& scenario, const PortMap& ports) {
  std::vector<Diagnostic> problems;
  const Bytes frame = largest_frame(scenario);
  for (const AcceleratorConfig& one : scenario.topology.accelerators) {
    const Bytes headroom = site_headroom(scenario, ports, one);
    const Bytes least = headroom + 2 * frame;
    if (one.buffer >= least) continue;
    const std::string room = headroom == Bytes{0} ? "" : bytes_text(headroom) + " that may come after XOFF, and ";
    problems.push_back({one.where, "wan_accelerator " + scenario.topology.nodes[one.node.index()].name + ": buffer " +
                                       bytes_text(one.buffer) + " is less than " + room +
                                       "two frames; it takes at least " +
                                       reading::format_number(least.count(), reading::Dimension::size)});
  }
  return problems;
}

void SimulationState::build_accelerators() {
  const PortMap& ports = routing->ports();
  accelerators.reserve(ports.accelerator_count());
  relayed.resize(ports.accelerator_count());
  for (std::uint32_t i = 0; i < ports.accelerator_count(); ++i) {
    const AcceleratorConfig& config = scenario.topology.accelerators[i];
    const PortRef haul{config.node, haul_port(ports, config)};
    const LinkConfig link = longest_link(scenario, ports.at(haul).link);
    Accelerator::Setup setup;
    setup.buffer = config.buffer;
    setup.partner_buffer = config_of(scenario, ports, config.partner).buffer;
    setup.headroom = site_headroom(scenario, ports, config);
    setup.largest_frame = largest_frame(scenario);
    setup.acknowledge_frame = sizes.acknowledge();
    setup.haul_round_trip = link.forward_way() + link.reverse_way();
    setup.haul_patience = haul_patience;
    setup.site = port_setup(*this, {config.node, site_port(ports, config)}, accelerator_events, i);
    setup.haul = port_setup(*this, haul, accelerator_events, i);
    setup.timer = add_source(config.node, node_name(config.node) + source_separator + "timer", {EventKind::accelerator_timer, i, 0});
    accelerators.emplace_back(scenario.pfc, setup);
  }
}

void SimulationState::connect_accelerators() {
  if (accelerators.empty()) return;
  const PortMap& ports = routing->ports();
  for (const Candidate& one : candidates(*this)) {
    for (std::size_t i = 0; i < accelerators.size(); ++i) {
      const AcceleratorConfig& near = scenario.topology.accelerators[i];
      const AcceleratorConfig& far = config_of(scenario, ports, near.partner);
      const bool there = crosses(one.there, {near.node, haul_port(ports, near)});
      const bool back = crosses(one.back, {far.node, haul_port(ports, far)});
      if (there != back) {
        warnings.push_back("connection " + *one.identity + " passes " + node_name(near.node) + " and " +
                           node_name(far.node) + " one way only: it is passed on, not accelerated");
      }
      if (!there || !back) continue;
      accelerators[i].add_connection(one.a, one.b);
      relayed[i].push_back(one.flow);
      accelerator_at(far.node).add_connection(one.b, one.a);
      relayed[ports.accelerator_at(far.node).index()].push_back(one.flow);
    }
  }
}

}  // namespace soya
