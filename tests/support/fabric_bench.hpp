// A small fabric built in code: the bench on which a test puts hosts, switches, links, flows and faults, and runs them.
// Times in tests are easy to derive here: no pipeline latency, no response time, SEND unless a test says otherwise.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/observer.hpp"
#include "core/units.hpp"
#include "engine/simulation.hpp"
#include "support/units_io.hpp"
#include "topology/families.hpp"

namespace soya::test {

class FabricBench {
 public:
  FabricBench() {
    scenario.name = "bench";
    scenario.pfc.response = Duration{0};
    defaults.latency = Duration{0};
  }

  Scenario scenario;
  SwitchConfig defaults;                  ///< of switches added from here on
  NicConfig nic;                          ///< of hosts added from here on
  Rate rate = 100_Gbps;                   ///< of links added from here on
  Duration delay = 1_us;                  ///< one way, of links added from here on
  Operation operation = Operation::send;  ///< of flows added from here on

  HostId host(const std::string& name) {
    add_node(name, NodeKind::host);
    scenario.nics.push_back(nic);
    return HostId{scenario.nics.size() - 1};
  }
  void hosts(const std::string& prefix, int count) {
    for (int i = 1; i <= count; ++i) host(prefix + std::to_string(i));
  }
  SwitchId add_switch(const std::string& name) {
    add_node(name, NodeKind::switch_);
    scenario.switches.push_back(defaults);
    return SwitchId{scenario.switches.size() - 1};
  }
  /// Two accelerators, each other's partners; the long link between them is the caller's to add.
  void accelerators(const std::string& one, const std::string& other, Bytes buffer) {
    for (const std::string& name : {one, other}) add_node(name, NodeKind::wan_accelerator);
    scenario.topology.accelerators.push_back({node(one), node(other), buffer, {}});
    scenario.topology.accelerators.push_back({node(other), node(one), buffer, {}});
  }
  LinkId link(const std::string& a, const std::string& b) {
    LinkConfig config;
    config.a = node(a);
    config.b = node(b);
    config.rate = rate;
    config.length = Length{0};
    config.delay = delay;
    scenario.topology.links.push_back(config);
    return LinkId{scenario.topology.links.size() - 1};
  }

  /// Fills the bench with a two-tier Clos of switches and hosts as they are added from here on.
  void leaf_spine(const LeafSpineConfig& config) {
    add_leaf_spine(scenario.topology, config);
    for (std::size_t n = scenario.nics.size() + scenario.switches.size(); n < scenario.topology.nodes.size(); ++n) {
      if (scenario.topology.nodes[n].kind == NodeKind::host) {
        scenario.nics.push_back(nic);
      } else {
        scenario.switches.push_back(defaults);
      }
    }
  }
  /// A link of the bench's rate and delay, for `leaf_spine`.
  [[nodiscard]] LinkConfig link_kind() const {
    LinkConfig config;
    config.rate = rate;
    config.length = Length{0};
    config.delay = delay;
    return config;
  }

  /// At `at`, frames for `to` leave towards `via`.
  void route(const std::string& at, const std::string& to, const std::string& via) {
    scenario.topology.routes.push_back({node(at), {node(to)}, node(via), {}});
  }

  /// The first link between two nodes.
  [[nodiscard]] LinkId link_between(const std::string& one, const std::string& other) const {
    const NodeId x = node(one);
    const NodeId y = node(other);
    for (std::size_t l = 0; l < scenario.topology.links.size(); ++l) {
      const LinkConfig& config = scenario.topology.links[l];
      if ((config.a == x && config.b == y) || (config.a == y && config.b == x)) return LinkId{l};
    }
    throw std::logic_error("no link between " + one + " and " + other);
  }
  /// No data frame leaves `from` towards `to` in [begin, end).
  void hold(const std::string& from, const std::string& to, Time begin, Time end) {
    scenario.faults.emplace_back(HoldFault{link_between(from, to), node(from), begin, end, {}});
  }

  [[nodiscard]] NodeId node(const std::string& name) const {
    for (std::size_t n = 0; n < scenario.topology.nodes.size(); ++n) {
      if (scenario.topology.nodes[n].name == name) return NodeId{n};
    }
    throw std::logic_error("no node " + name);
  }
  [[nodiscard]] HostId host_id(const std::string& name) const {
    std::uint32_t ordinal = 0;
    for (const NodeConfig& one : scenario.topology.nodes) {
      if (one.name == name) return HostId{ordinal};
      if (one.kind == NodeKind::host) ++ordinal;
    }
    throw std::logic_error("no host " + name);
  }

  /// Adds a flow to the bench's one list of flows; the returned reference is good until the next call.
  FlowConfig& flow(const std::string& from, const std::string& to, Bytes size) {
    if (scenario.jobs.empty()) scenario.jobs.emplace_back(FlowsConfig{.name = "flows", .flows = {}, .where = {}});
    FlowConfig config;
    config.from = host_id(from);
    config.to = host_id(to);
    config.size = size;
    config.operation = operation;
    auto& flows = std::get<FlowsConfig>(scenario.jobs.front()).flows;
    flows.push_back(config);
    return flows.back();
  }

  [[nodiscard]] RunResults run() const { return Simulation{scenario}.run(); }
  [[nodiscard]] RunResults run(Observer& observer) const {
    Simulation simulation{scenario};
    simulation.observe(observer);
    return simulation.run();
  }

 private:
  void add_node(const std::string& name, NodeKind kind) { scenario.topology.nodes.push_back({name, kind, {}}); }
};

/// The only transfer of `results` from `from`; its finish as a time.
inline Time finish_of(const RunResults& results, const std::string& from) {
  for (const TransferRow& row : results.transfer_rows) {
    if (row.from == from && row.finish_ps) return Time{*row.finish_ps};
  }
  return Time::never();
}

inline const QueueRow* queue_of(const RunResults& results, const std::string& node, const std::string& port,
                                int priority) {
  for (const QueueRow& row : results.queues) {
    if (row.node == node && row.port == port && row.priority == priority) return &row;
  }
  return nullptr;
}

inline const LinkRow* link_of(const RunResults& results, const std::string& from, const std::string& to) {
  for (const LinkRow& row : results.links) {
    if (row.from == from && row.to == to) return &row;
  }
  return nullptr;
}

inline const HostRow* host_of(const RunResults& results, const std::string& name) {
  for (const HostRow& row : results.hosts) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace soya::test
