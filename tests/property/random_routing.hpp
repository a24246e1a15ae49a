// Random routing policies, and failures that are routed by, for random scenarios.
// Simplifies: all that fails is up again within 40 us. Source: none. Validated by the tests that use it.
#pragma once

#include "property/dice.hpp"
#include "scenario/scenario.hpp"

namespace soya::test {

/// Any policy at each switch, or one at all of them; hash seeds, path order, and NICs that wait for order or do not.
void make_random_routing(Dice& dice, Scenario& scenario);

/// Switches that fail, and a reconvergence within their time or never.
void make_random_failures(Dice& dice, Scenario& scenario);

}  // namespace soya::test
