// GraphML as Topology Zoo, NetworkX, Gephi and yEd write it, to a plain graph.
// Simplifies: one flat undirected graph of a file; ports are ignored, nested graphs and hyperedges refused.
// Source: GraphML 1.0 (graphml.graphdrawing.org). Boost.PropertyTree parses the XML as boost::read_graphml does, whose
// own errors have no line and which tells neither a second graph nor a missing one. Validated by
// tests/unit/topology/graphml_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "topology/foreign_graph.hpp"

namespace soya {

/// The graph of `text`, or of several the one whose id is `graph`. Throws `ForeignFault`.
[[nodiscard]] ForeignGraph read_graphml(std::string_view text, const std::optional<std::string>& graph = {});

}  // namespace soya
