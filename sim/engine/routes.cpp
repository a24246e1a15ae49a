#include "engine/routes.hpp"

#include <utility>
#include <variant>
#include <vector>

#include "core/hash.hpp"
#include "topology/graph.hpp"

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

}  // namespace

Routing routing_of(const Scenario& scenario, std::vector<bool> dead) {
  const TopologyConfig& topology = scenario.topology;
  const PortMap ports = build_ports(topology);
  std::vector<std::uint64_t> seeds;
  seeds.reserve(ports.forwarder_count());
  for (std::size_t s = 0; s < ports.switch_count(); ++s) {
    const std::string& name = topology.nodes[ports.node_of(SwitchId{s}).index()].name;
    seeds.push_back(ecmp_hash_seed(scenario.seed, name, scenario.switches[s].ecmp_seed));
  }
  seeds.resize(ports.forwarder_count());  // an accelerator has no choice
  RoutingOptions options;
  options.dead = std::move(dead);
  return Routing{topology, seeds, options};
}

std::uint64_t flow_hash_of(const ConnectionConfig& connection, bool from_a) {
  return mix(hash_name(connection.identity), from_a ? 1 : 2);
}

std::vector<Diagnostic> path_problems(const Scenario& scenario) {
  std::vector<PathNeed> needs;
  for (const JobConfig& job : scenario.jobs) {
    std::visit([&](const auto& config) { add_path_needs(config, needs); }, job);
  }
  return missing_paths(scenario.topology, needs);
}

}  // namespace soya
