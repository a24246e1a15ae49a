// A picture of a topology: tiers above each other with the hosts at the bottom, or a map where nodes have coordinates.
// Simplifies: parallel links are one line with their number; the hosts of a switch are one box where there are many.
// Source: Graphviz, which has to be installed. Validated by tests/cli/topology_test.cpp.
#pragma once

#include <stdexcept>
#include <string>

#include "topology/topology_config.hpp"

namespace soya::cli {

/// How Graphviz places the nodes.
enum class Layout {
  tiers,  ///< dot: a row for each tier
  map,    ///< neato: by coordinates, moved apart where they overlap
  free,   ///< neato: where no tier is above another
};

struct Drawing {
  Layout layout{Layout::tiers};
  std::string dot;
};

[[nodiscard]] Drawing draw(const TopologyConfig& topology);

/// Graphviz is not there or has failed; `what()` says what to do.
class DrawingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws `DrawingError`.
[[nodiscard]] std::string svg_of(const Drawing& drawing);

}  // namespace soya::cli
