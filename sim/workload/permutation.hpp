// A permutation: every host sends to one other and receives from one other, all at one instant. It loads all host links
// alike, so that what differs is the fabric between them. It is a short way to write a list of flows.
// Simplifies: nothing. Source: the permutation matrix of data-centre evaluations (Raiciu et al., SIGCOMM 2011);
// Sattolo, Information Processing Letters 22 (1986), for the random one. Validated by
// tests/unit/workload/permutation_test.cpp.
#pragma once

#include <cstdint>

#include "workload/workload_config.hpp"

namespace soya {

/// Flows of hosts in their order, those of one host one after another. With a shift host k sends to host k + shift, the
/// first following the last; without one hosts stand in one random circle, the same for the same seed, name and number
/// of hosts. At least two hosts; a shift is no multiple of their number.
[[nodiscard]] FlowsConfig expand_permutation(const PermutationConfig& config, std::uint64_t seed);

}  // namespace soya
