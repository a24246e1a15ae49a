// Measurements as JSON: what `--json` writes, and how a case's own process tells what it measured.
// Simplifies: nothing. Validated by tests/cost.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "suite/measure.hpp"

namespace soya::bench {

[[nodiscard]] nlohmann::ordered_json to_json(const Measurement& measurement);
[[nodiscard]] Measurement measurement_of(const nlohmann::ordered_json& json);

}  // namespace soya::bench
