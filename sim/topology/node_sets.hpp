// Nodes that stay in one part, whatever is cut: sets that grow by joining, and servers as wholes from the start.
// Simplifies: nothing. Source: none needed. Validated by tests/unit/topology/partition_cuts_test.cpp and layer_cuts_test.cpp.
#pragma once

#include <boost/pending/disjoint_sets.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "topology/topology_config.hpp"

namespace soya {

class NodeSets final {
 public:
  explicit NodeSets(const TopologyConfig& topology);
  NodeSets(const NodeSets&) = delete;
  NodeSets& operator=(const NodeSets&) = delete;

  void join(NodeId a, NodeId b) { sets_.union_set(a.index(), b.index()); }

  /// By NodeId the number of its set; sets are numbered by their first node.
  [[nodiscard]] std::vector<std::uint32_t> numbers();

 private:
  std::vector<std::size_t> rank_;
  std::vector<std::size_t> parent_;
  boost::disjoint_sets<std::size_t*, std::size_t*> sets_;
};

}  // namespace soya
