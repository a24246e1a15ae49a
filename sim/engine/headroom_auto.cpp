#include "engine/headroom_auto.hpp"

#include <algorithm>
#include <variant>

#include "engine/link_delay.hpp"
#include "engine/longest_link.hpp"
#include "fabric/headroom_policy.hpp"
#include "net/frame.hpp"
#include "planning/headroom_formulas.hpp"
#include "planning/landing.hpp"

namespace soya {

namespace {

[[nodiscard]] Bytes largest_of(const FlowsConfig& job, const FrameSizes& sizes) {
  Bytes largest{0};
  for (const FlowConfig& flow : job.flows) largest = std::max(largest, sizes.largest(flow.operation));
  return largest;
}

/// Slices and clear-to-sends are WRITE with immediate.
template <class Collective>
[[nodiscard]] Bytes largest_of(const Collective&, const FrameSizes& sizes) {
  return sizes.largest(Operation::write_immediate);
}

}  // namespace

Bytes largest_frame(const Scenario& scenario) {
  const FrameSizes sizes{scenario.frame};
  Bytes largest = std::max(sizes.middle(), sizes.acknowledge());
  for (const JobConfig& job : scenario.jobs) {
    largest = std::max(largest, std::visit([&](const auto& config) { return largest_of(config, sizes); }, job));
  }
  return largest;
}

HeadroomQuery headroom_query_of(const Scenario& scenario, const PortMap& ports, PortRef ref, Bytes frame) {
  const PortLink& plug = ports.at(ref);
  const LinkConfig link = longest_link(scenario, plug.link);
  HeadroomQuery query;
  query.rate = link.rate_from(plug.peer);
  query.reverse_rate = link.rate_from(ref.node);
  query.one_way = link.one_way_from(plug.peer);
  if (link.is_asymmetric()) query.way_back = link.one_way_from(ref.node);
  query.largest_frame = frame;
  query.response = response_time(scenario.pfc, query.rate);
  if (!ports.is_accelerator(ref.node)) query.cell = scenario.switches[ports.switch_at(ref.node).index()].buffer.cell;
  // Of cables of two lengths the mean: formulas in metres go there and back.
  query.length = Length{(link.length_from(link.a).millimetres() + link.length_from(link.b).millimetres() + 1) / 2};
  return query;
}

HeadroomBudget headroom_budget_of(const Scenario& scenario, const PortMap& ports, PortRef ref, Bytes frame) {
  return headroom_budget(headroom_query_of(scenario, ports, ref, frame));
}

std::vector<std::vector<HeadroomBudget>> headroom_budgets(const Scenario& scenario, const PortMap& ports) {
  const Bytes frame = largest_frame(scenario);
  std::vector<std::vector<HeadroomBudget>> budgets(ports.switch_count());
  for (std::size_t s = 0; s < ports.switch_count(); ++s) {
    const NodeId node = ports.node_of(SwitchId{s});
    for (std::size_t p = 0; p < ports.ports_of(node).size(); ++p) {
      budgets[s].push_back(headroom_budget_of(scenario, ports, {node, PortId{p}}, frame));
    }
  }
  return budgets;
}

std::vector<std::vector<Bytes>> automatic_headroom(const Scenario& scenario, const PortMap& ports) {
  const Bytes frame = largest_frame(scenario);
  LinkDelays measured;
  std::vector<std::vector<Bytes>> sizes(ports.switch_count());
  for (std::size_t s = 0; s < ports.switch_count(); ++s) {
    const NodeId node = ports.node_of(SwitchId{s});
    for (std::size_t p = 0; p < ports.ports_of(node).size(); ++p) {
      const PortRef ref{node, PortId{p}};
      const HeadroomFormula formula = scenario.switches[s].headroom.formula;
      HeadroomQuery query = headroom_query_of(scenario, ports, ref, frame);
      // It measures the path there is at link start, and no other.
      if (formula == HeadroomFormula::qdt) {
        query.one_way = measured.of(scenario.topology.links[ports.at(ref).link.index()]);
        query.way_back.reset();
      }
      const FormulaAnswer answer = formula_headroom(formula, query);
      sizes[s].push_back(answer.size.value_or(headroom_budget(query).automatic));
    }
  }
  return sizes;
}

std::vector<Diagnostic> formula_problems(const Scenario& scenario, const PortMap& ports) {
  std::vector<Diagnostic> problems;
  if (scenario.pfc.priorities.empty()) return problems;
  const Bytes frame = largest_frame(scenario);
  for (std::size_t s = 0; s < ports.switch_count(); ++s) {
    const HeadroomConfig& config = scenario.switches[s].headroom;
    if (config.size || std::holds_alternative<NoHeadroom>(config.mode)) continue;
    const NodeId node = ports.node_of(SwitchId{s});
    const auto plugs = ports.ports_of(node);
    for (std::size_t p = 0; p < plugs.size(); ++p) {
      const HeadroomQuery query = headroom_query_of(scenario, ports, {node, PortId{p}}, frame);
      const FormulaAnswer answer = formula_headroom(config.formula, query);
      if (answer.size) continue;
      const std::string& name = scenario.topology.nodes[node.index()].name;
      const auto given = scenario.where_of_switch(name, {"headroom.formula"});
      problems.push_back({given.value_or(scenario.where_of_default("fabric.headroom.formula")),
                          std::string{formula_name(config.formula)} + " has no value for switch " + name + " port " +
                              scenario.topology.nodes[plugs[p].peer.index()].name + ": " + answer.reason +
                              "; choose soya, or give headroom.size"});
      break;  // one port speaks for its switch
    }
  }
  return problems;
}

std::vector<Bytes> configured_headroom(const HeadroomConfig& config, const std::vector<Bytes>& automatic) {
  if (std::holds_alternative<NoHeadroom>(config.mode)) return std::vector<Bytes>(automatic.size());
  std::vector<Bytes> sizes = config.size ? std::vector<Bytes>(automatic.size(), *config.size) : automatic;
  for (std::size_t port = 0; port < config.by_port.size(); ++port) {
    if (config.by_port[port]) sizes.at(port) = *config.by_port[port];
  }
  return sizes;
}

std::vector<Bytes> headroom_of_groups(const HeadroomConfig& config, PrioritySet lossless,
                                      const std::vector<Bytes>& automatic) {
  const HeadroomLayout layout{configured_headroom(config, automatic), lossless};
  const auto policy = make_headroom_policy(config.mode, layout);
  std::vector<Bytes> sizes;
  for (std::size_t port = 0; port < automatic.size(); ++port) {
    Bytes most;
    for (std::size_t priority = 0; priority < Priority::count; ++priority) {
      const std::size_t group = port * Priority::count + priority;
      if (layout.is_lossless(group)) most = std::max(most, policy->size(group));
    }
    sizes.push_back(most);
  }
  return sizes;
}

namespace {

/// The on-chip side of a deep buffer: landing by the budget of docs/model.md section 5, whatever the headroom is.
DeepSetup deep_setup_of(const Scenario& scenario, const PortMap& ports, SwitchId id) {
  const SwitchConfig& config = scenario.switches[id.index()];
  const NodeId node = ports.node_of(id);
  const Bytes frame = largest_frame(scenario);
  LandingQuery query;
  query.bandwidth = config.buffer.deep->bandwidth;
  query.latency = config.latency;
  for (std::size_t p = 0; p < ports.ports_of(node).size(); ++p) {
    const HeadroomQuery port = headroom_query_of(scenario, ports, {node, PortId{p}}, frame);
    const HeadroomBudget budget = headroom_budget(port);
    query.largest_frame = budget.frame_in_buffer;
    query.ports.push_back({Rate{scaled(port.rate.bits_per_second(), budget.cell_factor)}, budget.automatic});
  }
  DeepSetup deep{*config.buffer.deep, Bytes{0}, 2 * query.largest_frame};
  const bool may_lose = std::holds_alternative<NoHeadroom>(config.headroom.mode) || scenario.pfc.priorities.empty();
  if (may_lose) return deep;
  const bool on_chip = config.buffer.deep->headroom == LandingPlace::on_chip;
  deep.landing = on_chip ? landing_on_chip(query) : landing_off_chip(query);
  return deep;
}

}  // namespace

SharedBufferSetup buffer_setup_of(const Scenario& scenario, const PortMap& ports, SwitchId id,
                                  const std::vector<Bytes>& automatic) {
  const SwitchConfig& config = scenario.switches[id.index()];
  SharedBufferSetup setup{config.buffer, config.headroom.mode, scenario.pfc.priorities,
                          configured_headroom(config.headroom, automatic)};
  if (config.buffer.deep) setup.deep = deep_setup_of(scenario, ports, id);
  return setup;
}

}  // namespace soya
