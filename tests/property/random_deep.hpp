// Off-chip memory drawn at random, for a switch whose buffer is there.
// Simplifies: the buffer keeps its size, off chip. Source: none. Validated by conservation_test.cpp, which counts who
// writes off chip and who runs out of on-chip memory.
#pragma once

#include <vector>

#include "property/dice.hpp"
#include "scenario/scenario.hpp"
#include "topology/port_map.hpp"

namespace soya::test {

/// The buffer of `id` goes off chip, behind on-chip memory that is hardly enough and a bandwidth that may be far too
/// low.
void make_random_deep(Dice& dice, Scenario& scenario, const PortMap& ports, SwitchId id,
                      const std::vector<Bytes>& budgets);

}  // namespace soya::test
