#include "outcome.hpp"

namespace soya::cli {

Verdict verdict(const Outcome& outcome) {
  const RunResults& run = outcome.run.results;
  if (!run.complete) return Verdict::incomplete;
  if (outcome.expect == Expectation::unsound) {
    return run.sound ? Verdict::sound_against_expectation : Verdict::unsound_as_expected;
  }
  return run.sound ? Verdict::sound : Verdict::unsound;
}

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::sound:
      return "SOUND";
    case Verdict::unsound:
      return "NOT SOUND";
    case Verdict::unsound_as_expected:
      return "NOT SOUND, as the scenario expects";
    case Verdict::sound_against_expectation:
      return "SOUND, but the scenario says expect: unsound";
    case Verdict::incomplete:
      return "INCOMPLETE, interrupted";
  }
  return "";
}

bool fails(Verdict verdict) {
  return verdict == Verdict::unsound || verdict == Verdict::sound_against_expectation;
}

}  // namespace soya::cli
