// A link as long as it ever is: with the paths that protection switches it to.
// Simplifies: each way by itself, so that a frame on one path and a PAUSE on another are covered, too.
// Source: docs/model.md section 2. Validated by tests/analytic/protection_test.cpp.
#pragma once

#include "scenario/scenario.hpp"

namespace soya {

/// `link` of the scenario with the longest way there and the longest way back.
[[nodiscard]] LinkConfig longest_link(const Scenario& scenario, LinkId link);

/// The shorter of the two ways of `link` while it is as short as it ever is.
[[nodiscard]] Duration shortest_way(const Scenario& scenario, LinkId link);

/// The longest time that protection takes a link out of service.
[[nodiscard]] Duration longest_outage(const Scenario& scenario);

}  // namespace soya
