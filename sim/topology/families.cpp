#include "topology/families.hpp"

#include <string>

#include "core/check.hpp"

namespace soya {
namespace {

/// A run of nodes that were appended together; its k-th node, from 0, has the name {prefix}{kind}{k + 1}.
struct NodeRun {
  std::size_t first{0};
  std::size_t count{0};

  [[nodiscard]] NodeId at(std::size_t k) const { return NodeId{first + k}; }
};

struct NodeRunSpec {
  const char* stem;
  NodeKind kind;
  std::size_t count;
};

NodeRun append_nodes(TopologyConfig& topology, const LeafSpineConfig& config, const NodeRunSpec& spec) {
  const NodeRun run{topology.nodes.size(), spec.count};
  for (std::size_t k = 1; k <= spec.count; ++k) {
    topology.nodes.push_back({config.prefix + spec.stem + std::to_string(k), spec.kind, config.where});
  }
  return run;
}

struct LinkEnds {
  NodeId a;
  NodeId b;
};

void append_link(TopologyConfig& topology, const LinkConfig& kind, const LinkEnds& ends, const Where& where) {
  LinkConfig link = kind;
  link.a = ends.a;
  link.b = ends.b;
  link.where = where;
  topology.links.push_back(std::move(link));
}

}  // namespace

void add_leaf_spine(TopologyConfig& topology, const LeafSpineConfig& config) {
  SOYA_CHECK(config.leaves >= 1 && config.spines >= 1, "a leaf-spine fabric has at least one leaf and one spine");
  SOYA_CHECK(config.hosts_per_leaf >= 1 && config.links_per_pair >= 1, "hosts and links per pair are at least 1");
  const auto leaf_count = static_cast<std::size_t>(config.leaves);
  const auto spine_count = static_cast<std::size_t>(config.spines);
  const auto hosts_per_leaf = static_cast<std::size_t>(config.hosts_per_leaf);
  const auto parallel = static_cast<std::size_t>(config.links_per_pair);

  topology.nodes.reserve(topology.nodes.size() + leaf_count * (hosts_per_leaf + 1) + spine_count);
  topology.links.reserve(topology.links.size() + leaf_count * (hosts_per_leaf + spine_count * parallel));
  const NodeRun hosts = append_nodes(topology, config, {"host", NodeKind::host, leaf_count * hosts_per_leaf});
  const NodeRun leaves = append_nodes(topology, config, {"leaf", NodeKind::switch_, leaf_count});
  const NodeRun spines = append_nodes(topology, config, {"spine", NodeKind::switch_, spine_count});

  for (std::size_t host = 0; host < hosts.count; ++host) {
    append_link(topology, config.host_link, {hosts.at(host), leaves.at(host / hosts_per_leaf)}, config.where);
  }
  for (std::size_t leaf = 0; leaf < leaves.count; ++leaf) {
    for (std::size_t spine = 0; spine < spines.count; ++spine) {
      for (std::size_t k = 0; k < parallel; ++k) {
        append_link(topology, config.fabric_link, {leaves.at(leaf), spines.at(spine)}, config.where);
      }
    }
  }
}

}  // namespace soya
