// Families generate nodes and links from a few numbers: Clos networks, rails, dragonflies, tori, rings and sites of
// them. Simplifies: what families_config.hpp says at each; other shapes are explicit nodes and links. Source: the paper
// named at each config in families_config.hpp. Validated by tests/unit/topology/families_*_test.cpp: counts, diameter
// and bisection by the textbook's formulas.
#pragma once

#include <span>
#include <string_view>

#include "topology/families_config.hpp"
#include "topology/topology_config.hpp"

namespace soya {

struct TopologySize {
  Int128 nodes{0};
  Int128 links{0};
};

/// What `add_family` would append, in time that does not grow with it.
[[nodiscard]] TopologySize family_size(const FamilyConfig& config);
[[nodiscard]] TopologySize family_size(const MultiSiteConfig& config);

/// Appends hosts, then switches from tier 1 upwards; links in the order host links, then tier by tier upwards, by lower
/// end and then by upper end. Every switch knows its tier. O(nodes + links). Counts are in the ranges that
/// families_config.hpp names: the reader of the scenario refuses others, and so does a check here.
void add_family(TopologyConfig& topology, const FamilyConfig& config);
void add_leaf_spine(TopologyConfig& topology, const LeafSpineConfig& config);
void add_fat_tree(TopologyConfig& topology, const FatTreeConfig& config);
void add_clos(TopologyConfig& topology, const ClosConfig& config);
void add_rail_optimized(TopologyConfig& topology, const RailOptimizedConfig& config);
void add_dragonfly(TopologyConfig& topology, const DragonflyConfig& config);
void add_torus(TopologyConfig& topology, const TorusConfig& config);
void add_ring(TopologyConfig& topology, const RingTopologyConfig& config);

/// Appends site after site, each with its DCI switch behind its own nodes, then the links of gateways and the long
/// links. Throws `ScenarioError` where a gateway is no switch of its site, or two sites without DCI switches have not
/// as many gateways as each other.
void add_multi_site(TopologyConfig& topology, const MultiSiteConfig& config);

/// The most hosts that a folded Clos has room for.
[[nodiscard]] Int128 most_hosts(const ClosConfig& config);

/// A family for readers: what it takes, what it makes and the formulas of its size.
struct FamilyInfo {
  std::string_view name;
  std::string_view parameters;
  std::string_view shape;
  std::string_view formulas;
  std::string_view source;
};

/// In the order of docs/scenario.md.
[[nodiscard]] std::span<const FamilyInfo> family_table();

}  // namespace soya
