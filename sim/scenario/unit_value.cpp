#include "scenario/unit_value.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace soya {

using reading::Dimension;
using reading::NumberFault;

namespace {

/// All of `text` as a decimal.
std::optional<double> decimal(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || read != end) return std::nullopt;
  // "inf" and "nan" are words.
  const char first = text.front() == '-' && text.size() > 1 ? text[1] : text.front();
  return first >= '0' && first <= '9' ? std::optional{value} : std::nullopt;
}

}  // namespace

std::optional<TableUnit> table_unit(std::string_view name) {
  constexpr std::array<TableUnit, 7> units{{{"bytes", Dimension::size, 1},
                                            {"gbps", Dimension::rate, 1'000'000'000},
                                            {"GBps", Dimension::rate, 8'000'000'000},
                                            {"us", Dimension::duration, 1'000'000},
                                            {"ms", Dimension::duration, 1'000'000'000},
                                            {"ps", Dimension::duration, 1},
                                            {"m", Dimension::length, 1'000}}};
  const auto found = std::ranges::find(units, name, &TableUnit::name);
  return found == units.end() ? std::nullopt : std::optional{*found};
}

double in_unit(Int128 base_units, const TableUnit& unit) {
  return static_cast<double>(base_units) / static_cast<double>(unit.base_units);
}

ParsedValue parse_in_unit(std::string_view text, const std::optional<TableUnit>& unit) {
  if (unit) {
    const reading::ParsedNumber number = reading::parse_number(text, unit->dimension);
    return {in_unit(number.value, *unit), number.fault};
  }
  if (const auto number = decimal(text)) return {*number, NumberFault::none};
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {0, NumberFault::spelling};
  const auto above = decimal(text.substr(0, slash));
  const auto below = decimal(text.substr(slash + 1));
  if (!above || !below || *below == 0) return {0, NumberFault::spelling};
  return {*above / *below, NumberFault::none};
}

}  // namespace soya
