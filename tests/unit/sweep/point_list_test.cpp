#include "sweep/point_list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace soya;

namespace {

SweepConfig lengths_and_modes() {
  SweepConfig sweep;
  sweep.factors = {{{{"length", "m"}}, {{{{"5m", 5}}, {}}, {{{"1.5km", 1500}}, {}}}},
                   {{{"mode", ""}}, {{{{"a, b", std::nullopt}}, {}}, {{{"pool", std::nullopt}}, {}}}}};
  return sweep;
}

}  // namespace

TEST_CASE("the points of a shard as CSV, with units in the header") {
  const SweepConfig sweep = lengths_and_modes();
  const PointSpace space{sweep};
  std::string text;
  list_points(sweep, space, {1, 3}, [&](std::string_view more) { text += more; });
  CHECK(text == "point,length_m,mode\r\n1,5,pool\r\n");
  text.clear();
  list_points(sweep, space, {}, [&](std::string_view more) { text += more; });
  CHECK(text == "point,length_m,mode\r\n0,5,\"a, b\"\r\n1,5,pool\r\n2,1500,\"a, b\"\r\n3,1500,pool\r\n");
}

TEST_CASE("a long list comes in pieces, whatever its length") {
  SweepConfig sweep;
  Factor factor{{{"x", ""}}, {}};
  for (int k = 0; k < 1000; ++k) factor.levels.push_back({{{std::to_string(k), k}}, {}});
  sweep.factors = {factor, factor};
  sweep.factors[1].columns[0].name = "y";
  const PointSpace space{sweep};
  std::size_t largest = 0;
  std::size_t lines = 0;
  list_points(sweep, space, {}, [&](std::string_view more) {
    largest = std::max(largest, more.size());
    lines += static_cast<std::size_t>(std::ranges::count(more, '\n'));
  });
  CHECK(lines == 1 + 1'000'000);
  CHECK(largest < 70'000);
}

TEST_CASE("a point in words") {
  const SweepConfig sweep = lengths_and_modes();
  CHECK(cells_text(columns_of(sweep), {{"5m", 5}, {"pool", std::nullopt}}) == "length 5m, mode pool");
}
