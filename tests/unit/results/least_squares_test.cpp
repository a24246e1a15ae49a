#include "results/least_squares.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace soya;

namespace {

doctest::Approx near(double value, double share = 1e-12) {
  return doctest::Approx{value}.epsilon(share);
}

std::string refused(const LeastSquaresInput& input) {
  try {
    (void)least_squares(input);
  } catch (const LeastSquaresError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a line through three points is the one that a hand computes") {
  // x = 0, 1, 2 and y = 1, 2, 4: Sxx = 2, Sxy = (-1)(1) + 0 + (1)(4) = 3, so the slope is 3/2 and the intercept
  // 7/3 - 3/2 = 5/6. Residuals 1/6, -2/6, 1/6: their squares sum to 1/6, which one degree of freedom leaves as s^2.
  const LeastSquaresFit fit = least_squares({{"1", "x"}, {{1, 0}, {1, 1}, {1, 2}}, {1, 2, 4}});
  REQUIRE(fit.coefficients.size() == 2);
  CHECK(fit.coefficients[0] == near(5.0 / 6));
  CHECK(fit.coefficients[1] == near(1.5));
  CHECK(fit.measurements == 3);
  CHECK(fit.degrees_of_freedom == 1);
  CHECK(*fit.residual_deviation == near(std::sqrt(1.0 / 6)));
  // s^2 (1/n + mean^2 / Sxx) = (1/6)(1/3 + 1/2) = 5/36, and s^2 / Sxx = 1/12.
  CHECK(fit.standard_errors.at(0) == near(std::sqrt(5.0) / 6));
  CHECK(fit.standard_errors.at(1) == near(std::sqrt(1.0 / 12)));
  // Spread about 7/3: 16/9 + 1/9 + 25/9 = 14/3.
  CHECK(*fit.r_squared == near(1 - (1.0 / 6) / (14.0 / 3)));
  REQUIRE(fit.residuals.size() == 3);
  CHECK(fit.residuals[0] == near(1.0 / 6));
  CHECK(fit.residuals[1] == near(-1.0 / 3));
}

TEST_CASE("standard errors stay with their terms, in any order of them") {
  const LeastSquaresFit fit = least_squares({{"x", "1"}, {{0, 1}, {1, 1}, {2, 1}}, {1, 2, 4}});
  CHECK(fit.coefficients[0] == near(1.5));
  CHECK(fit.standard_errors.at(0) == near(std::sqrt(1.0 / 12)));
  CHECK(fit.standard_errors.at(1) == near(std::sqrt(5.0) / 6));
}

TEST_CASE("without a constant the spread is about zero") {
  // y = b x over (1, 1), (2, 3): b = (1 + 6) / (1 + 4) = 7/5; residuals -2/5, 1/5; R^2 = 1 - (5/25) / 10.
  const LeastSquaresFit fit = least_squares({{"x"}, {{1}, {2}}, {1, 3}});
  CHECK(fit.coefficients[0] == near(1.4));
  CHECK(*fit.r_squared == near(1 - 0.2 / 10));
  CHECK(*fit.residual_deviation == near(std::sqrt(0.2)));
  CHECK(fit.standard_errors.at(0) == near(std::sqrt(0.2 / 5)));
}

TEST_CASE("terms of any magnitude are told apart") {
  // Bits per second times metres beside 1: 25 Gbps over 5 m is 1.25e11, 800 Gbps over 1000 km is 8e17.
  LeastSquaresInput input{{"1", "rate*length"}, {}, {}};
  for (const double rate : {25e9, 100e9, 400e9, 800e9}) {
    for (const double length : {5.0, 300.0, 10'000.0, 1'000'000.0}) {
      input.rows.push_back({1, rate * length});
      input.measured.push_back(20'790 + 1.25e-9 * rate * length);
    }
  }
  const LeastSquaresFit fit = least_squares(input);
  CHECK(fit.coefficients[1] == near(1.25e-9));
  // The largest value is 1e9 with 16 digits, so the constant has 1e-7 of noise, whatever the other term is.
  CHECK(fit.coefficients[0] == near(20'790, 1e-9));
}

TEST_CASE("as many points as terms leave no error to estimate") {
  const LeastSquaresFit fit = least_squares({{"1", "x"}, {{1, 1}, {1, 2}}, {3, 5}});
  CHECK(fit.coefficients[0] == near(1));
  CHECK(fit.coefficients[1] == near(2));
  CHECK(fit.degrees_of_freedom == 0);
  CHECK(fit.standard_errors.empty());
  CHECK_FALSE(fit.residual_deviation);
  CHECK_FALSE(least_squares({{"1"}, {{1}, {1}}, {4, 4}}).r_squared);
}

TEST_CASE("a term that others make up is named, with them") {
  const std::string end = " at these points; leave it out, or take points where it differs by itself";
  CHECK(refused({{"1", "x"}, {{1, 5}, {1, 5}, {1, 5}}, {1, 2, 3}}) == "the term \"x\" cannot be told from \"1\"" + end);
  // z = 2 + 3 x, and y has nothing to do with it.
  CHECK(refused({{"1", "y", "x", "z"}, {{1, 7, 0, 2}, {1, 1, 1, 5}, {1, 4, 2, 8}, {1, 0, 3, 11}}, {1, 2, 3, 4}}) ==
        "the term \"z\" cannot be told from \"1\", \"x\"" + end);
  CHECK(refused({{"1", "x"}, {{1, 0}, {1, 0}}, {1, 2}}) == "the term \"x\" is 0 at all points");
  CHECK(refused({{"1", "x"}, {{1, 0}, {1, INFINITY}}, {1, 2}}) == "the term \"x\" is not finite");
  CHECK(refused({{"1", "x"}, {{1, 0}}, {1}}) == "2 terms need at least as many points; there are 1");
  CHECK(refused({{}, {}, {}}) == "there is no term to fit");
}
