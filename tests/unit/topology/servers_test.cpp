#include "topology/servers.hpp"

#include <doctest/doctest.h>

#include "topology/families.hpp"
#include "unit/topology/network_measure.hpp"

using namespace soya;
using namespace soya::literals;
using namespace soya::test;

namespace {

using Owners = std::vector<std::size_t>;

/// Two servers of three GPUs on rails, each with a link of its own.
TopologyConfig two_servers() {
  RailOptimizedConfig config{
      .servers = 2, .gpus_per_server = 3, .servers_per_block = 2, .spines = 0, .rail_only = true};
  config.local.emplace();
  config.local->rate = 3600_Gbps;
  TopologyConfig topology;
  add_rail_optimized(topology, config);
  const TopologySize size = family_size(config);
  add_local_links(topology);
  CHECK(topology.nodes.size() == static_cast<std::size_t>(size.nodes));
  CHECK(topology.links.size() == static_cast<std::size_t>(size.links));
  return topology;
}

}  // namespace

TEST_CASE("a server's NICs are at its GPUs in even parts") {
  CHECK(nic_owners(4, 4) == Owners{0, 1, 2, 3});
  CHECK(nic_owners(4, 2) == Owners{0, 0, 2, 2});
  CHECK(nic_owners(8, 1) == Owners{0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(nic_owners(6, 3) == Owners{0, 0, 2, 2, 4, 4});
}

TEST_CASE("a server's own link is a switch with a port for each GPU, behind all other hosts") {
  const TopologyConfig topology = two_servers();
  // 6 GPUs and 3 rails, then a switch and 3 ports for each server.
  REQUIRE(topology.nodes.size() == 9 + 2 * 4);
  CHECK(topology.nodes[9].name == "server1-local");
  CHECK(topology.nodes[9].kind == NodeKind::switch_);
  CHECK(topology.nodes[10].name == "server1-gpu1-local");
  CHECK(topology.nodes[16].name == "server2-gpu3-local");
  for (std::size_t l = 6; l < 12; ++l) CHECK(topology.links[l].rate == 3600_Gbps);
  const PortMap ports = build_ports(topology);
  CHECK(ports.host_count() == 12);
  CHECK(rank_count(topology, ports.host_count()) == 6);
  for (std::size_t h = 0; h < 6; ++h) CHECK(ports.node_of(HostId{h}).index() == h);
}

TEST_CASE("two GPUs of one server have ports inside it, those of two servers have not") {
  const TopologyConfig topology = two_servers();
  const PortMap ports = build_ports(topology);
  const HostPorts hosts{topology, ports};
  CHECK(hosts.nic(HostId{4U}) == HostId{4U});
  CHECK(hosts.local(HostId{0U}, HostId{2U}) == HostId{6U});
  CHECK(hosts.local(HostId{2U}, HostId{0U}) == HostId{8U});
  CHECK(hosts.local(HostId{3U}, HostId{5U}) == HostId{9U});
  CHECK(hosts.local(HostId{2U}, HostId{3U}) == std::nullopt);
  TopologyConfig plain;
  add_leaf_spine(plain, {});
  const PortMap plain_ports = build_ports(plain);
  CHECK(HostPorts{plain, plain_ports}.nic(HostId{1U}) == HostId{1U});
  CHECK(HostPorts{plain, plain_ports}.local(HostId{0U}, HostId{1U}) == std::nullopt);
}

TEST_CASE("a GPU without a NIC hangs off its server's switch itself") {
  TopologyConfig topology;
  for (const char* name : {"w-gpu1", "w-gpu2"}) topology.nodes.push_back({name, NodeKind::host, {}, {}, {}});
  ServerConfig server;
  server.name = "w";
  server.gpus = {NodeId{0U}, NodeId{1U}};
  server.nics = {NodeId{0U}, NodeId{0U}};
  server.local.emplace();
  topology.servers.push_back(server);
  add_local_links(topology);
  REQUIRE(topology.nodes.size() == 4);
  CHECK(topology.servers[0].local_ports == std::vector<NodeId>{NodeId{3U}, NodeId{1U}});
  const PortMap ports = build_ports(topology);
  CHECK(rank_count(topology, ports.host_count()) == 2);
  const HostPorts hosts{topology, ports};
  CHECK(hosts.nic(HostId{1U}) == HostId{0U});
  CHECK(hosts.local(HostId{1U}, HostId{0U}) == HostId{1U});
  CHECK(hosts.local(HostId{0U}, HostId{1U}) == HostId{2U});
}
