#include "scenario/map_rate.hpp"

#include <charconv>
#include <system_error>

namespace soya::reading {

namespace {

bool is_rate(std::string_view text) {
  const auto value = decimal(text);
  return value && *value > 0;
}

std::string spelled(std::string_view number, std::string_view unit) {
  std::string text{number};
  std::erase(text, '+');  // 1e+10
  return text + std::string{unit} + "bps";
}

}  // namespace

std::optional<double> decimal(std::string_view text) {
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::string> map_rate(std::string_view raw, std::string_view speed, std::string_view units) {
  if (is_rate(raw)) return spelled(raw, "");
  const bool known = units == "K" || units == "M" || units == "G" || units == "T";
  if (known && is_rate(speed)) return spelled(speed, units);
  return std::nullopt;
}

}  // namespace soya::reading
