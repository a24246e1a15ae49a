// Headroom of every switch port: the automatic budget, and what the scenario configures.
// Simplifies: the largest frame is that of the whole scenario. Source: docs/model.md section 5.
// Validated by tests/analytic/headroom_test.cpp and tests/unit/engine/headroom_formula_test.cpp.
#pragma once

#include <vector>

#include "core/diagnostic.hpp"
#include "core/units.hpp"
#include "fabric/fabric_config.hpp"
#include "fabric/shared_buffer.hpp"
#include "planning/headroom_budget.hpp"
#include "scenario/scenario.hpp"
#include "topology/port_map.hpp"

namespace soya {

/// The largest frame that any job of the scenario can send.
[[nodiscard]] Bytes largest_frame(const Scenario& scenario);

/// What a formula may know of one switch port, where `frame` is the largest one.
[[nodiscard]] HeadroomQuery headroom_query_of(const Scenario& scenario, const PortMap& ports, PortRef ref, Bytes frame);
[[nodiscard]] HeadroomBudget headroom_budget_of(const Scenario& scenario, const PortMap& ports, PortRef ref,
                                                Bytes frame);

/// By SwitchId and port: the budget of docs/model.md section 5, part by part.
[[nodiscard]] std::vector<std::vector<HeadroomBudget>> headroom_budgets(const Scenario& scenario, const PortMap& ports);

/// By SwitchId and port: what `auto` gives with the formula of the switch; the budget where that has no value. `qdt`
/// takes the delay that a link measures (engine/link_delay.hpp), the others the one that is configured.
[[nodiscard]] std::vector<std::vector<Bytes>> automatic_headroom(const Scenario& scenario, const PortMap& ports);

/// Formulas that a switch needs and that have no value for one of its ports.
[[nodiscard]] std::vector<Diagnostic> formula_problems(const Scenario& scenario, const PortMap& ports);

/// By port: `size` of the headroom of a switch whose automatic sizes are `automatic`: of each lossless group, or of the
/// port where its groups share it; 0 without headroom.
[[nodiscard]] std::vector<Bytes> configured_headroom(const HeadroomConfig& config, const std::vector<Bytes>& automatic);

/// By port: the most that one lossless group of it can hold, under the mode of the switch.
[[nodiscard]] std::vector<Bytes> headroom_of_groups(const HeadroomConfig& config, PrioritySet lossless,
                                                    const std::vector<Bytes>& automatic);

/// What the buffer of a switch is built from, whose automatic sizes are `automatic`.
[[nodiscard]] SharedBufferSetup buffer_setup_of(const Scenario& scenario, const PortMap& ports, SwitchId id,
                                                const std::vector<Bytes>& automatic);

}  // namespace soya
