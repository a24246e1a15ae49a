// The plan of a scenario as comment lines, so that what `soya check` prints stays a scenario.
// Simplifies: of many kinds of ports the first few. Source: docs/model.md sections 5 and 9.
// Validated by tests/unit/tools/plan_text_test.cpp and tests/cli/check_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/plan.hpp"

namespace soya::cli {

/// Lines that begin with `begin`: of the training jobs, and of the first `kinds` kinds of ports.
[[nodiscard]] std::string training_text(const Plan& plan, std::string_view begin);
[[nodiscard]] std::string headroom_plan_text(const Plan& plan, std::string_view begin, std::size_t kinds);

/// Lines that begin with "# plan: "; empty where there is nothing to plan.
[[nodiscard]] std::string plan_text(const Plan& plan);

}  // namespace soya::cli
