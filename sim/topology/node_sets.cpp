#include "topology/node_sets.hpp"

namespace soya {

NodeSets::NodeSets(const TopologyConfig& topology)
    : rank_(topology.nodes.size()), parent_(topology.nodes.size()), sets_{rank_.data(), parent_.data()} {
  for (std::size_t n = 0; n < topology.nodes.size(); ++n) sets_.make_set(n);
  for (const ServerConfig& server : topology.servers) {
    const auto take_in = [&](NodeId node) {
      if (!node.is_none() && !server.gpus.empty()) join(server.gpus.front(), node);
    };
    for (const NodeId gpu : server.gpus) take_in(gpu);
    for (const NodeId nic : server.nics) take_in(nic);
    for (const NodeId port : server.local_ports) take_in(port);
    take_in(server.local_switch);
  }
}

std::vector<std::uint32_t> NodeSets::numbers() {
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> number(parent_.size(), none);
  std::vector<std::uint32_t> numbers(parent_.size());
  std::uint32_t count = 0;
  for (std::size_t n = 0; n < parent_.size(); ++n) {
    std::uint32_t& own = number[sets_.find_set(n)];
    if (own == none) own = count++;
    numbers[n] = own;
  }
  return numbers;
}

}  // namespace soya
