#include "workload/intervals.hpp"

#include <doctest/doctest.h>

#include "support/units_io.hpp"

using namespace soya;

TEST_CASE("overlapping compute counts once, so idle time is never negative") {
  // Two streams [0, 10] and [5, 12] of a 13 ms step: 12 ms are covered, 1 ms is idle. Sums would say 13 - 17 = -4.
  CHECK(covered({{0_ms, 10_ms}, {5_ms, 12_ms}}) == 12_ms);
  // Compute [0, 10] beside communication [7, 13]: 3 ms of 13 are idle.
  CHECK(13_ms - covered({{0_ms, 10_ms}}) == 3_ms);
}

TEST_CASE("order, gaps, nesting and empty intervals") {
  CHECK(covered({}) == 0_ms);
  CHECK(covered({{4_ms, 4_ms}}) == 0_ms);
  CHECK(covered({{5_ms, 3_ms}}) == 0_ms);
  CHECK(covered({{8_ms, 9_ms}, {0_ms, 1_ms}}) == 2_ms);
  CHECK(covered({{0_ms, 10_ms}, {2_ms, 3_ms}, {9_ms, 11_ms}}) == 11_ms);
  CHECK(covered({{0_ms, 5_ms}, {5_ms, 6_ms}}) == 6_ms);
}
