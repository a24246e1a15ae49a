// A map, a graph that another program drew, as keys of a topology: its nodes and links, with their places in its file.
// Simplifies: of its attributes those count that docs/scenario.md lists; the others describe and do not matter here.
// Source: Topology Zoo's GraphML for names of attributes. Validated by tests/errors/map_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenario/tree.hpp"
#include "topology/foreign_graph.hpp"

namespace soya::reading {

/// Keys of a topology that say how its map is read.
inline constexpr std::array<std::string_view, 7> map_keys{
    "map", "graph", "default_rate", "default_length", "fibre_factor", "hosts_per_node", "host_link"};

/// Whether a file of this name is a map by its ending: .graphml, .dot or .gv.
[[nodiscard]] bool is_map_file(std::string_view file);

/// `topology: FILE` in full: {map: FILE}, which replaces what it is laid over.
[[nodiscard]] Node map_topology(const Node& named);

/// What a map is read with: the topology whose `map` it is, and whom to tell what is wrong.
struct MapReading {
  std::uint32_t source;  ///< the map's file
  const Node& topology;
  Problems& errors;
  Problems& warnings;
};

/// The graph in a map's `text`; `graph` is the id of one of several. Throws `ForeignFault`.
[[nodiscard]] ForeignGraph read_foreign_graph(const std::string& file, const std::string& text,
                                              const std::optional<std::string>& graph);

/// {name, nodes, links} of the graph.
[[nodiscard]] Node map_keys_of(const ForeignGraph& graph, const MapReading& reading);

/// Takes the map's own keys out of the topology and puts `keys` there: names and nodes where the topology says nothing
/// else, links before its own.
void lay_under(Node& topology, Node keys);

}  // namespace soya::reading
