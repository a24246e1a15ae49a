// Servers of several GPUs, each GPU on the rail of its number.
#include <algorithm>

#include "core/check.hpp"
#include "topology/families.hpp"
#include "topology/family_builder.hpp"

namespace soya {
namespace {

/// Its GPUs one after another, from `first`.
ServerConfig server_of(const RailOptimizedConfig& config, const std::string& name, NodeId first) {
  ServerConfig server;
  server.name = config.prefix + name;
  server.local = config.local;
  server.where = config.where;
  for (std::size_t gpu = 0; gpu < counted(config.gpus_per_server); ++gpu) {
    server.gpus.push_back(NodeId{first.index() + gpu});
  }
  server.nics = server.gpus;
  return server;
}

}  // namespace

void add_rail_optimized(TopologyConfig& topology, const RailOptimizedConfig& config) {
  SOYA_CHECK(config.servers >= 1 && config.gpus_per_server >= 1, "rails are of GPUs in servers");
  SOYA_CHECK(config.servers_per_block >= 1 && config.spines >= 0 && config.links_per_pair >= 1, "counts of rails");
  const std::size_t rails = counted(config.gpus_per_server);
  const std::size_t servers = counted(config.servers);
  const std::size_t in_block = counted(config.servers_per_block);
  const std::size_t blocks = (servers + in_block - 1) / in_block;
  FamilyBuilder build{topology, config.prefix, config.where};
  const NodeRun hosts{topology.nodes.size(), servers * rails};
  for (std::size_t s = 0; s < servers; ++s) {
    const std::string name = "server" + std::to_string(s + 1);
    for (std::size_t gpu = 1; gpu <= rails; ++gpu) build.host(name + "-gpu" + std::to_string(gpu));
    topology.servers.push_back(server_of(config, name, hosts.at(s * rails)));
  }
  const NodeRun switches = build.grouped("block", "rail", blocks, rails, 1);
  const std::size_t spines_each = counted(config.spines);
  const NodeRun spines = config.rail_only ? build.grouped("rail", "spine", rails, spines_each, 2)
                                          : build.switches("spine", spines_each, 2);

  for (std::size_t h = 0; h < hosts.count; ++h) {
    const std::size_t block = h / rails / in_block;
    build.link(config.host_link, {hosts.at(h), switches.at(block * rails + h % rails)});
  }
  for (std::size_t s = 0; s < switches.count; ++s) {
    const std::size_t first = config.rail_only ? s % rails * spines_each : 0;
    for (std::size_t spine = 0; spine < spines_each; ++spine) {
      for (int k = 0; k < config.links_per_pair; ++k)
        build.link(config.fabric_link, {switches.at(s), spines.at(first + spine)});
    }
  }
}

}  // namespace soya
