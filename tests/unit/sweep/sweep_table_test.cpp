#include "sweep/sweep_table.hpp"

#include <doctest/doctest.h>

#include "unit/sweep/table_points.hpp"

using namespace soya;
using test::headroom_head;
using test::headroom_point;
using test::source_of;
using test::table_error;

namespace {

/// Two lengths, two modes, one seed; in no order.
std::vector<StoredPoint> four_points() {
  return {headroom_point(3, {1'000, 100, "dsh"}), headroom_point(0, {100, 100, "per-queue"}),
          headroom_point(2, {100, 100, "dsh"}), headroom_point(1, {1'000, 100, "per-queue"})};
}

std::vector<std::int64_t> points_where(const std::string& condition) {
  const StoreHead head = headroom_head();
  std::vector<std::int64_t> numbers;
  for (const TableRow& row : read_table(head, source_of(four_points()), {{}, table_condition(head, condition)}).rows) {
    numbers.push_back(row.point);
  }
  return numbers;
}

std::string refused_column(std::string_view name) {
  return table_error([&] { (void)column_named(headroom_head().columns, name); });
}
std::string refused_quantity(std::string_view name) {
  return table_error([&] { (void)quantity_named(headroom_head(), name); });
}
std::string refused_condition(std::string_view text) {
  return table_error([&] { (void)table_condition(headroom_head(), text); });
}

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a column is named in full or by an ending that is its own") {
  const std::vector<Column> columns{{"topology.link_types.haul.length", "m"},
                                    {"topology.link_types.core.length", "m"},
                                    {"length", "m"},
                                    {"nic.queue_depth", ""},
                                    {"size", "bytes"}};
  CHECK(find_column(columns, "topology.link_types.core.length") == 1);
  CHECK(find_column(columns, "core.length") == 1);
  CHECK(find_column(columns, "length") == 2);
  CHECK(find_column(columns, "queue_depth") == 3);
  CHECK_FALSE(find_column(columns, "depth"));
  CHECK_FALSE(find_column(columns, ""));
  const std::span<const Column> two{columns.data(), 2};
  CHECK(table_error([&] { (void)find_column(two, "length"); }) ==
        "\"length\" may be topology.link_types.haul.length or topology.link_types.core.length; write more of it");
}

TEST_CASE("an unknown column is told with the nearest") {
  CHECK(refused_column("lenght") == "unknown column \"lenght\"; did you mean \"length\"?");
  CHECK(refused_column("haul.rat") == "unknown column \"haul.rat\"; did you mean \"haul.rate\"?");
  CHECK(refused_column("weather") ==
        "unknown column \"weather\"; the sweep's columns are topology.link_types.haul.length, "
        "topology.link_types.haul.rate, fabric.headroom.mode, seed");
}

TEST_CASE("quantities are of the summary, of a search, or closed forms") {
  CHECK(quantity_named(headroom_head(), "steps.step_ms.max") == PointQuantity{"steps.step_ms.max", "ms"});
  CHECK(quantity_named(headroom_head(), "answer") == PointQuantity{"answer", "bytes"});
  CHECK(quantity_named(headroom_head(), "headroom.size") == PointQuantity{"answer", "bytes"});
  CHECK(quantity_named(headroom_head(), "fabric.headroom.size") == PointQuantity{"answer", "bytes"});
  CHECK(quantity_named(headroom_head(), "probes") == PointQuantity{"probes", ""});
  CHECK(quantity_named(headroom_head(), "plan.headroom_budget_bytes") ==
        PointQuantity{"plan.headroom_budget_bytes", "bytes"});
  CHECK(refused_quantity("drops.loss") == "unknown quantity \"drops.loss\"; did you mean \"drops.lossy\"?");
  StoreHead plain = headroom_head();
  plain.answer = {};
  CHECK(table_error([&] { (void)quantity_named(plain, "answer"); }) ==
        "\"answer\" is of a search, and this sweep has none");
}

TEST_CASE("a table has the points in order, with what was asked for") {
  std::vector<StoredPoint> points = four_points();
  points[0].extra = {{"answer", 4'000}, {"plan.headroom_budget_bytes", 5'000}};
  points[1].outcome = PointOutcome::refused;
  points[1].why_not = "no room";
  points[1].summary.clear();
  points[2].outcome = PointOutcome::unsound;
  const StoreHead head = headroom_head();
  const SweepTable table =
      read_table(head, source_of(points),
                 {{quantity_named(head, "buffers.headroom_peak_bytes"), quantity_named(head, "sound"),
                   quantity_named(head, "answer"), quantity_named(head, "plan.headroom_budget_bytes"),
                   quantity_named(head, "buffers.headroom_margin_bytes"), quantity_named(head, "steps.step_ms.mean")}});
  REQUIRE(table.rows.size() == 4);
  CHECK(table.stored == 4);
  CHECK(table.numeric == std::vector<bool>{true, true, false, true});
  CHECK(table.rows[0].why_not == "no room");
  CHECK(table.rows[0].values ==
        std::vector<std::optional<double>>{std::nullopt, 0, std::nullopt, std::nullopt, std::nullopt, std::nullopt});
  CHECK(table.rows[2].values[0] == 200);
  CHECK(table.rows[2].values[1] == 0);
  // Two bytes for each of 1000 m; steps of 10 and 30 ms.
  CHECK(table.rows[3].values == std::vector<std::optional<double>>{2'000, 1, 4'000, 5'000, std::nullopt, 20});
}

TEST_CASE("a condition leaves points out") {
  CHECK(points_where("mode == dsh") == Numbers{2, 3});
  CHECK(points_where("length > 100m") == Numbers{1, 3});
  CHECK(points_where("length <= 0.1km and mode != dsh") == Numbers{0});
  CHECK(points_where("buffers.headroom_peak_bytes == 2KB") == Numbers{1, 3});
  CHECK(points_where("buffers.headroom_peak_bytes < 2000") == Numbers{0, 2});
  CHECK(points_where("steps.step_ms.max == 30000us and sound == 1 and outcome == sound and seed == 1").size() == 4);
}

TEST_CASE("a condition knows what a search has found, by either name") {
  std::vector<StoredPoint> points = four_points();
  points[1].extra = {{"answer", 64'000}};
  const StoreHead head = headroom_head();
  for (const char* condition : {"answer < 65KB", "fabric.headroom.size == 64KB and size > 0B", "answer == 64000"}) {
    const SweepTable table = read_table(head, source_of(points), {{}, table_condition(head, condition)});
    REQUIRE(table.rows.size() == 1);
    CHECK(table.rows[0].point == 0);
    CHECK(table.not_decided == 3);
  }
}

TEST_CASE("a condition that cannot be is refused, and one that leaves nothing is told") {
  CHECK(refused_condition("lenght > 3m") == "unknown name \"lenght\"; did you mean \"length\"?");
  CHECK(refused_condition("drops.loss == 0") == "unknown quantity \"drops.loss\"; did you mean \"drops.lossy\"?");
  CHECK(refused_condition("length > 3") ==
        "expected a length such as 3m or 300km, got \"3\" (at 10 of \"length > 3\")");
  CHECK(refused_condition("length >") == "expected a value behind >, got the end (at 9 of \"length >\")");
  CHECK(table_error([] { (void)points_where("mode == dhs"); }) == "none of the 4 points has mode == dhs");
  CHECK(table_error([] { (void)points_where("buffers.headroom_margin_bytes > 1"); }) ==
        "none of the 4 points has buffers.headroom_margin_bytes > 1; of 4 it is not known, for want of a value");
  CHECK(table_error([] { (void)read_table(headroom_head(), source_of({}), {}); }) == "the store has no points yet");
}

TEST_CASE("a closed form that no point has is told with those there are") {
  const StoreHead head = headroom_head();
  const TableQuestion question{{quantity_named(head, "plan.budget_bytes")}};
  std::vector<StoredPoint> points = four_points();
  CHECK(table_error([&] { (void)read_table(head, source_of(points), question); }) ==
        "no point has \"plan.budget_bytes\"; this store has no closed forms");
  points[2].extra = {{"plan.headroom_budget_bytes", 1}, {"plan.ideal_ms", 2}};
  CHECK(table_error([&] { (void)read_table(head, source_of(points), question); }) ==
        "no point has \"plan.budget_bytes\"; there are plan.headroom_budget_bytes, plan.ideal_ms");
}

TEST_CASE("values of a column are in the order of numbers or of points") {
  std::vector<StoredPoint> points = four_points();
  points[1].cells[0].text = "0.1km";
  const SweepTable table = read_table(headroom_head(), source_of(points), {});
  CHECK(listed(distinct_cells(table, 0)) == "0.1km, 1000m");
  CHECK(listed(distinct_cells(table, 2)) == "per-queue, dsh");
  CHECK(listed(std::vector<Cell>(10, test::word_cell("x"))) == "x, x, x, x, x, x, x, x and 2 more");
}
