// `topology.parts`: the families that make nodes and links.
// Simplifies: nothing. Source: docs/scenario.md. Validated by tests/unit/scenario and tests/errors.
#pragma once

#include "scenario/read_links.hpp"
#include "scenario/section.hpp"
#include "topology/topology_config.hpp"

namespace soya::reading {

/// One item of the list: appends what it makes. Whether all that it means could be made.
bool read_part(Reading& reading, const LinkTypes& types, const Node& node, const Path& path, TopologyConfig& out);

struct TopologySize {
  Int128 nodes{0};
  Int128 links{0};
};

/// Whether so many more nodes and links are not beyond reason; reports it for the keys of `section` where they are.
bool fits(Section& section, const TopologyConfig& topology, const TopologySize& more);

}  // namespace soya::reading
