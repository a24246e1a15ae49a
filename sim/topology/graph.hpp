// Questions about the graph as a whole: its connected components, and distances in links between switches.
// Simplifies: links count 1 each, whatever their rate or length; a link that is down later still counts.
// Source: Boost.Graph, used in the .cpp alone. Validated by tests/unit/topology/graph_test.cpp.
// Hosts are leaves of the graph: no path between switches leads through one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/diagnostic.hpp"
#include "core/ids.hpp"
#include "topology/port_map.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// The connected components of a topology, numbered from 1 in the order of their first nodes.
struct Components {
  std::uint32_t count{0};
  std::vector<std::uint32_t> of_node;  ///< by NodeId
};

[[nodiscard]] Components find_components(const TopologyConfig& topology);

/// A flow, or anything else that needs a path, and where the user asked for it.
struct PathNeed {
  HostId from;
  HostId to;
  Where where;
};

/// One complaint per need whose ends lie in different components: "no path h3 -> h9 (components 1, 4)".
[[nodiscard]] std::vector<Diagnostic> missing_paths(const TopologyConfig& topology, std::span<const PathNeed> needs);

/// The switches and accelerators and the links between them.
class SwitchGraph {
 public:
  SwitchGraph(const TopologyConfig& topology, const PortMap& ports);
  ~SwitchGraph();
  SwitchGraph(const SwitchGraph&) = delete;
  SwitchGraph& operator=(const SwitchGraph&) = delete;

  /// Links on a shortest path from each of them to `root`, by SwitchId; absent where there is no path.
  [[nodiscard]] std::vector<std::optional<std::uint32_t>> distances_to(SwitchId root) const;

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace soya
