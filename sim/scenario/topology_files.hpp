// A topology as a file that reads back to the same nodes and links, in the same order (links inside
// servers come first in YAML, which says servers as such): YAML, GraphML, DOT.
// Simplifies: buffers and other keys of switches belong to the scenario and stay there; `left_out` says what else a
// format has no words for. Source: docs/scenario.md. Validated by tests/unit/scenario/topology_files_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "topology/topology_config.hpp"

namespace soya {

[[nodiscard]] std::string topology_yaml(const TopologyConfig& topology);
[[nodiscard]] std::string topology_graphml(const TopologyConfig& topology);
/// Throws `ScenarioError` for names that DOT cannot write.
[[nodiscard]] std::string topology_dot(const TopologyConfig& topology);

/// "2 static routes", "4 servers of several GPUs": what the graph of a GraphML or DOT file does not say.
[[nodiscard]] std::vector<std::string> left_out_of_graphs(const TopologyConfig& topology);

/// A text in DOT's quotes.
[[nodiscard]] std::string dot_quoted(const std::string& text);

}  // namespace soya
