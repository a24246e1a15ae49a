#include "property/random_routing.hpp"

#include <vector>

namespace soya::test {

namespace {

constexpr std::int64_t microsecond = 1'000'000;

RoutingConfig any_routing(Dice& dice) {
  RoutingConfig config;
  config.policy = dice.one_of({RoutingPolicy::ecmp, RoutingPolicy::spray, RoutingPolicy::flowlet,
                               RoutingPolicy::adaptive, RoutingPolicy::weighted});
  config.spray = dice.one_of({SprayOrder::round_robin, SprayOrder::random});
  config.flowlet_gap = Duration{dice.between(1, 5 * microsecond)};
  config.flowlet = dice.one_of({FlowletChoice::random, FlowletChoice::least_queued});
  return config;
}

}  // namespace

void make_random_routing(Dice& dice, Scenario& scenario) {
  const bool alike = dice.chance(50);
  const RoutingConfig all = any_routing(dice);
  for (SwitchConfig& config : scenario.switches) config.routing = alike ? all : any_routing(dice);
  scenario.routing.hash_seeds = dice.one_of({HashSeeds::per_switch, HashSeeds::same});
  scenario.routing.order = dice.one_of({PathOrder::shortest, PathOrder::up_down});
  for (NicConfig& nic : scenario.nics) {
    if (dice.chance(50)) nic.reorder_timeout = Duration{dice.between(1, 50 * microsecond)};
  }
}

void make_random_failures(Dice& dice, Scenario& scenario) {
  scenario.routing.reconvergence.reset();
  if (dice.chance(80))
    scenario.routing.reconvergence = Duration{dice.chance(20) ? 0 : dice.between(1, 20 * microsecond)};
  std::vector<NodeId> switches;
  for (std::size_t n = 0; n < scenario.topology.nodes.size(); ++n) {
    if (scenario.topology.nodes[n].kind == NodeKind::switch_) switches.emplace_back(n);
  }
  for (int i = dice.small(1, 2); i > 0; --i) {
    const Time down{dice.between(1, 30 * microsecond)};
    const auto which = static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(switches.size()) - 1));
    scenario.faults.emplace_back(
        SwitchDownFault{switches[which], down, down + Duration{dice.between(1, 40 * microsecond)}, {}});
  }
}

}  // namespace soya::test
