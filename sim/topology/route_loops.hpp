// What static routes can break: frames that go round for ever, and frames sent where there is no way on.
// Simplifies: a loop counts even where no flow of the run would be hashed onto it.
// Source: ours; shortest paths alone have no loop. Validated by tests/unit/topology/static_routes_test.cpp and
// tests/errors/static_routes_test.cpp.
#pragma once

#include <vector>

#include "core/diagnostic.hpp"
#include "topology/routing.hpp"
#include "topology/topology_config.hpp"

namespace soya {

/// One complaint for each loop, at the first static route in it, and for each dead end; each names one of the hosts it
/// concerns and counts the others. In the order of the routes.
[[nodiscard]] std::vector<Diagnostic> route_problems(const TopologyConfig& topology, const Routing& routing);

/// The loops alone: where links have failed, there may be no way on.
[[nodiscard]] std::vector<Diagnostic> route_loops(const TopologyConfig& topology, const Routing& routing);

}  // namespace soya
