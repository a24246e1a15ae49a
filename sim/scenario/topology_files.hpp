// A topology as a file that reads back to the same nodes, links and servers, in the same order: YAML, GraphML, DOT.
// Simplifies: each node and link is given by itself, whatever family or server made it, as that keeps their order; the
// scenario's own keys of the fabric and its switches stay there; `left_out` says what else a graph has no words for.
// Source: docs/scenario.md. Validated by tests/unit/scenario/topology_files_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace soya {

/// Nodes, links and routes, and of a scenario the keys of `topology.switches`, too.
[[nodiscard]] std::string topology_yaml(const TopologyConfig& topology);
[[nodiscard]] std::string topology_yaml(const Scenario& scenario);
[[nodiscard]] std::string topology_graphml(const TopologyConfig& topology);
/// Throws `ScenarioError` for names that DOT cannot write.
[[nodiscard]] std::string topology_dot(const TopologyConfig& topology);

/// "2 static routes", "the keys of topology.switches": what the graph of a GraphML or DOT file does not say.
[[nodiscard]] std::vector<std::string> left_out_of_graphs(const Scenario& scenario);

/// A text in DOT's quotes.
[[nodiscard]] std::string dot_quoted(const std::string& text);

}  // namespace soya
