// What `soya topology` says of a topology: one screen of text, or JSON.
// Simplifies: long lists are cut in the text and whole in the JSON. Source: docs/scenario.md.
// Validated by tests/cli/topology_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"
#include "topology/buffer_cycles.hpp"
#include "topology/describe.hpp"

namespace soya::cli {

struct DescribedTopology {
  const TopologyConfig& topology;
  TopologyDescription figures;
  std::vector<BufferCycle> cycles;
};

[[nodiscard]] std::string topology_text(const DescribedTopology& described);
[[nodiscard]] std::string topology_json(const DescribedTopology& described);

}  // namespace soya::cli
