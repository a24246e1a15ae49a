// A run, what its scenario expects of it, and how the two agree.
// Simplifies: nothing. Source: docs/scenario.md (`expect`), README.md (exit status).
// Validated by tests/unit/tools/summary_text_test.cpp and tests/cli/run_test.cpp.
#pragma once

#include <string>

#include "results/summary.hpp"
#include "scenario/scenario.hpp"

namespace soya::cli {

enum class Verdict { sound, unsound, unsound_as_expected, sound_against_expectation, incomplete };

struct Outcome {
  NamedResults run;
  Expectation expect{Expectation::sound};
};

[[nodiscard]] Verdict verdict(const Outcome& outcome);
/// "SOUND", "NOT SOUND", …
[[nodiscard]] std::string verdict_text(Verdict verdict);
/// Whether the outcome makes the exit status 3.
[[nodiscard]] bool fails(Verdict verdict);

}  // namespace soya::cli
