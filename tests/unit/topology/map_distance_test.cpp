#include "topology/map_distance.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/units.hpp"

using namespace soya;

TEST_CASE("a quarter of a meridian is a quarter of the circumference") {
  // 2 pi 6371 km / 4 = 10 007.543 km
  const double metres = std::numbers::pi * 6'371'000 / 2;
  CHECK(fibre_length({0, 0}, {90, 0}, {1, 1}) == Length{std::llround(metres) * 1000});
  CHECK(fibre_length({0, 10}, {0, 100}, {1, 1}) == Length{std::llround(metres) * 1000});
  CHECK(fibre_length({0, 179}, {0, -179}, {1, 1}) == Length{std::llround(metres / 45) * 1000});
}

TEST_CASE("a route is the great circle times its factor") {
  const Length circle = fibre_length({43.06, 141.35}, {35.68, 139.77}, {1, 1});
  // Sapporo to Tokyo: 831 km as the crow flies
  CHECK(circle > Length{825'000'000});
  CHECK(circle < Length{840'000'000});
  const Length route = fibre_length({43.06, 141.35}, {35.68, 139.77}, {3, 2});
  CHECK(std::abs(route.millimetres() - circle.millimetres() * 3 / 2) <= 1000);
}

TEST_CASE("what stands in one place is 100 m apart") {
  CHECK(fibre_length({35.6, 139.7}, {35.6, 139.7}, {3, 2}) == Length{100'000});
  CHECK(fibre_length({90, 0}, {90, 77}, {1, 1}) == Length{100'000});
}
