// The answer on the terminal, one screen of plain text: is the run sound; step time and exposed communication beside
// the plan; slowest transfers; fullest buffers and their margin; most paused links; variants; where the files are.
// Simplifies: the first rows of each table; results.sqlite has all. At most 100 columns, but for perftest's own table.
// Source: docs/results.md. Validated by tests/unit/tools/summary_text_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "outcome.hpp"
#include "output.hpp"

namespace soya::cli {

/// `outcomes` is the base, then the variants, or one variant alone, which the headline then names; `files` is the last
/// line, such as "out/incast: results.sqlite summary.json".
[[nodiscard]] std::string summary_text(const std::vector<Outcome>& outcomes, const std::string& files, Colour colour);

}  // namespace soya::cli
