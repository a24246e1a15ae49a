// What closed forms say of a point before it runs: how long it will take, and the figures that its results are held
// against.
// Simplifies: as engine/run_estimate.hpp; what is sent again is not foreseen.
// Source: docs/model.md sections 5, 9 and 10. Validated by tests/unit/sweep/point_plan_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario/scenario.hpp"

namespace soya {

/// Packets times the links each crosses, acknowledges included. Throws `ScenarioError` where the scenario has no plan.
[[nodiscard]] std::int64_t estimated_packet_hops(const Scenario& scenario);

/// All names that `closed_forms` may give.
inline constexpr std::array<std::string_view, 4> closed_form_names{
    "plan.headroom_auto_bytes", "plan.headroom_static_bytes", "plan.headroom_dynamic_bytes", "plan.step_ms"};

/// By name: plan.headroom_auto_bytes, plan.headroom_static_bytes and plan.headroom_dynamic_bytes of the port with the
/// largest budget (docs/headroom.md: auto, and tight with static and dynamic thresholds), plan.step_ms of the longest
/// training step. What the scenario has not is left out.
[[nodiscard]] std::vector<std::pair<std::string, double>> closed_forms(const Scenario& scenario);

}  // namespace soya
