// Servers of several GPUs: the switch and ports of a server's own link, and where each GPU's frames enter the network.
// Simplifies: the server's own link is a switch with a port for each GPU, as an NVSwitch is, and speaks PFC.
// Source: NVIDIA HGX and DGX: each GPU has a NIC and links to the server's NVSwitches.
// Validated by tests/unit/topology/servers_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "topology/port_map.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// NICs of a server are at its GPUs in even parts: of 8 GPUs with 4 NICs the first, third, fifth and seventh have one
/// and lend it to the next. By GPU, from 0: whose NIC it uses.
[[nodiscard]] std::vector<std::size_t> nic_owners(std::size_t gpus, std::size_t nics);

/// Appends what servers with a link of their own have: a switch {server}-local and, for each GPU, a host {GPU}-local on
/// it; a GPU without a NIC hangs off the switch itself. To be called once, when all other nodes are there: so local
/// ports are behind all other hosts.
void add_local_links(TopologyConfig& topology);

/// Hosts that are ranks of a workload: all but local ports, and the first ones.
[[nodiscard]] std::size_t rank_count(const TopologyConfig& topology, std::size_t hosts);

/// Where hosts as a workload names them enter the network.
class HostPorts {
 public:
  HostPorts(const TopologyConfig& topology, const PortMap& ports);

  /// The host whose NIC `host` uses: itself, but for a GPU that shares another one's.
  [[nodiscard]] HostId nic(HostId host) const { return nic_.empty() ? host : nic_[host.index()]; }
  /// The port of `host` on its server's own switch, where `peer` has one, too.
  [[nodiscard]] std::optional<HostId> local(HostId host, HostId peer) const;

 private:
  // Empty where there are no servers.
  std::vector<HostId> nic_;          ///< by HostId
  std::vector<HostId> local_;        ///< by HostId; none where there is none
  std::vector<std::size_t> server_;  ///< by HostId: 1 and up; 0 outside servers
};

}  // namespace soya
