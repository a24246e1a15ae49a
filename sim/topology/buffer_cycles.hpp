// Cyclic buffer dependency: links whose frames may each wait for the next one's, round in a circle. Where they are
// lossless and all full, none ever moves again.
// Simplifies: says that a deadlock can be, not that traffic brings it about; buffers of switches that share one pool
// and of accelerators count as links do. Source: Dally and Seitz, "Deadlock-free message routing in multiprocessor
// interconnection networks", IEEE Trans. Computers C-36 (1987). Validated by
// tests/unit/topology/buffer_cycles_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/routing.hpp"

namespace soya {

/// A cycle among links that all wait for each other: the shortest through the first of them.
struct BufferCycle {
  std::vector<PortRef> ports;  ///< of switches: each one's frames may go on through the next, the last one's the first
  std::size_t links{0};        ///< directions of links that wait for each other, this cycle's among them
};

/// "s1 -> s2 -> s3 -> s1"; of a long one the first dozen.
[[nodiscard]] std::string cycle_text(const TopologyConfig& topology, const BufferCycle& cycle);

/// A cycle for each set of links that wait for each other; none where routes cannot deadlock.
[[nodiscard]] std::vector<BufferCycle> buffer_cycles(const Routing& routing);

}  // namespace soya
