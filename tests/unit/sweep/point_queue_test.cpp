#include "sweep/point_queue.hpp"

#include <doctest/doctest.h>

using namespace soya;

namespace {

SweepConfig five_points() {
  SweepConfig sweep;
  Factor factor{{{"a", ""}}, {}};
  for (int k = 0; k < 5; ++k) factor.levels.push_back({{{std::to_string(k), k}}, {}});
  sweep.factors = {factor};
  return sweep;
}

}  // namespace

TEST_CASE("the longest point that is known comes first, and of equal ones the first") {
  const SweepConfig sweep = five_points();
  const PointSpace space{sweep};
  PointQueue queue{space, {}, 3};
  const std::int64_t hops[] = {10, 30, 10};
  for (int k = 0; k < 3; ++k) {
    const auto point = queue.to_prepare();
    REQUIRE(point);
    queue.add({*point, {"", hops[point->number], 0}});
  }
  CHECK_FALSE(queue.to_prepare());  // three wait, and more are not wanted
  CHECK(queue.outlook().packet_hops == 50);
  CHECK_FALSE(queue.outlook().all_known);
  CHECK(queue.longest()->point.number == 1);
  const auto fourth = queue.to_prepare();
  REQUIRE(fourth);
  CHECK(fourth->number == 3);
  queue.add({*fourth, {"", 10, 0}});
  CHECK(queue.longest()->point.number == 0);
  CHECK(queue.longest()->point.number == 2);
  CHECK(queue.longest()->point.number == 3);
  CHECK_FALSE(queue.longest());
  CHECK(queue.to_prepare()->number == 4);
  CHECK_FALSE(queue.to_prepare());
  CHECK(queue.outlook().all_known);
}
