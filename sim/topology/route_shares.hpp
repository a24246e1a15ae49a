// What part of a flow's bytes each egress port carries, for plans: a row of the routing matrix.
// Simplifies: where a policy spreads frames over ports, each candidate is taken to carry as much.
// Source: docs/model.md section 2. Validated by tests/unit/topology/route_shares_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/routing.hpp"

namespace soya {

struct PortShare {
  PortRef port;
  double share{1};  ///< of the flow's bytes
  bool operator==(const PortShare&) const = default;
};

/// From the sender's port to that of the last switch, each port after all those that lead to it. Empty when the ends
/// are one host or there is no path.
[[nodiscard]] std::vector<PortShare> route_shares(const Routing& routing, HostPair ends, std::uint64_t flow_hash);

}  // namespace soya
