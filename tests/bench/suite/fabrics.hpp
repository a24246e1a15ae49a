// Scenarios of the benchmark suite that are built, not read: fabrics of like links, and flows that start together.
// Simplifies: no switch latency, no cable but its delay. Source: docs/performance.md. Validated by tests/cost.
#pragma once

#include <cstdint>

#include "scenario/scenario.hpp"
#include "suite/cases.hpp"

namespace soya::bench {

enum class Pattern : std::uint8_t { incast, ring, shift };

/// Four hosts on each leaf, four spines, 100 Gbps, 1 us; each flow has `amount.size` packets of 4096 B.
[[nodiscard]] Scenario leaf_spine(int hosts, Pattern pattern, const Amount& amount);

/// Host, switch, switch, switch, host: 1.5 ms one way over four links of 100 Gbps; one flow of `amount.size` packets.
[[nodiscard]] Scenario chain(const Amount& amount);

/// A fat-tree of switches with k ports, 100 Gbps, 1 us, k^3 / 4 hosts. A random circle of all hosts: each sends
/// `amount.size` kB to the next.
[[nodiscard]] Scenario permutation(int k, const Amount& amount);

/// A ring all-reduce of 16 MiB over all hosts of such a fat-tree, stopped after `amount.size` microseconds.
[[nodiscard]] Scenario all_reduce_slice(int k, const Amount& amount);

}  // namespace soya::bench
