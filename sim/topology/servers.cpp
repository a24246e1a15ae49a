#include "topology/servers.hpp"

#include <utility>

#include "core/check.hpp"

namespace soya {
namespace {

NodeId append(TopologyConfig& topology, const std::string& name, NodeKind kind, const ServerConfig& server) {
  NodeConfig& node = topology.nodes.emplace_back();
  node.name = name;
  node.kind = kind;
  node.where = server.where;
  if (kind == NodeKind::switch_) node.tier = std::uint8_t{1};
  return NodeId{topology.nodes.size() - 1};
}

}  // namespace

std::vector<std::size_t> nic_owners(std::size_t gpus, std::size_t nics) {
  SOYA_CHECK(nics >= 1 && nics <= gpus && gpus % nics == 0, "NICs share a server's GPUs evenly");
  std::vector<std::size_t> owners;
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) owners.push_back(gpu - gpu % (gpus / nics));
  return owners;
}

void add_local_links(TopologyConfig& topology) {
  for (ServerConfig& server : topology.servers) {
    if (!server.local) continue;
    SOYA_CHECK(server.local_ports.empty(), "a server's own link is made once");
    server.local_switch = append(topology, server.name + "-local", NodeKind::switch_, server);
    for (std::size_t gpu = 0; gpu < server.gpus.size(); ++gpu) {
      const NodeId host = server.gpus[gpu];
      const bool has_nic = server.nics[gpu] == host;
      // A copy: the name lies in the nodes, which may move.
      const std::string name = topology.nodes[host.index()].name + "-local";
      const NodeId port = has_nic ? append(topology, name, NodeKind::host, server) : host;
      server.local_ports.push_back(port);
      LinkConfig link = *server.local;
      link.a = port;
      link.b = server.local_switch;
      link.where = server.where;
      topology.links.push_back(std::move(link));
    }
  }
}

std::size_t rank_count(const TopologyConfig& topology, std::size_t hosts) {
  for (const ServerConfig& server : topology.servers) {
    for (std::size_t gpu = 0; gpu < server.local_ports.size(); ++gpu)
      hosts -= server.local_ports[gpu] != server.gpus[gpu];
  }
  return hosts;
}

HostPorts::HostPorts(const TopologyConfig& topology, const PortMap& ports) {
  if (topology.servers.empty()) return;
  for (std::size_t h = 0; h < ports.host_count(); ++h) nic_.emplace_back(h);
  local_.resize(nic_.size());
  server_.resize(nic_.size());
  std::size_t number = 0;
  for (const ServerConfig& server : topology.servers) {
    ++number;
    for (std::size_t gpu = 0; gpu < server.gpus.size(); ++gpu) {
      const HostId host = ports.host_at(server.gpus[gpu]);
      nic_[host.index()] = ports.host_at(server.nics[gpu]);
      server_[host.index()] = number;
      if (!server.local_ports.empty()) local_[host.index()] = ports.host_at(server.local_ports[gpu]);
    }
  }
}

std::optional<HostId> HostPorts::local(HostId host, HostId peer) const {
  if (server_.empty() || server_[host.index()] == 0 || server_[host.index()] != server_[peer.index()])
    return std::nullopt;
  if (local_[host.index()].is_none()) return std::nullopt;
  return local_[host.index()];
}

}  // namespace soya
