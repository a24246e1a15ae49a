// A headroom mode drawn at random: every one that a switch may have.
// Simplifies: sizes are the caller's. Source: none. Validated by conservation_test.cpp, which counts the modes it
// meets.
#pragma once

#include "fabric/fabric_config.hpp"
#include "property/dice.hpp"
#include "property/random_scenario.hpp"

namespace soya::test {

/// Any mode; where sizes meet their budget, one that loses nothing. `largest` is enough for one group.
[[nodiscard]] HeadroomMode random_headroom_mode(Dice& dice, HeadroomSizes sizes, Bytes largest);

}  // namespace soya::test
