// Who is plugged in where: each node's ports and what is at the other end, and the numbering of hosts and switches.
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

  [[nodiscard]] std::size_t node_count() const { return is_host_.size(); }
  [[nodiscard]] std::size_t host_count() const { return hosts_.size(); }
  [[nodiscard]] std::size_t switch_count() const { return switches_.size(); }
  [[nodiscard]] NodeId node_of(HostId host) const { return hosts_[host.index()]; }
  [[nodiscard]] NodeId node_of(SwitchId which) const { return switches_[which.index()]; }
  [[nodiscard]] bool is_host(NodeId node) const { return is_host_[node.index()]; }
  /// The number of a host among hosts. `node` is a host.
  [[nodiscard]] HostId host_at(NodeId node) const { return HostId{ordinal_[node.index()]}; }
  /// The number of a switch among switches. `node` is a switch.
  [[nodiscard]] SwitchId switch_at(NodeId node) const { return SwitchId{ordinal_[node.index()]}; }

 private:
  friend PortMap build_ports(const TopologyConfig& topology);

  std::vector<std::size_t> first_port_;  ///< by node, and one past the last; index into `ports_`
  std::vector<PortLink> ports_;          ///< all ports, node by node
  std::vector<LinkPorts> links_;         ///< by LinkId
  std::vector<NodeId> hosts_;            ///< by HostId
  std::vector<NodeId> switches_;         ///< by SwitchId
  std::vector<bool> is_host_;            ///< by NodeId
  std::vector<std::uint32_t> ordinal_;   ///< by NodeId: its HostId or SwitchId
};

/// O(nodes + links). Every link joins two different nodes of the topology.
[[nodiscard]] PortMap build_ports(const TopologyConfig& topology);

}  // namespace soya
