#include "sweep/point_groups.hpp"

#include <doctest/doctest.h>

#include "unit/sweep/table_points.hpp"

using namespace soya;
using test::headroom_head;
using test::headroom_point;
using test::source_of;
using test::table_error;

namespace {

const std::string advice = "fix it by --where";

SweepTable table_of(const std::vector<StoredPoint>& points) {
  const StoreHead head = headroom_head();
  return read_table(head, source_of(points), {{quantity_named(head, "answer")}});
}

StoredPoint answered(std::int64_t number, const test::HeadroomPoint& of, double answer) {
  StoredPoint point = headroom_point(number, of);
  point.extra = {{"answer", answer}};
  return point;
}

}  // namespace

TEST_CASE("seeds are one group, with mean, least and most") {
  const PointGroups all =
      group_points(table_of({answered(0, {1'000, 100, "dsh", 1}, 30), answered(1, {1'000, 100, "dsh", 2}, 10),
                             answered(2, {1'000, 100, "dsh", 3}, 50), answered(3, {5, 100, "dsh", 1}, 0.1),
                             answered(4, {5, 100, "dsh", 2}, 0.1), answered(5, {5, 100, "dsh", 3}, 0.1)}),
                   {2, 0}, 0, advice);
  REQUIRE(all.groups.size() == 2);
  CHECK(all.notes.empty());
  CHECK(all.groups[0].key == std::vector<Cell>{test::word_cell("dsh"), test::number_cell("5m", 5)});
  // 0.1 + 0.1 + 0.1 is not 0.3 in binary, but the mean of equal values is that value.
  CHECK(all.groups[0].mean == 0.1);
  CHECK(all.groups[1].values == 3);
  CHECK(all.groups[1].mean == 30);
  CHECK(all.groups[1].least == 10);
  CHECK(all.groups[1].most == 50);
  CHECK(all.groups[1].unsound == 0);
}

TEST_CASE("a column that differs within a group is an error with its values") {
  const std::vector<StoredPoint> points{answered(0, {5, 100, "dsh"}, 1), answered(1, {5, 400, "dsh"}, 2),
                                        answered(2, {9, 100, "dsh"}, 3), answered(3, {9, 400, "dsh"}, 4)};
  CHECK(table_error([&] { (void)group_points(table_of(points), {0}, 0, advice); }) ==
        "points differ in topology.link_types.haul.rate too (100Gbps, 400Gbps): fix it by --where");
  CHECK(group_points(table_of(points), {1, 0}, 0, advice).groups.size() == 4);
}

TEST_CASE("a column that goes along with the rest is told") {
  const PointGroups all =
      group_points(table_of({answered(0, {5, 100, "dsh"}, 1), answered(1, {9, 400, "dsh"}, 2)}), {0}, 0, advice);
  CHECK(all.groups.size() == 2);
  CHECK(all.notes == std::vector<std::string>{"what differs along with these: topology.link_types.haul.rate"});
}

TEST_CASE("points without a value and runs that are not sound are counted, with a reason") {
  std::vector<StoredPoint> points;
  for (int seed = 1; seed <= 8; ++seed) points.push_back(answered(seed, {5, 100, "dsh", seed}, 7));
  const auto ends = [&](std::size_t at, PointOutcome outcome, const std::string& why) {
    points[at].outcome = outcome;
    points[at].why_not = why;
    if (outcome != PointOutcome::unsound) points[at].extra.clear();
  };
  ends(0, PointOutcome::refused, "no room");
  ends(1, PointOutcome::refused, "no room either");
  ends(2, PointOutcome::no_answer, "both ends hold");
  ends(3, PointOutcome::crashed, "signal 11");
  ends(4, PointOutcome::unsound, "lossless drop");
  points[5].extra.clear();
  const PointGroups all = group_points(table_of(points), {0}, 0, advice);
  REQUIRE(all.groups.size() == 1);
  CHECK(all.groups[0].values == 3);
  CHECK(all.groups[0].unsound == 1);
  CHECK(all.groups[0].without == 5);
  CHECK(all.groups[0].mean == 7);
  CHECK(all.notes == std::vector<std::string>{"2 of 8 points cannot be built: no room",
                                              "1 of 8 points has no answer: both ends hold",
                                              "1 of 8 points crashed: signal 11", "1 of 8 points has no such value",
                                              "1 of 8 points is not sound, and counts here: lossless drop"});
}
