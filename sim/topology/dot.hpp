// Graphs in Graphviz's DOT language, to a plain graph: subgraphs, chains of edges and defaults are resolved.
// Simplifies: ports, HTML labels and what only draws are read over; directed graphs are refused.
// Source: the DOT grammar (graphviz.org/doc/info/lang.html). Not boost::read_graphviz: it sorts nodes by name, and the
// order of hosts is that of their ranks; and its errors have no line. Validated by tests/unit/topology/dot_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "topology/foreign_graph.hpp"

namespace soya {

/// The graph of `text`, or of several the one called `graph`. Throws `ForeignFault`.
[[nodiscard]] ForeignGraph read_dot(std::string_view text, const std::optional<std::string>& graph = {});

}  // namespace soya
