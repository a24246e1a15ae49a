// Clos networks: leaf-spine, the fat tree with pods, and tiers of one radix.
#include <vector>

#include "core/check.hpp"
#include "topology/families.hpp"
#include "topology/family_builder.hpp"

namespace soya {

void add_leaf_spine(TopologyConfig& topology, const LeafSpineConfig& config) {
  SOYA_CHECK(config.leaves >= 1 && config.spines >= 1, "a leaf-spine fabric has at least one leaf and one spine");
  SOYA_CHECK(config.hosts_per_leaf >= 1 && config.links_per_pair >= 1, "hosts and links per pair are at least 1");
  const std::size_t hosts_per_leaf = counted(config.hosts_per_leaf);
  FamilyBuilder build{topology, config.prefix, config.where};
  const NodeRun hosts = build.hosts(counted(config.leaves) * hosts_per_leaf);
  const NodeRun leaves = build.switches("leaf", counted(config.leaves), 1);
  const NodeRun spines = build.switches("spine", counted(config.spines), 2);

  build.hang(config.host_link, hosts, leaves, hosts_per_leaf);
  for (std::size_t leaf = 0; leaf < leaves.count; ++leaf) {
    for (std::size_t spine = 0; spine < spines.count; ++spine) {
      for (int k = 0; k < config.links_per_pair; ++k)
        build.link(config.fabric_link, {leaves.at(leaf), spines.at(spine)});
    }
  }
}

void add_fat_tree(TopologyConfig& topology, const FatTreeConfig& config) {
  SOYA_CHECK(config.k >= 2 && config.k % 2 == 0, "a fat tree's k is even");
  const std::size_t k = counted(config.k);
  const std::size_t half = k / 2;
  FamilyBuilder build{topology, config.prefix, config.where};
  const NodeRun hosts = build.hosts(k * half * half);
  const NodeRun edges = build.grouped("pod", "edge", k, half, 1);
  const NodeRun aggregations = build.grouped("pod", "aggregation", k, half, 2);
  const NodeRun cores = build.switches("core", half * half, 3);

  build.hang(config.host_link, hosts, edges, half);
  for (std::size_t edge = 0; edge < edges.count; ++edge) {
    const std::size_t pod = edge / half;
    for (std::size_t i = 0; i < half; ++i)
      build.link(config.fabric_link, {edges.at(edge), aggregations.at(pod * half + i)});
  }
  for (std::size_t aggregation = 0; aggregation < aggregations.count; ++aggregation) {
    const std::size_t i = aggregation % half;  // its number in the pod: it has the i-th k/2 cores
    for (std::size_t j = 0; j < half; ++j)
      build.link(config.core_link, {aggregations.at(aggregation), cores.at(i * half + j)});
  }
}

Int128 most_hosts(const ClosConfig& config) {
  Int128 leaves = config.tiers == 1 ? 1 : config.radix;
  for (int tier = 3; tier <= config.tiers; ++tier) leaves *= config.radix / 2;
  return leaves * config.down;
}

void add_clos(TopologyConfig& topology, const ClosConfig& config) {
  SOYA_CHECK(config.tiers >= 1 && config.down >= 1 && config.down <= config.radix, "a leaf has ports for hosts");
  SOYA_CHECK(config.tiers <= 2 || config.radix % 2 == 0, "switches between leaves and spines have two halves");
  SOYA_CHECK(config.tiers == 1 || config.up() >= 1, "a leaf below others has uplinks");
  SOYA_CHECK(config.hosts >= 1 && config.hosts <= most_hosts(config), "the hosts fit");
  const std::size_t down = counted(config.down);
  const std::size_t half = counted(config.radix / 2);
  FamilyBuilder build{topology, config.prefix, config.where};
  const NodeRun hosts = build.hosts(counted(config.hosts));

  // The switches tier by tier, then their links: nodes come in the order of tiers.
  struct Tier {
    NodeRun switches;
    std::size_t groups;
    std::size_t tops;  ///< switches at the top of a group
    std::size_t up;    ///< uplinks of each
  };
  std::vector<Tier> tiers;
  const std::size_t leaves = (hosts.count + down - 1) / down;
  tiers.push_back({build.switches("leaf", leaves, 1), leaves, 1, counted(config.up())});
  for (int t = 2; t <= config.tiers; ++t) {
    const Tier& below = tiers.back();
    const bool is_top = t == config.tiers;
    const std::size_t groups = is_top ? 1 : (below.groups + half - 1) / half;
    const std::size_t tops = below.tops * below.up;
    const std::string stem = is_top ? "spine" : "tier" + std::to_string(t) + "-switch";
    tiers.push_back({build.switches(stem, groups * tops, counted(t)), groups, tops, half});
  }

  build.hang(config.host_link, hosts, tiers.front().switches, down);
  for (std::size_t t = 1; t < tiers.size(); ++t) {
    const Tier& below = tiers[t - 1];
    const Tier& above = tiers[t];
    for (std::size_t s = 0; s < below.switches.count; ++s) {
      const std::size_t group = above.groups == 1 ? 0 : s / below.tops / half;
      const std::size_t first = group * above.tops + s % below.tops * below.up;
      for (std::size_t j = 0; j < below.up; ++j) {
        build.link(config.fabric_link, {below.switches.at(s), above.switches.at(first + j)});
      }
    }
  }
}

}  // namespace soya
