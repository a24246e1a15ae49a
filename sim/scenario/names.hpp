// Names of the topology's nodes: look-ups, and complaints about names nobody has.
// Simplifies: nothing. Validated by tests/errors/scenario_semantics_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ids.hpp"
#include "scenario/section.hpp"
#include "topology/topology_config.hpp"

namespace soya::reading {

class Names {
 public:
  /// Of names that several nodes bear the first counts. `topology` must outlive this.
  explicit Names(const TopologyConfig& topology);

  [[nodiscard]] std::optional<NodeId> node(std::string_view name) const;
  [[nodiscard]] const std::string& name(HostId host) const {
    return topology_.nodes[hosts_[host.index()].index()].name;
  }
  [[nodiscard]] NodeId node(HostId host) const { return hosts_[host.index()]; }
  /// Hosts in the order of the topology.
  [[nodiscard]] std::size_t host_count() const { return hosts_.size(); }
  /// Those of them that work may be given to: the first ones. The others are ports inside servers.
  [[nodiscard]] std::size_t rank_count() const { return rank_count_; }
  /// The GPUs of the server that `node` names; nothing where it names none.
  [[nodiscard]] std::optional<std::vector<HostId>> gpus_of(const Node& node) const;
  [[nodiscard]] std::size_t switch_count() const { return switch_count_; }

  /// The node, host or switch named by `node`; reports at `path` what is wrong with it. A name that nobody has is no
  /// mistake while the topology lacks nodes because of one that was told.
  std::optional<NodeId> find_node(Reading& reading, const Node& node, const Path& path) const;
  std::optional<HostId> find_host(Reading& reading, const Node& node, const Path& path) const;
  std::optional<NodeId> find_accelerator(Reading& reading, const Node& node, const Path& path) const;
  std::optional<SwitchId> find_switch(Reading& reading, std::string_view name, const Place& place,
                                      const Path& path) const;

 private:
  std::optional<NodeId> find(Reading& reading, std::string_view name, const Place& place, const Path& path,
                             std::optional<NodeKind> kind) const;
  [[nodiscard]] const std::string& gpu_of_port(NodeId port) const;
  [[nodiscard]] std::string unknown(std::string_view name, std::optional<NodeKind> kind) const;

  const TopologyConfig& topology_;
  std::unordered_map<std::string_view, NodeId> by_name_;
  std::vector<NodeId> hosts_;
  std::vector<std::uint32_t> ordinal_;  ///< by node: its number among the nodes of its kind
  std::unordered_map<std::string_view, const ServerConfig*> servers_;
  std::size_t switch_count_{0};
  std::size_t rank_count_{0};
};

}  // namespace soya::reading
