#include "scenario/probability.hpp"

#include <fmt/format.h>

#include <charconv>

namespace soya::reading {

std::optional<Probability> parse_probability(std::string_view text) {
  // Neither a sign nor inf or nan, which from_chars would take.
  const bool begins_with_digit = !text.empty() && text[0] >= '0' && text[0] <= '9';
  if (!begins_with_digit) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= 1)) return std::nullopt;
  return Probability{value};
}

std::string format_probability(Probability probability) {
  return fmt::format("{}", probability.value);
}

std::string probability_pattern() {
  return R"([0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)";
}

}  // namespace soya::reading
