// A question for cuts: every node has the same load, and links are as long as they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "topology/partition_cuts.hpp"

namespace soya::test {

inline CutQuery even_query(const TopologyConfig& topology, std::size_t parts) {
  CutQuery query{parts, {}, std::vector<double>(topology.nodes.size(), 1.0)};
  for (const LinkConfig& link : topology.links) {
    query.shortest.push_back(std::min(link.forward_way(), link.reverse_way()));
  }
  return query;
}

}  // namespace soya::test
