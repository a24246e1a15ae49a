// Families generate nodes and links from a few numbers: here the two-tier Clos (leaf-spine).
// Simplifies: every leaf has the same hosts and reaches every spine alike; other shapes are explicit nodes and links.
// Source: the folded Clos as data centres build it (Al-Fares et al., SIGCOMM 2008, describes the three-tier form).
// Validated by tests/unit/topology/families_test.cpp.
#pragma once

#include "topology/families_config.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// Appends hosts, then leaves, then spines; links in the order host links, then leaf by leaf, spine by spine.
/// Counts are at least 1: the reader of the scenario refuses others, and so does a check here. O(links).
void add_leaf_spine(TopologyConfig& topology, const LeafSpineConfig& config);

}  // namespace soya
