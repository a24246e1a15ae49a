#include "engine/routes.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/hash.hpp"
#include "core/quantity_text.hpp"
#include "engine/outages.hpp"
#include "topology/graph.hpp"
#include "topology/route_loops.hpp"

namespace soya {

namespace {

void add_path_needs(const FlowsConfig& job, std::vector<PathNeed>& needs) {
  for (const FlowConfig& flow : job.flows) needs.push_back({flow.from, flow.to, flow.where});
}

void add_path_needs(const PerftestConfig& job, std::vector<PathNeed>& needs) {
  needs.push_back({job.client, job.server, job.where});
}

/// Every rank talks to the next one.
template <class Collective>
void add_path_needs(const Collective& job, std::vector<PathNeed>& needs) {
  for (std::size_t r = 0; r < job.hosts.size() && job.hosts.size() > 1; ++r) {
    needs.push_back({job.hosts[r], job.hosts[(r + 1) % job.hosts.size()], job.where});
  }
}

/// One for each need without a path that goes up and then down, where there is another one.
std::vector<Diagnostic> missing_up_down_paths(const Scenario& scenario, const std::vector<PathNeed>& needs) {
  if (scenario.routing.order != PathOrder::up_down) return {};
  const Routing routing = routing_of(scenario);
  std::vector<Diagnostic> complaints;
  const PortMap& ports = routing.ports();
  const auto name = [&](HostId host) { return scenario.topology.nodes[ports.node_of(host).index()].name; };
  for (const PathNeed& need : needs) {
    if (need.from == need.to || !routing.path({need.from, need.to}, 0).empty()) continue;
    complaints.push_back({need.where, "no path " + name(need.from) + " -> " + name(need.to) +
                                          " goes up the tiers and then down, as fabric.routing.order=up-down wants; "
                                          "try fabric.routing.order=shortest"});
  }
  return complaints;
}

template <class Config>
bool uses_local_link(const Config& job) {
  if constexpr (requires { job.local_link; }) {
    return job.local_link;
  } else {
    return false;
  }
}

bool uses_local_links(const JobConfig& job) {
  return std::visit([](const auto& config) { return uses_local_link(config); }, job);
}

}  // namespace

Routing routing_of(const Scenario& scenario, std::vector<bool> dead) {
  const TopologyConfig& topology = scenario.topology;
  const bool by_name = scenario.routing.hash_seeds == HashSeeds::per_switch;
  std::vector<std::uint64_t> seeds;
  RoutingOptions options{scenario.routing.order, {}, std::move(dead)};
  for (const NodeConfig& node : topology.nodes) {
    if (node.kind != NodeKind::switch_) continue;
    const SwitchConfig& config = scenario.switches[seeds.size()];
    seeds.push_back(ecmp_hash_seed(scenario.seed, by_name ? node.name : std::string{}, config.ecmp_seed));
    options.policies.push_back(config.routing.policy);
  }
  seeds.resize(seeds.size() + topology.accelerators.size());  // an accelerator has no choice
  return Routing{topology, seeds, options};
}

std::uint64_t flow_hash_of(const ConnectionConfig& connection, bool from_a) {
  return mix(hash_name(connection.identity), from_a ? 1 : 2);
}

HostPair nics_of(const HostPorts& ports, const JobConfig& job, const HostPair& ends) {
  if (uses_local_links(job)) {
    const std::optional<HostId> from = ports.local(ends.from, ends.to);
    const std::optional<HostId> to = ports.local(ends.to, ends.from);
    if (from && to) return {*from, *to};
  }
  return {ports.nic(ends.from), ports.nic(ends.to)};
}

std::vector<Diagnostic> path_problems(const Scenario& scenario) {
  const PortMap map = build_ports(scenario.topology);
  const HostPorts ports{scenario.topology, map};
  const auto name = [&](HostId host) { return scenario.topology.nodes[map.node_of(host).index()].name; };
  std::vector<Diagnostic> problems;
  std::vector<PathNeed> needs;
  for (const JobConfig& job : scenario.jobs) {
    const std::size_t first = needs.size();
    std::visit([&](const auto& config) { add_path_needs(config, needs); }, job);
    for (std::size_t i = first; i < needs.size(); ++i) {
      PathNeed& need = needs[i];
      const HostPair nics = nics_of(ports, job, {need.from, need.to});
      if (nics.from == nics.to) {
        const bool is_ring = std::holds_alternative<AllReduceConfig>(job) || std::holds_alternative<DdpConfig>(job);
        problems.push_back(
            {need.where, name(need.from) + " and " + name(need.to) + " use one NIC, that of " + name(nics.from) +
                             ", and no frame leaves it for itself" +
                             (is_ring ? "; local_link: true lets the ranks of a ring talk inside the server" : "")});
      }
      need.from = nics.from;
      need.to = nics.to;
    }
  }
  // What shares a NIC has a path to itself, so that nothing is said twice.
  std::vector<Diagnostic> missing = missing_paths(scenario.topology, needs);
  if (missing.empty()) missing = missing_up_down_paths(scenario, needs);
  std::ranges::move(missing, std::back_inserter(problems));
  return problems;
}

std::vector<Diagnostic> spreading_problems(const Scenario& scenario) {
  if (scenario.topology.accelerators.empty()) return {};
  std::size_t which = 0;
  for (const NodeConfig& node : scenario.topology.nodes) {
    if (node.kind != NodeKind::switch_) continue;
    const RoutingPolicy policy = scenario.switches[which++].routing.policy;
    if (!spreads_flows(policy)) continue;
    const auto where = scenario.where_of_switch(node.name, {"routing.policy"});
    return {{where.value_or(scenario.where_of_default("fabric.routing.policy")),
             "a wan_accelerator has to see all frames of a flow in order, and this policy spreads them over several "
             "ways; it takes policy: ecmp or weighted"}};
  }
  return {};
}

std::vector<Diagnostic> loops_after_failures(const Scenario& scenario) {
  if (scenario.topology.routes.empty()) return {};
  std::vector<Diagnostic> complaints;
  for (const Reconvergence& one : reconvergences_of(scenario)) {
    for (Diagnostic& loop : route_loops(scenario.topology, routing_of(scenario, one.dead))) {
      loop.message += " from " + time_text(one.at) + " on, when switches route " + one.what +
                      "; leave out the route, or try fabric.routing.reconvergence=never";
      complaints.push_back(std::move(loop));
    }
    if (!complaints.empty()) break;  // the first says enough
  }
  return complaints;
}

}  // namespace soya
