// Incast: many senders, one receiver, one instant. It is a short way to write a list of flows.
// Simplifies: nothing.
// Source: docs/scenario.md. Validated by tests/unit/workload/incast_test.cpp.
#pragma once

#include "workload/workload_config.hpp"

namespace soya {

/// One flow from each sender to the receiver, without a name of its own, in the order of the senders.
[[nodiscard]] FlowsConfig expand_incast(const IncastConfig& config);

}  // namespace soya
