// The answer on the terminal, one screen of plain text: is the run sound; step time and exposed communication beside
// the plan; slowest transfers; fullest buffers and their margin; most paused links; variants; where the files are.
// Simplifies: the first rows of each table; results.sqlite has all. At most 100 columns.
// Source: docs/results.md. Validated by tests/unit/tools/summary_text_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"
#include "results/summary.hpp"
#include "scenario/scenario.hpp"

namespace soya::cli {

enum class Verdict { sound, unsound, unsound_as_expected, sound_against_expectation, incomplete };

/// A run and what its scenario expects of it.
struct Outcome {
  NamedResults run;
  Expectation expect{Expectation::sound};
};

[[nodiscard]] Verdict verdict(const Outcome& outcome);
/// "SOUND", "NOT SOUND", …
[[nodiscard]] std::string verdict_text(Verdict verdict);
/// Whether the outcome makes the exit status 3.
[[nodiscard]] bool fails(Verdict verdict);

/// `outcomes` is the base, then the variants, or one variant alone, which the headline then names; `files` is the last
/// line, such as "out/incast: results.sqlite summary.json".
[[nodiscard]] std::string summary_text(const std::vector<Outcome>& outcomes, const std::string& files, Colour colour);

}  // namespace soya::cli
