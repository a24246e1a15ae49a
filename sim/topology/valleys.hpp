// Whether frames ever go up after they went down: where they do not, links cannot wait for each other in a circle, and
// nobody has to look for one.
// Simplifies: up is away from the hosts, by the links to the nearest one; frames on a link between switches of one
// height are told to be in a valley. So "no valley" is a proof, and a valley no deadlock.
// Source: ours, after Autonet's rule of up and down (Schroeder et al., 1991). Validated by
// tests/unit/topology/buffer_cycles_test.cpp.
#pragma once

#include "topology/routing.hpp"

namespace soya {

/// Over all pairs of hosts. O(links) for each column of the routing tables.
[[nodiscard]] bool has_valleys(const Routing& routing);

}  // namespace soya
