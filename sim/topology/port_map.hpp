// Who is plugged in where: each node's ports and what is at the other end, and the numbering of hosts, switches and
// accelerators.
// Simplifies: nothing; port k of a node is its k-th link in link order, so a name never depends on a port's number.
// Source: ours. Validated by tests/unit/topology/port_map_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "topology/topology_config.hpp"

namespace soya {

struct PortRef {
  NodeId node;
  PortId port;
  constexpr bool operator==(const PortRef&) const = default;
};

/// What a port is plugged into.
struct PortLink {
  LinkId link;
  NodeId peer;
  PortId peer_port;
  constexpr bool operator==(const PortLink&) const = default;
};

/// The two ends of a link, as ports of its `a` and its `b`.
struct LinkPorts {
  PortRef a;
  PortRef b;
};

class PortMap {
 public:
  PortMap() = default;

  [[nodiscard]] std::span<const PortLink> ports_of(NodeId node) const {
    return std::span{ports_}.subspan(first_port_[node.index()],
                                     first_port_[node.index() + 1] - first_port_[node.index()]);
  }
  [[nodiscard]] const PortLink& at(PortRef ref) const { return ports_of(ref.node)[ref.port.index()]; }
  [[nodiscard]] const LinkPorts& ends_of(LinkId link) const { return links_[link.index()]; }
  /// The port of `node` on `link`, one of whose ends it is.
  [[nodiscard]] PortId port_on(LinkId link, NodeId node) const {
    const LinkPorts& ends = ends_of(link);
    return ends.a.node == node ? ends.a.port : ends.b.port;
  }

  [[nodiscard]] std::size_t node_count() const { return kind_.size(); }
  [[nodiscard]] std::size_t host_count() const { return hosts_.size(); }
  [[nodiscard]] std::size_t switch_count() const { return forwarders_.size() - accelerators_.size(); }
  [[nodiscard]] std::size_t accelerator_count() const { return accelerators_.size(); }
  /// What routes lead through: switches and, numbered after them, accelerators.
  [[nodiscard]] std::size_t forwarder_count() const { return forwarders_.size(); }
  [[nodiscard]] NodeId node_of(HostId host) const { return hosts_[host.index()]; }
  /// Of a switch; of an accelerator by its number among forwarders.
  [[nodiscard]] NodeId node_of(SwitchId which) const { return forwarders_[which.index()]; }
  [[nodiscard]] NodeId node_of(AcceleratorId which) const { return accelerators_[which.index()]; }
  [[nodiscard]] bool is_host(NodeId node) const { return kind_[node.index()] == NodeKind::host; }
  [[nodiscard]] bool is_accelerator(NodeId node) const { return kind_[node.index()] == NodeKind::wan_accelerator; }
  /// The number of a host among hosts. `node` is a host.
  [[nodiscard]] HostId host_at(NodeId node) const { return HostId{ordinal_[node.index()]}; }
  /// The number of a switch among switches, or of an accelerator among forwarders. `node` is no host.
  [[nodiscard]] SwitchId switch_at(NodeId node) const { return SwitchId{ordinal_[node.index()]}; }
  /// `node` is an accelerator.
  [[nodiscard]] AcceleratorId accelerator_at(NodeId node) const {
    return AcceleratorId{ordinal_[node.index()] - switch_count()};
  }

 private:
  friend PortMap build_ports(const TopologyConfig& topology);

  std::vector<std::size_t> first_port_;  ///< by node, and one past the last; index into `ports_`
  std::vector<PortLink> ports_;          ///< all ports, node by node
  std::vector<LinkPorts> links_;         ///< by LinkId
  std::vector<NodeId> hosts_;            ///< by HostId
  std::vector<NodeId> forwarders_;       ///< by SwitchId: the switches, then the accelerators
  std::vector<NodeId> accelerators_;     ///< by AcceleratorId
  std::vector<NodeKind> kind_;           ///< by NodeId
  std::vector<std::uint32_t> ordinal_;   ///< by NodeId: its HostId or SwitchId
};

/// O(nodes + links). Every link joins two different nodes of the topology.
[[nodiscard]] PortMap build_ports(const TopologyConfig& topology);

}  // namespace soya
