#include "soya/sweep_picture.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

#include "unit/sweep/table_points.hpp"

using namespace soya;
using namespace soya::cli;
using test::headroom_head;
using test::headroom_point;
using test::table_error;

namespace {

constexpr std::size_t length = 0, rate = 1, mode = 2;

StoredPoint answered(std::int64_t number, const test::HeadroomPoint& of, std::optional<double> answer) {
  StoredPoint point = headroom_point(number, of);
  if (answer) point.extra = {{"answer", *answer}};
  return point;
}

SweepTable table_of(const std::vector<StoredPoint>& points) {
  const StoreHead head = headroom_head();
  return read_table(head, test::source_of(points), {{quantity_named(head, "answer")}});
}

/// Two modes over three lengths; of dsh the middle one has no answer, of per-queue two seeds differ.
std::vector<StoredPoint> two_lines() {
  std::vector<StoredPoint> points{
      answered(0, {1'000, 100, "per-queue", 1}, 10e6), answered(1, {1'000, 100, "per-queue", 2}, 30e6),
      answered(2, {2'000, 100, "per-queue", 1}, 40e6), answered(3, {4'000, 100, "per-queue", 1}, 80e6),
      answered(4, {1'000, 100, "dsh", 1}, 10e6),       answered(5, {2'000, 100, "dsh", 1}, std::nullopt),
      answered(6, {4'000, 100, "dsh", 1}, 40e6)};
  points[5].outcome = PointOutcome::no_answer;
  points[6].outcome = PointOutcome::unsound;
  return points;
}

}  // namespace

TEST_CASE("a line goes through the means, with least and most beside them") {
  const LinePicture picture = line_picture(table_of(two_lines()), {.x = length, .by = {mode}, .where = {}});
  CHECK(picture.title == "headroom: answer for fabric.headroom.size over length");
  CHECK(picture.subtitle == "mean of 1 to 2 points, with least and most");
  CHECK(picture.x.title == "topology.link_types.haul.length (km)");
  CHECK(picture.y.title == "answer for fabric.headroom.size (MB)");
  CHECK(picture.line_title == "mode");
  CHECK(picture.spread);
  REQUIRE(picture.lines.size() == 2);
  const PlotLine& line = picture.lines[0];
  CHECK(line.name == "per-queue");
  REQUIRE(line.places.size() == 3);
  // The y axis goes from 0 to 80 MB.
  CHECK(line.places[0].y == doctest::Approx(20.0 / 80));
  CHECK(line.places[0].least == doctest::Approx(10.0 / 80));
  CHECK(line.places[0].most == doctest::Approx(30.0 / 80));
  CHECK(line.places[2].y == doctest::Approx(1));
  // The x axis goes from 0, since 1 km comes near it, to 4 % beyond 4 km.
  CHECK(line.places[0].x == doctest::Approx(1 / 4.16));
  CHECK_FALSE(line.places[0].joined);
  CHECK(line.places[1].joined);
}

TEST_CASE("a point without a value breaks its line and leaves a mark") {
  const LinePicture picture = line_picture(table_of(two_lines()), {.x = length, .by = {mode}, .where = {}});
  const PlotLine& line = picture.lines[1];
  REQUIRE(line.places.size() == 2);
  CHECK_FALSE(line.places[1].joined);
  CHECK(line.places[1].unsound);
  CHECK_FALSE(line.places[0].unsound);
  REQUIRE(line.gaps.size() == 1);
  CHECK(line.gaps[0] == doctest::Approx(2 / 4.16));
  CHECK(picture.notes ==
        std::vector<std::string>{"1 of 7 points has no answer", "1 of 7 points is not sound, and counts here"});
}

TEST_CASE("words are categories, and lines stand side by side in them") {
  std::vector<StoredPoint> points;
  for (const char* each : {"per-queue", "dsh"}) {
    for (const double gbps : {100.0, 400.0}) points.push_back(answered(std::ssize(points), {5, gbps, each}, 7));
  }
  const LinePicture picture = line_picture(table_of(points), {.x = mode, .by = {rate}, .where = {}});
  REQUIRE(picture.x.ticks.size() == 2);
  CHECK(picture.x.ticks[0].label == "per-queue");
  REQUIRE(picture.lines.size() == 2);
  CHECK(picture.lines[0].name == "100Gbps");
  // Two lines share 0.6 of half the axis: each 0.15 wide, the first 0.075 left of the middle.
  CHECK(picture.lines[0].places[0].x == doctest::Approx(0.25 - 0.075));
  CHECK(picture.lines[1].places[1].x == doctest::Approx(0.75 + 0.075));
  CHECK_FALSE(picture.lines[0].places[1].joined);
}

TEST_CASE("of two columns the first has the colours and the second the marks") {
  std::vector<StoredPoint> points;
  for (const char* each : {"per-queue", "dsh"}) {
    for (const double gbps : {100.0, 400.0}) points.push_back(answered(std::ssize(points), {5, gbps, each}, 7));
  }
  const LinePicture picture = line_picture(table_of(points), {.x = length, .by = {mode, rate}, .where = {}});
  REQUIRE(picture.lines.size() == 4);
  CHECK(picture.line_title == "mode, rate");
  CHECK(picture.lines[3].name == "dsh, 400Gbps");
  CHECK(picture.lines[0].colour == picture.lines[1].colour);
  CHECK(picture.lines[0].form != picture.lines[1].form);
  CHECK(picture.lines[0].colour != picture.lines[2].colour);
  CHECK(picture.lines[0].form == picture.lines[2].form);
}

TEST_CASE("a log scale tells what it has no place for") {
  std::vector<StoredPoint> points = two_lines();
  points[0].extra[0].second = 0;
  const PictureQuestion log_y{.x = length, .by = {mode}, .where = {}, .log_y = true};
  const LinePicture picture = line_picture(table_of(points), log_y);
  CHECK(picture.lines[0].places.size() == 2);
  CHECK(picture.lines[0].gaps.size() == 1);
  CHECK(picture.notes.back() == "1 of 6 places have values that are not above 0, and no place on a log scale");
  CHECK(table_error([] {
          const auto zero = table_of({answered(0, {0, 100, "dsh"}, 1), answered(1, {5, 100, "dsh"}, 1)});
          (void)line_picture(zero, {.x = length, .by = {}, .where = {}, .log_x = true});
        }) ==
        "--log: topology.link_types.haul.length is 0m at some points, and a log scale has no place for it; leave "
        "these out by --where");
  CHECK(table_error([] {
          (void)line_picture(table_of({answered(0, {5, 100, "dsh"}, 1)}),
                             {.x = mode, .by = {}, .where = {}, .log_x = true});
        }) == "--log: fabric.headroom.mode has words (dsh)");
}

TEST_CASE("a picture of nothing, or of too much, is refused") {
  CHECK(table_error([] {
          std::vector<StoredPoint> none{answered(0, {5, 100, "dsh"}, std::nullopt)};
          none[0].outcome = PointOutcome::refused;
          none[0].why_not = "no room";
          (void)line_picture(table_of(none), {.x = length, .by = {}, .where = {}});
        }) == "there is no value of answer to draw; 1 of 1 point cannot be built: no room");
  std::vector<StoredPoint> many;
  for (int gbps = 1; gbps <= 25; ++gbps) many.push_back(answered(gbps, {5, gbps * 1.0, "dsh"}, 1));
  CHECK(table_error([&] { (void)line_picture(table_of(many), {.x = length, .by = {rate}, .where = {}}); }) ==
        "25 lines are more than a picture can tell apart (24); fix some by --where");
  many.pop_back();
  CHECK(line_picture(table_of(many), {.x = length, .by = {rate}, .where = {}}).lines.size() == 24);
  CHECK(table_error([&] { (void)line_picture(table_of(many), {.x = length, .by = {}, .where = {}}); })
            .ends_with("1Gbps, 2Gbps, 3Gbps, 4Gbps, 5Gbps, 6Gbps, 7Gbps, 8Gbps and 16 more): draw its values as lines "
                       "by --by, or fix one by --where"));
}

TEST_CASE("a heat map has a cell for each pair of values") {
  std::vector<StoredPoint> points{answered(0, {1'000, 100, "dsh"}, 0), answered(1, {1'000, 400, "dsh"}, 40e6),
                                  answered(2, {2'000, 100, "dsh"}, std::nullopt),
                                  answered(3, {2'000, 400, "dsh"}, 80e6)};
  points[1].outcome = PointOutcome::unsound;
  const HeatPicture picture = heat_picture(table_of(points), {.x = length, .by = {rate}, .where = "seed == 1"});
  CHECK(picture.title == "headroom: answer for fabric.headroom.size over length and rate");
  CHECK(picture.subtitle == "where seed == 1");
  CHECK(picture.columns == std::vector<std::string>{"1000m", "2000m"});
  CHECK(picture.rows == std::vector<std::string>{"100Gbps", "400Gbps"});
  REQUIRE(picture.cells.size() == 4);
  const auto cell = [&](std::size_t column, std::size_t row) -> const HeatCell& {
    for (const HeatCell& each : picture.cells) {
      if (each.column == column && each.row == row) return each;
    }
    FAIL("no such cell");
    return picture.cells.front();
  };
  CHECK(cell(0, 0).at == doctest::Approx(0));
  CHECK(cell(0, 1).at == doctest::Approx(0.5));
  CHECK(cell(0, 1).label == "40");
  CHECK(cell(0, 1).unsound);
  CHECK_FALSE(cell(1, 0).at);
  CHECK(cell(1, 1).at == doctest::Approx(1));
  CHECK(picture.unit.name == "MB");
  // On a log scale 0 has no place.
  const HeatPicture log = heat_picture(table_of(points), {.x = length, .by = {rate}, .where = {}, .log_y = true});
  CHECK(std::ranges::count_if(log.cells, [](const HeatCell& each) { return each.at.has_value(); }) == 2);
}

TEST_CASE("a short name is the shortest ending that is a column's own") {
  const std::vector<Column> columns{
      {"links.haul.length", "m"}, {"links.core.length", "m"}, {"nic.depth", ""}, {"seed", ""}};
  CHECK(short_name(columns, 0) == "haul.length");
  CHECK(short_name(columns, 2) == "depth");
  CHECK(short_name(columns, 3) == "seed");
}
