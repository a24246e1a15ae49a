#include "topology/port_map.hpp"

#include "core/check.hpp"

namespace soya {

PortMap build_ports(const TopologyConfig& topology) {
  PortMap map;
  const std::size_t node_count = topology.nodes.size();
  for (std::size_t i = 0; i < node_count; ++i) {
    const NodeKind kind = topology.nodes[i].kind;
    map.kind_.push_back(kind);
    std::vector<NodeId>& list = kind == NodeKind::host              ? map.hosts_
                                : kind == NodeKind::wan_accelerator ? map.accelerators_
                                                                    : map.forwarders_;
    map.ordinal_.push_back(static_cast<std::uint32_t>(list.size()));
    list.push_back(NodeId{i});
  }
  for (const NodeId accelerator : map.accelerators_) {
    map.ordinal_[accelerator.index()] = static_cast<std::uint32_t>(map.forwarders_.size());
    map.forwarders_.push_back(accelerator);
  }

  std::vector<std::size_t> degree(node_count, 0);
  for (const LinkConfig& link : topology.links) {
    SOYA_CHECK(link.a.index() < node_count && link.b.index() < node_count, "a link's ends are nodes");
    SOYA_CHECK(link.a != link.b, "a link joins two different nodes");
    map.links_.push_back({{link.a, PortId{degree[link.a.index()]++}}, {link.b, PortId{degree[link.b.index()]++}}});
  }

  map.first_port_.assign(node_count + 1, 0);
  for (std::size_t i = 0; i < node_count; ++i) map.first_port_[i + 1] = map.first_port_[i] + degree[i];
  map.ports_.resize(map.first_port_.back());
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const LinkPorts& ends = map.links_[i];
    map.ports_[map.first_port_[ends.a.node.index()] + ends.a.port.index()] = {LinkId{i}, ends.b.node, ends.b.port};
    map.ports_[map.first_port_[ends.b.node.index()] + ends.b.port.index()] = {LinkId{i}, ends.a.node, ends.a.port};
  }
  return map;
}

}  // namespace soya
