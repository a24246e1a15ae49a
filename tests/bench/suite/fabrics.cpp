#include "suite/fabrics.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "topology/families.hpp"
#include "workload/permutation.hpp"

namespace soya::bench {

namespace {

LinkConfig link_of(Duration delay) {
  LinkConfig link;
  link.rate = 100_Gbps;
  link.length = 0_m;
  link.delay = delay;
  return link;
}

/// Plain switches and NICs for every node of the topology.
void equip(Scenario& scenario, const Amount& amount) {
  const std::vector<NodeConfig>& nodes = scenario.topology.nodes;
  const auto hosts = std::ranges::count(nodes, NodeKind::host, &NodeConfig::kind);
  SwitchConfig plain;
  plain.latency = Duration{0};
  scenario.switches.assign(nodes.size() - static_cast<std::size_t>(hosts), plain);
  NicConfig nic;
  nic.ack_every = amount.ack_every;
  scenario.nics.assign(static_cast<std::size_t>(hosts), nic);
}

Scenario fat_tree(int k, const Amount& amount) {
  Scenario scenario;
  FatTreeConfig fabric;
  fabric.k = k;
  fabric.host_link = fabric.fabric_link = fabric.core_link = link_of(1_us);
  add_fat_tree(scenario.topology, fabric);
  equip(scenario, amount);
  return scenario;
}

std::vector<HostId> all_hosts(const Scenario& scenario) {
  std::vector<HostId> hosts;
  for (std::size_t h = 0; h < scenario.nics.size(); ++h) hosts.emplace_back(h);
  return hosts;
}

std::size_t receiver_of(Pattern pattern, std::size_t sender, std::size_t hosts) {
  switch (pattern) {
    case Pattern::incast:
      return 0;
    case Pattern::ring:
      return (sender + 1) % hosts;
    case Pattern::shift:
      return (sender + 4) % hosts;
  }
  return 0;
}

}  // namespace

Scenario leaf_spine(int hosts, Pattern pattern, const Amount& amount) {
  Scenario scenario;
  scenario.name = "leaf-spine";
  LeafSpineConfig fabric;
  fabric.hosts_per_leaf = 4;
  fabric.leaves = hosts / fabric.hosts_per_leaf;
  fabric.spines = 4;
  fabric.host_link = fabric.fabric_link = link_of(1_us);
  add_leaf_spine(scenario.topology, fabric);
  equip(scenario, amount);

  FlowsConfig job;
  job.name = "flows";
  for (std::size_t h = pattern == Pattern::incast ? 1 : 0; h < scenario.nics.size(); ++h) {
    FlowConfig flow;
    flow.from = HostId{h};
    flow.to = HostId{receiver_of(pattern, h, scenario.nics.size())};
    flow.size = Bytes{amount.size * 4096};
    job.flows.push_back(flow);
  }
  scenario.jobs.emplace_back(std::move(job));
  return scenario;
}

Scenario chain(const Amount& amount) {
  Scenario scenario;
  scenario.name = "chain";
  scenario.topology.nodes = {{"a", NodeKind::host},
                             {"s1", NodeKind::switch_},
                             {"s2", NodeKind::switch_},
                             {"s3", NodeKind::switch_},
                             {"b", NodeKind::host}};
  // 1 + 1498 + 1 us would be 1.5 ms over three links; the long one gives a microsecond to the fourth.
  const std::vector<Duration> delays{1_us, 1497_us, 1_us, 1_us};
  for (std::size_t i = 0; i < delays.size(); ++i) {
    LinkConfig link = link_of(delays[i]);
    link.a = NodeId{i};
    link.b = NodeId{i + 1};
    scenario.topology.links.push_back(link);
  }
  equip(scenario, amount);
  // The long link's headroom alone is a round trip of 3 ms: 37.5 MB.
  for (SwitchConfig& one : scenario.switches) one.buffer.size = 256_MiB;

  FlowConfig flow;
  flow.from = HostId{std::size_t{0}};
  flow.to = HostId{std::size_t{1}};
  flow.size = Bytes{amount.size * 4096};
  FlowsConfig job;
  job.name = "flow";
  job.flows.push_back(flow);
  scenario.jobs.emplace_back(std::move(job));
  return scenario;
}

Scenario permutation(int k, const Amount& amount) {
  Scenario scenario = fat_tree(k, amount);
  scenario.name = "permutation";
  PermutationConfig job;
  job.name = "permutation";
  job.hosts = all_hosts(scenario);
  job.size = Bytes{amount.size * 1000};
  scenario.jobs.emplace_back(expand_permutation(job, scenario.seed));
  return scenario;
}

Scenario all_reduce_slice(int k, const Amount& amount) {
  Scenario scenario = fat_tree(k, amount);
  scenario.name = "all-reduce";
  AllReduceConfig job;
  job.name = "all-reduce";
  job.hosts = all_hosts(scenario);
  job.size = 16_MiB;
  scenario.jobs.emplace_back(std::move(job));
  scenario.stop.after = amount.size * 1_us;
  return scenario;
}

}  // namespace soya::bench
