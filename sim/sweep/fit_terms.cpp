#include "sweep/fit_terms.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace soya {

namespace {

constexpr int most_power = 9;

std::string in_quotes(std::string_view text) {
  return "\"" + std::string{text} + "\"";
}

/// `text` split at each of `separators` outside of quotes, the separator before each part with it.
struct Part {
  char before;
  std::string_view text;
};

std::vector<Part> split(std::string_view text, std::string_view separators) {
  std::vector<Part> parts;
  char before = '\0';
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '"') quoted = !quoted;
    const bool ends = i == text.size() || (!quoted && separators.find(text[i]) != std::string_view::npos);
    if (!ends) continue;
    parts.push_back({before, text.substr(start, i - start)});
    if (i < text.size()) before = text[i];
    start = i + 1;
  }
  return parts;
}

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\t') out += c;
  }
  return out;
}

TableError bad_term(std::string_view term) {
  return TableError{"expected a term such as 1, rate*length or size^2/rate, got " + in_quotes(term)};
}

int power_of(std::string_view text, std::string_view term) {
  int power = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), power);
  if (error != std::errc{} || end != text.data() + text.size()) throw bad_term(term);
  if (power >= 1 && power <= most_power) return power;
  throw TableError{"expected a power from 1 to 9 in " + in_quotes(term) + ", got " + std::string{text}};
}

/// Nothing for the factor 1.
std::optional<FitFactor> factor_of(const SweepTable& table, const Part& part, std::string_view term) {
  const std::size_t hat = part.text.rfind('^');
  const std::string_view name = part.text.substr(0, hat);
  if (name.empty()) throw bad_term(term);
  const int power = hat == std::string_view::npos ? 1 : power_of(part.text.substr(hat + 1), term);
  if (name == "1") return std::nullopt;
  const std::size_t column = column_named(table.head.columns, name);
  if (!table.numeric[column]) {
    throw TableError{"the column " + table.head.columns[column].name + " has words (" +
                     listed(distinct_cells(table, column)) +
                     ") and makes no term; fit one of them at a time by --where"};
  }
  return FitFactor{column, part.before == '/' ? -power : power};
}

/// Each column once, with the sum of its powers.
void add_factor(std::vector<FitFactor>& factors, const FitFactor& factor) {
  const auto same = std::ranges::find(factors, factor.column, &FitFactor::column);
  if (same == factors.end()) {
    factors.push_back(factor);
  } else {
    same->power += factor.power;
  }
}

/// A unit and its power.
using UnitPowers = std::vector<std::pair<std::string, int>>;

void add_unit(UnitPowers& powers, const std::string& unit, int power) {
  if (unit.empty()) return;
  const auto same = std::ranges::find(powers, unit, [](const auto& each) { return each.first; });
  if (same == powers.end()) {
    powers.emplace_back(unit, power);
  } else {
    same->second += power;
  }
}

/// The units of one sign, and how many they are.
std::pair<std::string, int> product_of(const UnitPowers& powers, int sign) {
  std::string text;
  int count = 0;
  for (const auto& [unit, power] : powers) {
    if (power * sign <= 0) continue;
    // One byte is meant behind "per".
    text += (text.empty() ? "" : " ") + (sign < 0 && unit == "bytes" ? "byte" : unit) +
            (power * sign > 1 ? "^" + std::to_string(power * sign) : "");
    ++count;
  }
  return {text, count};
}

}  // namespace

std::vector<FitTerm> parse_terms(const SweepTable& table, std::string_view text) {
  std::vector<FitTerm> terms;
  for (const Part& written : split(text, ",")) {
    FitTerm term{without_blanks(written.text), {}};
    if (term.name.empty()) throw bad_term(written.text);
    for (const Part& part : split(term.name, "*/")) {
      if (const auto factor = factor_of(table, part, term.name)) add_factor(term.factors, *factor);
    }
    std::erase_if(term.factors, [](const FitFactor& factor) { return factor.power == 0; });
    const auto same = std::ranges::find(terms, term.name, &FitTerm::name);
    if (same != terms.end()) throw TableError{"the term " + in_quotes(term.name) + " stands twice"};
    terms.push_back(std::move(term));
  }
  return terms;
}

double value_of(const FitTerm& term, const TableRow& row) {
  double value = 1;
  for (const FitFactor& factor : term.factors) {
    const double number = *row.cells[factor.column].number;
    value *= std::pow(number, factor.power);
  }
  return value;
}

std::string coefficient_unit(const FitTerm& term, std::span<const Column> columns, const std::string& unit) {
  UnitPowers powers;
  add_unit(powers, unit, 1);
  for (const FitFactor& factor : term.factors) add_unit(powers, columns[factor.column].unit, -factor.power);
  const auto [above, count_above] = product_of(powers, 1);
  const auto [below, count_below] = product_of(powers, -1);
  if (count_below == 0) return above;
  return above + (above.empty() ? "per " : " per ") + (count_below > 1 ? "(" + below + ")" : below);
}

}  // namespace soya
