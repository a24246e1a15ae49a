// A linear model fitted to measurements: ordinary least squares with the standard errors of its coefficients.
// Simplifies: errors are taken as independent and of one variance. Columns are scaled to length 1 first, so terms of
// any magnitude (bits per second times metres beside 1) are well conditioned.
// Source: Golub and Van Loan, "Matrix Computations", 4th edition, sections 5.3 and 5.4 (QR with column pivoting).
// Validated by tests/unit/results/least_squares_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace soya {

struct LeastSquaresInput {
  std::vector<std::string> terms;         ///< names, for messages
  std::vector<std::vector<double>> rows;  ///< one for each measurement, with the value of each term
  std::vector<double> measured;
};

struct LeastSquaresFit {
  std::vector<double> coefficients;
  std::vector<double> standard_errors;       ///< empty without degrees of freedom
  std::optional<double> residual_deviation;  ///< standard deviation of the residuals; absent without degrees of freedom
  std::optional<double> r_squared;  ///< about the mean where the terms hold a constant, else about 0; absent: no spread
  std::vector<double> residuals;    ///< measured less fitted
  std::size_t measurements{0};
  std::size_t degrees_of_freedom{0};  ///< measurements less terms
};

/// The measurements do not determine the coefficients; `what()` names the term that cannot be told from others.
class LeastSquaresError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] LeastSquaresFit least_squares(const LeastSquaresInput& input);

}  // namespace soya
