// Which nodes a thread may run apart: parts of even load, cut where links are long, since a link's delay is how far one
// part may run ahead of the other.
// Simplifies: load is a guess. The longest links that give parts of even load are cut, and of those few.
// Source: conservative parallel simulation (Chandy and Misra 1979; Nicol 1993); parts are grown by the share of a
// node's links that lead into them and evened out by moves. Validated by tests/unit/topology/partition_cuts_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/units.hpp"
#include "topology/topology_config.hpp"

namespace soya {

struct CutQuery {
  std::size_t parts{1};            ///< at most
  std::vector<Duration> shortest;  ///< by LinkId: its delay, the shorter way; what is 0 is never cut
  std::vector<double> load;        ///< by NodeId: share of the work
};

/// Of parts that are cut by layers: no link joins two of one side.
enum class Side : std::uint8_t {
  islands,  ///< with all hosts
  between,  ///< switches that join islands
};

struct Cuts {
  std::vector<std::uint32_t> part;  ///< by NodeId
  std::vector<Side> sides;          ///< by part; empty where any two parts may be joined
  std::size_t parts{1};
  Duration lookahead{INT64_MAX};  ///< the shortest link that is cut; the longest of times where none is
  double balance{1};              ///< all load over what the fullest part has: how many times faster at best
};

/// Servers (topology/topology_config.hpp) stay whole. One part where nothing can be cut.
[[nodiscard]] Cuts cuts_of(const TopologyConfig& topology, const CutQuery& query);

}  // namespace soya
