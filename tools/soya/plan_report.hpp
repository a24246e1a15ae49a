// The answer of `soya plan`, as text for one screen and as JSON with every link.
// Simplifies: the text shows the first of many jobs, tiers and links. Source: docs/model.md section 10.
// Validated by tests/cli/plan_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "engine/load_plan.hpp"
#include "engine/plan.hpp"
#include "engine/run_estimate.hpp"
#include "output.hpp"

namespace soya::cli {

struct PlanReport {
  const Scenario& scenario;
  const PortMap& ports;
  Plan plan;
  LoadPlan loads;
  RunEstimate estimate;
  std::optional<LoadPlan> after_faults;  ///< with the remaining links
};

[[nodiscard]] std::string plan_report_text(const PlanReport& report, Colour colour);
[[nodiscard]] std::string plan_report_json(const PlanReport& report);

}  // namespace soya::cli
