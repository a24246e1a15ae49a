#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "display_width.hpp"
#include "sweep_fit.hpp"
#include "sweep_picture.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t width = 96;

std::string number(double value, int digits = 7) {
  return fmt::format("{:.{}g}", value, digits);
}

std::string with_unit(double value, const std::string& unit) {
  return number(value, 4) + (unit.empty() ? "" : " " + unit);
}

std::string points_line(const SweepTable& table, const SweepFit& fit) {
  std::string text = fmt::format("{} of {} used", grouped(fit.used), grouped(table.stored));
  const auto filtered = table.stored - static_cast<std::int64_t>(table.rows.size());
  if (filtered > 0) text += fmt::format(", {} left out by --where", grouped(filtered));
  for (const std::string& each : fit.left_out) text += ", " + each;
  if (fit.unsound > 0) {
    text += fmt::format("; {} of those used not sound: --where \"sound == 1\" leaves them out", fit.unsound);
  }
  return text;
}

std::string residual_line(const SweepFit& fit) {
  std::string text =
      fit.fit.residual_deviation ? "standard deviation " + with_unit(*fit.fit.residual_deviation, fit.unit) + ", " : "";
  return text + fmt::format("largest {} at point {}", with_unit(fit.worst_residual, fit.unit), fit.worst_point);
}

std::string line(const std::string& name, const std::string& text) {
  return wrapped(text, width, pad_right("  " + name, 14), std::string(14, ' '));
}

/// Terms as rows; the closed form and the ratio only where there is one.
std::string terms_table(const SweepTable& table, const SweepFit& fit) {
  std::vector<TextColumn> columns{{"term", Align::left, 28}, {"coefficient"}, {"std. error"}};
  if (fit.beside) {
    columns.push_back({table.quantities[1].name, Align::right, 32});
    columns.push_back({"ratio"});
  }
  columns.push_back({"unit", Align::left, 28});
  TextTable text{columns};
  for (const FittedTerm& each : fit.terms) {
    std::vector<std::string> cells{each.term.name, number(each.coefficient),
                                   each.standard_error ? number(*each.standard_error, 3) : "-"};
    if (fit.beside) {
      cells.push_back(number(*each.beside));
      cells.push_back(each.ratio ? fmt::format("{:.5f}", *each.ratio) : "-");
    }
    cells.push_back(each.unit);
    text.add(std::move(cells));
  }
  return text.text();
}

nlohmann::ordered_json optional_json(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string fit_text(const SweepTable& table, const SweepFit& fit) {
  std::string text = wrapped(table.head.name + ": " + quantity_title(table) + ", by least squares", width, "", "");
  text += "\n" + terms_table(table, fit) + "\n";
  text += line("points", points_line(table, fit));
  if (!fit.in_no_term.empty()) {
    std::string names;
    for (const std::string& name : fit.in_no_term) names += (names.empty() ? "" : ", ") + name;
    text += line("no term", names + ": not the same at all these points; fix by --where, or give a term");
  }
  text += line("residual", residual_line(fit));
  // What is 0 but for rounding may be below it.
  const std::string r_squared =
      fit.fit.r_squared ? fmt::format("{:.6f}, ", std::max(*fit.fit.r_squared, 0.0)) : "- (no spread), ";
  text += line("R^2", r_squared + fmt::format("{} degrees of freedom", fit.fit.degrees_of_freedom));
  if (fit.beside && fit.beside->residual_deviation) {
    text += line("beside", table.quantities[1].name + " over the same points and terms, residual " +
                               with_unit(*fit.beside->residual_deviation, table.quantities[1].unit));
  }
  return text;
}

std::string fit_json(const SweepTable& table, const SweepFit& fit) {
  nlohmann::ordered_json json;
  json["sweep"] = table.head.name;
  json["quantity"] = table.quantities.front().name;
  json["unit"] = fit.unit;
  json["points"] = {{"stored", table.stored},   {"where", table.rows.size()}, {"used", fit.used},
                    {"not_sound", fit.unsound}, {"left_out", fit.left_out},   {"in_no_term", fit.in_no_term}};
  json["terms"] = nlohmann::ordered_json::array();
  for (const FittedTerm& each : fit.terms) {
    json["terms"].push_back({{"term", each.term.name},
                             {"unit", each.unit},
                             {"coefficient", optional_json(each.coefficient)},
                             {"standard_error", optional_json(each.standard_error)},
                             {"beside", optional_json(each.beside)},
                             {"ratio", optional_json(each.ratio)}});
  }
  json["residual_deviation"] = optional_json(fit.fit.residual_deviation);
  json["r_squared"] = optional_json(fit.fit.r_squared);
  json["degrees_of_freedom"] = fit.fit.degrees_of_freedom;
  json["largest_residual"] = {{"point", fit.worst_point}, {"value", fit.worst_residual}};
  if (fit.beside) {
    json["beside"] = {{"quantity", table.quantities[1].name},
                      {"residual_deviation", optional_json(fit.beside->residual_deviation)},
                      {"r_squared", optional_json(fit.beside->r_squared)}};
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace soya::cli
