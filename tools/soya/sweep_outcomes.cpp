#include "sweep_outcomes.hpp"

#include <fmt/format.h>

#include "core/quantity_text.hpp"

namespace soya::cli {

std::string outcomes_text(const std::map<PointOutcome, std::int64_t>& outcomes) {
  std::string text;
  for (const auto& [outcome, count] : outcomes)
    text += fmt::format("  {:<12}{}\n", outcome_name(outcome), grouped(count));
  return text;
}

std::map<std::string, std::int64_t> outcomes_by_name(const std::map<PointOutcome, std::int64_t>& outcomes) {
  std::map<std::string, std::int64_t> named;
  for (const auto& [outcome, count] : outcomes) named[std::string{outcome_name(outcome)}] = count;
  return named;
}

}  // namespace soya::cli
