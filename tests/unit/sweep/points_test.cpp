#include "sweep/points.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace soya;

namespace {

Factor factor(const std::string& name, int levels, const std::string& unit = "") {
  Factor out{{{name, unit}}, {}};
  for (int k = 0; k < levels; ++k) {
    out.levels.push_back({{{std::to_string(k), static_cast<double>(k)}}, {{name, std::to_string(k)}}});
  }
  return out;
}

std::vector<std::int64_t> numbers(const PointSpace& space, Shard shard) {
  std::vector<std::int64_t> out;
  PointSpace::Cursor cursor{space, shard};
  while (const auto point = cursor.next()) out.push_back(point->number);
  return out;
}

}  // namespace

TEST_CASE("points are the product of the factors, the last one fastest") {
  SweepConfig sweep;
  sweep.factors = {factor("a", 2), factor("b", 3)};
  const PointSpace space{sweep};
  CHECK(space.count() == 2 * 3);
  PointSpace::Cursor cursor{space, {}};
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      const auto point = cursor.next();
      REQUIRE(point);
      CHECK(point->number == static_cast<std::int64_t>(3 * a + b));
      CHECK(point->levels == std::vector<std::size_t>{a, b});
      CHECK(space.cells(*point)[1].text == std::to_string(b));
      CHECK(space.laid(*point).values[0].text == std::to_string(a));
    }
  }
  CHECK_FALSE(cursor.next());
}

TEST_CASE("a thousand shards of 5 x 10 x 100 points have five each, and all of them together") {
  SweepConfig sweep;
  sweep.factors = {factor("a", 5), factor("b", 10), factor("c", 100)};
  const PointSpace space{sweep};
  std::set<std::int64_t> all;
  for (std::int64_t i = 0; i < 1000; ++i) {
    const std::vector<std::int64_t> mine = numbers(space, {i, 1000});
    REQUIRE(mine.size() == 5);
    for (std::size_t k = 0; k < 5; ++k) REQUIRE(mine[k] == i + 1000 * static_cast<std::int64_t>(k));
    all.insert(mine.begin(), mine.end());
  }
  CHECK(all.size() == 5000);
  CHECK(*all.begin() == 0);
  CHECK(*all.rbegin() == 4999);
  CHECK(numbers(space, {5000, 5001}).empty());
}

TEST_CASE("conditions drop combinations, and what is left is numbered without gaps") {
  SweepConfig sweep;
  sweep.factors = {factor("a", 4), factor("b", 4), factor("seed", 2)};
  sweep.only = {{"a <= b", 1, 1}, {"not (a == 0 and b == 0)", 2, 1}};
  const PointSpace space{sweep};
  // Pairs a <= b of 0..3: 4 + 3 + 2 + 1 = 10, without (0, 0) nine; two seeds.
  CHECK(space.count() == 18);
  CHECK(numbers(space, {}).size() == 18);
  std::set<std::int64_t> all;
  for (std::int64_t i = 0; i < 4; ++i) {
    for (const std::int64_t number : numbers(space, {i, 4})) {
      CHECK(number % 4 == i);
      all.insert(number);
    }
  }
  CHECK(all.size() == 18);
  CHECK(*all.rbegin() == 17);
}

TEST_CASE("of a column's name its end is enough for a condition, as long as it is the only one") {
  SweepConfig sweep;
  sweep.file = "s.yaml";
  sweep.factors = {factor("haul.rate", 1, "gbps"), factor("haul.length", 4, "m")};
  sweep.only = {{"length >= 2m", 1, 1}};
  // 0, 1, 2 and 3 m.
  CHECK(PointSpace{sweep}.count() == 2);
  sweep.factors.push_back(factor("access.length", 1, "m"));
  CHECK_THROWS_WITH_AS(PointSpace{sweep}, doctest::Contains("\"length\" may be haul.length or access.length"),
                       ScenarioError);
}

TEST_CASE("a condition on what is no column is told with its place") {
  SweepConfig sweep;
  sweep.file = "s.yaml";
  sweep.factors = {factor("length", 2, "m")};
  sweep.only = {{"lenght < 5m", 7, 3}};
  CHECK_THROWS_WITH_AS(PointSpace{sweep},
                       "s.yaml:7:3: only: in \"lenght < 5m\": unknown column \"lenght\"; did you mean \"length\"?",
                       ScenarioError);
  sweep.only = {{"length < 5Gbps", 7, 3}};
  CHECK_THROWS_AS(PointSpace{sweep}, ScenarioError);
}
