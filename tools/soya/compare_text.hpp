// A comparison for the terminal and as JSON: what differs in the input, then what changed in the outcome.
// Simplifies: the terminal shows the first lines of long lists; JSON has all. Source: docs/results.md, "Comparing".
// Validated by tests/cli/compare_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "compare_sides.hpp"
#include "output.hpp"
#include "results/comparison.hpp"
#include "scenario/differences.hpp"

namespace soya::cli {

/// One side held against the first.
struct ComparedSide {
  std::vector<KeyDifference> input;
  Comparison outcome;
};

/// By side: the second against the first, the third against the first.
[[nodiscard]] std::vector<ComparedSide> compared(const std::vector<Side>& sides);

/// Sides have the letters A, B, C ….
[[nodiscard]] std::string comparison_text(const std::vector<Side>& sides, const std::vector<ComparedSide>& compared,
                                          Colour colour);
[[nodiscard]] std::string comparison_json(const std::vector<Side>& sides, const std::vector<ComparedSide>& compared);

}  // namespace soya::cli
