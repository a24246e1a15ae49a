// The traffic of a scenario over its links before it is simulated: what each connection puts on which direction of
// which link, split into data, acknowledges and control messages.
// Simplifies: every fault-free route for the whole run; PFC frames are not counted; over an accelerator an end's bytes
// count as if both ends spoke to each other. Says which numbers are exact, and of the others why not.
// Source: docs/model.md section 10. Validated by tests/analytic/plan_load_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "engine/plan_input.hpp"
#include "planning/link_load.hpp"
#include "planning/wire_demand.hpp"

namespace soya {

/// Of what one end of a connection sends, beside its bytes.
struct FlowFacts {
  JobId job;
  std::uint32_t connection{0};
  bool from_a{true};
  bool certain{true};             ///< it takes one path, and that the whole run
  bool acknowledges_exact{true};  ///< it sends an acknowledge for each packet that asks, whatever the timing
};

struct TrafficPlan {
  std::vector<std::vector<ConnectionTraffic>> traffic;  ///< by JobId and connection
  std::vector<FlowFacts> flows;                         ///< what the a ends send and what the b ends do, in turn
  LinkColumns routes;                                   ///< by flow
  std::vector<WireLoad> demands;                        ///< by flow
  std::vector<WireLoad> loads;                          ///< by LinkDirection
  std::vector<bool> exact;                              ///< by LinkDirection: no acknowledge may be saved
  std::vector<std::string> doubts;                      ///< of the whole: why measured bytes may differ, a line each
};

[[nodiscard]] TrafficPlan plan_traffic(const PlanInput& input);

}  // namespace soya
