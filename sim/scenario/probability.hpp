// Probabilities as text: decimals from 0 to 1.
// Simplifies: nothing; a number that a double does not hold becomes the nearest that it does.
// Source: docs/scenario.md. Validated by tests/unit/scenario/probability_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/loss_config.hpp"

namespace soya::reading {

/// `1e-5`, `0.001`, `0` or `1`; nothing where it is no decimal from 0 to 1.
[[nodiscard]] std::optional<Probability> parse_probability(std::string_view text);
/// The shortest decimal that is read back as the same number.
[[nodiscard]] std::string format_probability(Probability probability);
/// A regular expression (ECMA-262, not anchored) of what `parse_probability` takes, values above 1 among it.
[[nodiscard]] std::string probability_pattern();

}  // namespace soya::reading
