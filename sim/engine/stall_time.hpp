// How long a fabric may be without a new data frame before anybody asks whether it stands still.
// Simplifies: one time for the whole run. Source: docs/model.md, "When a run is sound".
// Validated by tests/unit/engine/stall_time_test.cpp.
#pragma once

#include "core/units.hpp"
#include "scenario/scenario.hpp"

namespace soya {

/// An accelerator goes on without a reply over its long link as long as a NIC with its defaults would: seven retries of
/// 67.1 ms after the first.
inline constexpr Duration haul_patience = 8 * Duration{4'096'000 * (std::int64_t{1} << 14)};

/// What `stop.stalled_after: auto` means: twice the longest of all retransmission time-outs and all links' round trips
/// with the largest frame each way, and of `haul_patience` where there are accelerators.
[[nodiscard]] Duration automatic_stall_time(const Scenario& scenario);

/// How long pauses may have waited for each other in a circle before that is a stall: no time-out ends such a wait, so
/// with `auto` at most a second, or twice the longest round trip of a link. A time of the scenario's holds here, too.
[[nodiscard]] Duration circular_stall_time(const Scenario& scenario);

}  // namespace soya
