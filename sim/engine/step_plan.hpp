// The closed form of a ring job on the fabric as it is.
// Simplifies: its links carry nothing else; every channel takes the path of the first.
// Source: docs/model.md sections 8 and 9. Validated by tests/unit/engine/plan_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/plan_input.hpp"
#include "planning/ddp_plan.hpp"
#include "planning/ring_time.hpp"

namespace soya {

/// A ring is followed slice by slice where its ranks differ: beyond so many slices, of all ranks, it takes too long.
inline constexpr std::int64_t most_slices_followed = 4'000'000;

/// Slices on one channel of all ranks: of an all-reduce, of a step.
[[nodiscard]] std::int64_t ring_slices(const AllReduceConfig& job);
[[nodiscard]] std::int64_t ring_slices(const DdpConfig& job);

/// The paths between the neighbours of a ring.
[[nodiscard]] RingNetwork ring_network(const PlanInput& input, JobId job, std::span<const HostId> hosts,
                                       const RingConfig& ring);

/// Of a job of training.
[[nodiscard]] std::optional<DdpPlan> step_plan(const PlanInput& input, JobId job);

}  // namespace soya
