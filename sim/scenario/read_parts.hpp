// `topology.parts`: the families that make nodes and links.
// Simplifies: nothing. Source: docs/scenario.md. Validated by tests/unit/scenario and tests/errors.
#pragma once

#include "scenario/read_links.hpp"
#include "scenario/section.hpp"
#include "topology/families.hpp"

namespace soya::reading {

/// What a topology may have.
inline constexpr std::int64_t most_nodes = 1'000'000;
inline constexpr std::int64_t most_links = 10'000'000;

/// One item of the list: appends what it makes. Whether all that it means could be made.
bool read_part(Reading& reading, const LinkTypes& types, const Node& node, const Path& path, TopologyConfig& out);

/// Whether so many more nodes and links are not beyond reason; reports it at `path` where they are.
bool fits(Reading& reading, const Place& place, const Path& path, const TopologyConfig& topology,
          const TopologySize& more);

}  // namespace soya::reading
