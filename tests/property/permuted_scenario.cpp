// The same scenario in another order: nodes, links and their ends, flows, faults.
#include <utility>
#include <variant>
#include <vector>

#include "property/dice.hpp"
#include "property/random_scenario.hpp"
#include "topology/port_map.hpp"

namespace soya::test {

namespace {

/// `order[new position] = old position`, and the other way round.
struct Permutation {
  Permutation(std::size_t size, Dice& dice) : order(size), place(size) {
    for (std::size_t i = 0; i < size; ++i) order[i] = i;
    dice.shuffle(order);
    for (std::size_t i = 0; i < size; ++i) place[order[i]] = i;
  }
  template <class T>
  [[nodiscard]] std::vector<T> of(const std::vector<T>& list) const {
    std::vector<T> out;
    for (const std::size_t i : order) out.push_back(list[i]);
    return out;
  }
  std::vector<std::size_t> order;
  std::vector<std::size_t> place;
};

void renumber(FaultConfig& fault, const Permutation& nodes, const Permutation& links) {
  const auto new_node = [&](NodeId node) { return NodeId{nodes.place[node.index()]}; };
  if (auto* down = std::get_if<SwitchDownFault>(&fault)) {
    down->node = new_node(down->node);
    return;
  }
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.link; }) one.link = LinkId{links.place[one.link.index()]};
      },
      fault);
  if (auto* drop = std::get_if<DropFault>(&fault)) drop->from = new_node(drop->from);
  if (auto* hold = std::get_if<HoldFault>(&fault)) hold->node = new_node(hold->node);
  if (auto* burst = std::get_if<LossBurstFault>(&fault)) burst->from = new_node(burst->from);
}

}  // namespace

Scenario permuted(const Scenario& scenario, std::uint64_t seed) {
  Dice dice{seed, "permutation"};
  const Permutation nodes{scenario.topology.nodes.size(), dice};
  const Permutation links{scenario.topology.links.size(), dice};
  Scenario out = scenario;
  out.topology.nodes = nodes.of(scenario.topology.nodes);
  out.topology.links = links.of(scenario.topology.links);
  for (LinkConfig& link : out.topology.links) {
    link.a = NodeId{nodes.place[link.a.index()]};
    link.b = NodeId{nodes.place[link.b.index()]};
    if (!dice.chance(50)) continue;
    std::swap(link.a, link.b);
    if (link.reverse_rate) std::swap(link.rate, *link.reverse_rate);
    if (link.reverse_length) std::swap(link.length, *link.reverse_length);
    if (link.reverse_delay) std::swap(link.delay, *link.reverse_delay);
  }
  const PortMap before = build_ports(scenario.topology);
  const PortMap after = build_ports(out.topology);
  for (std::size_t s = 0; s < out.switches.size(); ++s) {
    const NodeId old{nodes.order[after.node_of(SwitchId{s}).index()]};
    out.switches[s] = scenario.switches[before.switch_at(old).index()];
  }
  const auto new_host = [&](HostId host) { return after.host_at(NodeId{nodes.place[before.node_of(host).index()]}); };
  for (std::size_t h = 0; h < scenario.nics.size(); ++h) out.nics[new_host(HostId{h}).index()] = scenario.nics[h];
  for (JobConfig& job : out.jobs) {
    std::vector<FlowConfig>& flows = std::get<FlowsConfig>(job).flows;
    for (FlowConfig& flow : flows) {
      flow.from = new_host(flow.from);
      flow.to = new_host(flow.to);
    }
    dice.shuffle(flows);
  }
  for (FaultConfig& fault : out.faults) renumber(fault, nodes, links);
  dice.shuffle(out.faults);
  return out;
}

}  // namespace soya::test
