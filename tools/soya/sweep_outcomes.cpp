#include "sweep_outcomes.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/quantity_text.hpp"

namespace soya::cli {

std::string outcomes_text(const std::map<PointOutcome, std::int64_t>& outcomes) {
  std::string text;
  for (const auto& [outcome, count] : outcomes)
    text += fmt::format("  {:<12}{}\n", outcome_name(outcome), grouped(count));
  return text;
}

nlohmann::ordered_json outcomes_json(const std::map<PointOutcome, std::int64_t>& outcomes) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [outcome, count] : outcomes) json[std::string{outcome_name(outcome)}] = count;
  return json;
}

}  // namespace soya::cli
