// The path of a connection through the fabric as planning sees it, and the time a transfer would have alone on it.
// Simplifies: the path is the one the switches choose; acknowledges go back on the reverse flow's path.
// Source: docs/model.md sections 2 and 6. Validated by tests/analytic/transfer_test.cpp.
#pragma once

#include <vector>

#include "engine/state.hpp"
#include "planning/ideal_time.hpp"

namespace soya {

/// Transmitters and links from the sender's NIC to the receiver's.
[[nodiscard]] std::vector<PathHop> path_hops(const SimulationState& state, HostPair ends, std::uint64_t flow_hash);

/// Start to completion of `record` if it had the fabric to itself.
[[nodiscard]] Duration ideal_completion(const SimulationState& state, const TransferRecord& record);

}  // namespace soya
