// Random settings of a NIC's connections.
// Simplifies: without losses nothing that sends a packet again where none is lost.
// Source: none. Validated by the tests that use it.
#pragma once

#include "nic/nic_config.hpp"
#include "property/dice.hpp"

namespace soya::test {

enum class Losses { none, some };

void make_connections(Dice& dice, NicConfig& nic, Losses losses);

}  // namespace soya::test
