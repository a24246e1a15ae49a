// A measured quantity of a sweep fitted over its columns, and beside it a closed form fitted over the same points.
// Simplifies: ordinary least squares; every point counts once, seeds are points. Source: docs/sweeps.md.
// Validated by tests/unit/sweep/sweep_fit_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/least_squares.hpp"
#include "sweep/fit_terms.hpp"
#include "sweep/sweep_table.hpp"

namespace soya {

struct FittedTerm {
  FitTerm term;
  std::string unit;
  double coefficient{0};
  std::optional<double> standard_error;
  std::optional<double> beside;  ///< the closed form's
  std::optional<double> ratio;   ///< coefficient / beside
};

struct SweepFit {
  std::string unit;  ///< of the quantity
  std::vector<FittedTerm> terms;
  LeastSquaresFit fit;
  std::optional<LeastSquaresFit> beside;
  std::int64_t used{0};
  std::int64_t unsound{0};            ///< of `used`
  std::vector<std::string> left_out;  ///< how many, and why
  /// Columns that differ among the points used though those of the terms do not: what they do is residual.
  std::vector<std::string> in_no_term;
  std::int64_t worst_point{0};  ///< with the largest residual
  double worst_residual{0};
};

/// The table's first quantity over `terms`; its second, where there is one, beside it. Throws `TableError`.
[[nodiscard]] SweepFit fit_table(const SweepTable& table, std::string_view terms);

}  // namespace soya
