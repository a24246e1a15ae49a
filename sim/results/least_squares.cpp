#include "results/least_squares.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "core/check.hpp"

namespace soya {

namespace {

/// A column of length 1 that leaves less than this beside others is a combination of them.
constexpr double dependent_below = 1e-9;

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Solver = Eigen::ColPivHouseholderQR<MatrixXd>;

MatrixXd matrix_of(const LeastSquaresInput& input) {
  MatrixXd matrix(static_cast<Index>(input.rows.size()), static_cast<Index>(input.terms.size()));
  for (std::size_t row = 0; row < input.rows.size(); ++row) {
    SOYA_CHECK(input.rows[row].size() == input.terms.size(), "a value for every term");
    for (std::size_t term = 0; term < input.terms.size(); ++term) {
      matrix(static_cast<Index>(row), static_cast<Index>(term)) = input.rows[row][term];
    }
  }
  return matrix;
}

std::string name_of(const LeastSquaresInput& input, Index term) {
  return "\"" + input.terms[static_cast<std::size_t>(term)] + "\"";
}

/// The first term that those before it make up, with their names. `scaled` has columns of length 1.
void refuse_dependent(const LeastSquaresInput& input, const MatrixXd& scaled) {
  for (Index term = 1; term < scaled.cols(); ++term) {
    const MatrixXd before = scaled.leftCols(term);
    const VectorXd share = Solver{before}.solve(scaled.col(term));
    if ((scaled.col(term) - before * share).norm() > dependent_below) continue;
    std::string others;
    for (Index other = 0; other < term; ++other) {
      if (std::abs(share(other)) > dependent_below) others += (others.empty() ? "" : ", ") + name_of(input, other);
    }
    throw LeastSquaresError{"the term " + name_of(input, term) + " cannot be told from " + others +
                            " at these points; leave it out, or take points where it differs by itself"};
  }
}

/// Lengths of the columns, which is what they are divided by.
VectorXd scales_of(const LeastSquaresInput& input, const MatrixXd& matrix) {
  for (Index term = 0; term < matrix.cols(); ++term) {
    if (!matrix.col(term).allFinite()) throw LeastSquaresError{"the term " + name_of(input, term) + " is not finite"};
    if (matrix.col(term).cwiseAbs().maxCoeff() == 0) {
      throw LeastSquaresError{"the term " + name_of(input, term) + " is 0 at all points"};
    }
  }
  // Squares of values as large as 1e200 would not be finite.
  return matrix.colwise().stableNorm().transpose();
}

std::optional<double> r_squared(const MatrixXd& scaled, const Solver& solver, const VectorXd& measured,
                                const VectorXd& residuals) {
  const VectorXd ones = VectorXd::Constant(measured.size(), 1 / std::sqrt(static_cast<double>(measured.size())));
  const bool has_constant = (ones - scaled * solver.solve(ones)).norm() < dependent_below;
  const double centre = has_constant ? measured.mean() : 0;
  const double spread = (measured.array() - centre).square().sum();
  if (spread == 0) return std::nullopt;
  return 1 - residuals.squaredNorm() / spread;
}

/// Standard deviation of each coefficient for residuals of standard deviation 1: the lengths of the rows of R^-1, in
/// the order of the terms.
VectorXd unit_errors(const Solver& solver, Index terms) {
  const MatrixXd upper = solver.matrixR().topLeftCorner(terms, terms).triangularView<Eigen::Upper>();
  const MatrixXd inverse = upper.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(terms, terms));
  return solver.colsPermutation() * VectorXd{inverse.rowwise().norm()};
}

}  // namespace

LeastSquaresFit least_squares(const LeastSquaresInput& input) {
  SOYA_CHECK(input.rows.size() == input.measured.size(), "a measurement for every row");
  if (input.terms.empty()) throw LeastSquaresError{"there is no term to fit"};
  if (input.rows.size() < input.terms.size()) {
    throw LeastSquaresError{std::to_string(input.terms.size()) + " terms need at least as many points; there are " +
                            std::to_string(input.rows.size())};
  }
  const MatrixXd matrix = matrix_of(input);
  const VectorXd scales = scales_of(input, matrix);
  const MatrixXd scaled = matrix * scales.cwiseInverse().asDiagonal();
  refuse_dependent(input, scaled);
  const Solver solver{scaled};
  const VectorXd measured = Eigen::Map<const VectorXd>(input.measured.data(), matrix.rows());
  const VectorXd solution = solver.solve(measured);
  const VectorXd residuals = measured - scaled * solution;

  LeastSquaresFit fit;
  fit.measurements = input.rows.size();
  fit.degrees_of_freedom = input.rows.size() - input.terms.size();
  fit.residuals.assign(residuals.begin(), residuals.end());
  fit.r_squared = r_squared(scaled, solver, measured, residuals);
  const VectorXd coefficients = solution.cwiseQuotient(scales);
  fit.coefficients.assign(coefficients.begin(), coefficients.end());
  if (fit.degrees_of_freedom == 0) return fit;
  fit.residual_deviation = std::sqrt(residuals.squaredNorm() / static_cast<double>(fit.degrees_of_freedom));
  const VectorXd errors = *fit.residual_deviation * unit_errors(solver, matrix.cols()).cwiseQuotient(scales);
  fit.standard_errors.assign(errors.begin(), errors.end());
  return fit;
}

}  // namespace soya
