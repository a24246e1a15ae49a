#include "sweep/sweep_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace soya {

namespace {

/// Why a point is not used; empty where it is.
std::string unusable(const SweepTable& table, const TableRow& row) {
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    if (row.values[i]) continue;
    if (row.outcome == PointOutcome::refused) return "cannot be built";
    if (row.outcome == PointOutcome::crashed) return "crashed";
    if (row.outcome == PointOutcome::no_answer) return "without an answer";
    return "without " + table.quantities[i].name;
  }
  return "";
}

struct Used {
  std::vector<const TableRow*> rows;
  std::map<std::string, std::int64_t> left_out;
};

Used used_rows(const SweepTable& table) {
  Used used;
  for (const TableRow& row : table.rows) {
    const std::string why = unusable(table, row);
    if (why.empty()) {
      used.rows.push_back(&row);
    } else {
      ++used.left_out[why];
    }
  }
  return used;
}

LeastSquaresFit fit_quantity(const std::vector<FitTerm>& terms, const std::vector<const TableRow*>& rows,
                             std::size_t quantity) {
  LeastSquaresInput input;
  for (const FitTerm& term : terms) input.terms.push_back(term.name);
  for (const TableRow* row : rows) {
    std::vector<double> values;
    for (const FitTerm& term : terms) values.push_back(value_of(term, *row));
    input.rows.push_back(std::move(values));
    input.measured.push_back(*row->values[quantity]);
  }
  return least_squares(input);
}

/// A column that is the same at every point makes no term of its own: that is easier to understand than algebra.
void refuse_constant_columns(const SweepTable& table, const std::vector<FitTerm>& terms) {
  for (const FitTerm& term : terms) {
    const auto is_constant = [&](const FitFactor& factor) { return distinct_cells(table, factor.column).size() == 1; };
    if (term.factors.empty() || !std::ranges::all_of(term.factors, is_constant)) continue;
    const FitFactor& factor = term.factors.front();
    throw TableError{"the term \"" + term.name + "\" is the same at every point: " +
                     table.head.columns[factor.column].name + " is " + table.rows.front().cells[factor.column].text};
  }
}

/// What a cell says: equal numbers are equal however they are written.
std::string value_text(const Cell& cell) {
  return cell.number ? std::to_string(*cell.number) : cell.text;
}

std::string values_text(const TableRow& row, const std::vector<std::size_t>& columns) {
  std::string text;
  for (const std::size_t column : columns) text += value_text(row.cells[column]) + '\n';
  return text;
}

/// Whether the values of `columns` tell that of `column` at every row. Where no two rows have the same ones, as in a
/// sample, they tell nothing.
bool goes_along(std::size_t column, const std::vector<std::size_t>& columns, const std::vector<const TableRow*>& rows) {
  std::map<std::string, std::string> told;
  for (const TableRow* row : rows) {
    const std::string value = value_text(row->cells[column]);
    if (told.emplace(values_text(*row, columns), value).first->second != value) return false;
  }
  return told.size() < rows.size();
}

std::vector<std::size_t> columns_of_terms(const std::vector<FitTerm>& terms) {
  std::vector<std::size_t> columns;
  for (const FitTerm& term : terms) {
    for (const FitFactor& factor : term.factors) columns.push_back(factor.column);
  }
  return columns;
}

/// Seeds are meant to differ, and what goes along with the terms' columns differs with them.
std::vector<std::string> columns_in_no_term(const SweepTable& table, const std::vector<FitTerm>& terms,
                                            const std::vector<const TableRow*>& rows) {
  const std::vector<std::size_t> in_terms = columns_of_terms(terms);
  std::vector<std::string> names;
  for (std::size_t column = 0; column < table.head.columns.size(); ++column) {
    const auto differs = [&](const TableRow* row) {
      return value_text(row->cells[column]) != value_text(rows.front()->cells[column]);
    };
    if (table.head.columns[column].name == "seed" || !std::ranges::any_of(rows, differs)) continue;
    if (std::ranges::find(in_terms, column) != in_terms.end() || goes_along(column, in_terms, rows)) continue;
    const auto with_one = [&](std::size_t other) { return goes_along(column, {other}, rows); };
    if (std::ranges::none_of(in_terms, with_one)) names.push_back(table.head.columns[column].name);
  }
  return names;
}

std::vector<FittedTerm> fitted_terms(const SweepTable& table, const std::vector<FitTerm>& terms, const SweepFit& fit) {
  std::vector<FittedTerm> fitted;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    FittedTerm row{terms[i], coefficient_unit(terms[i], table.head.columns, fit.unit), fit.fit.coefficients[i], {}, {},
                   {}};
    if (!fit.fit.standard_errors.empty()) row.standard_error = fit.fit.standard_errors[i];
    if (fit.beside) row.beside = fit.beside->coefficients[i];
    if (row.beside && *row.beside != 0) row.ratio = row.coefficient / *row.beside;
    fitted.push_back(std::move(row));
  }
  return fitted;
}

}  // namespace

SweepFit fit_table(const SweepTable& table, std::string_view terms_text) {
  const std::vector<FitTerm> terms = parse_terms(table, terms_text);
  const Used used = used_rows(table);
  SweepFit result;
  result.unit = table.quantities.front().unit;
  result.used = static_cast<std::int64_t>(used.rows.size());
  for (const auto& [why, count] : used.left_out) result.left_out.push_back(std::to_string(count) + " " + why);
  result.unsound = std::ranges::count(used.rows, PointOutcome::unsound, &TableRow::outcome);
  if (used.rows.empty()) {
    std::string reasons;
    for (const std::string& each : result.left_out) reasons += (reasons.empty() ? "" : ", ") + each;
    throw TableError{"no point has a value to fit: " + reasons};
  }
  refuse_constant_columns(table, terms);
  try {
    result.fit = fit_quantity(terms, used.rows, 0);
    if (table.quantities.size() > 1) result.beside = fit_quantity(terms, used.rows, 1);
  } catch (const LeastSquaresError& error) {
    throw TableError{error.what()};
  }
  result.terms = fitted_terms(table, terms, result);
  result.in_no_term = columns_in_no_term(table, terms, used.rows);
  for (std::size_t i = 0; i < used.rows.size(); ++i) {
    const double residual = result.fit.residuals[i];
    if (i > 0 && std::abs(residual) <= std::abs(result.worst_residual)) continue;
    result.worst_residual = residual;
    result.worst_point = used.rows[i]->point;
  }
  return result;
}

}  // namespace soya
