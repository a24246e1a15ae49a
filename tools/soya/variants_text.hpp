// Base and variants side by side: one row each, with the columns that tell what these runs have.
// Simplifies: at most 100 columns; results.sqlite has all. Source: docs/results.md.
// Validated by tests/unit/tools/variants_text_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "outcome.hpp"
#include "output.hpp"

namespace soya::cli {

/// The base first. Training shows step times, other runs how long they took. Where links lose frames, what was lost and
/// sent again and what the fastest flow made of it take the place of columns of the buffers.
[[nodiscard]] std::string variants_text(const std::vector<Outcome>& outcomes, Colour colour);

}  // namespace soya::cli
