// The terms of a fit: 1, rate*length, size^2/rate, over the columns of a sweep.
// Simplifies: products of whole powers. Source: docs/sweeps.md. Validated by tests/unit/sweep/fit_terms_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/sweep_table.hpp"

namespace soya {

struct FitFactor {
  std::size_t column{0};
  int power{1};
};

struct FitTerm {
  std::string name;                ///< as it was written, without blanks
  std::vector<FitFactor> factors;  ///< none: the constant 1
};

/// Terms between commas. Throws `TableError` where `text` is none, a column is unknown or has words.
[[nodiscard]] std::vector<FitTerm> parse_terms(const SweepTable& table, std::string_view text);

[[nodiscard]] double value_of(const FitTerm& term, const TableRow& row);

/// Unit of the coefficient of `term` for a quantity in `unit`: "bytes per (gbps m)"; empty where it has none.
[[nodiscard]] std::string coefficient_unit(const FitTerm& term, std::span<const Column> columns,
                                           const std::string& unit);

}  // namespace soya
