#include "sweep/sweep_fit.hpp"

#include <doctest/doctest.h>

#include "unit/sweep/table_points.hpp"

using namespace soya;
using test::headroom_head;
using test::headroom_point;
using test::source_of;
using test::table_error;

namespace {

doctest::Approx near(double value) {
  return doctest::Approx{value}.epsilon(1e-9);
}

/// answer = 20 000 B + 1.25 B/(gbps m) x rate x length, closed form 21 000 B + 1.25 B/(gbps m) x rate x length.
std::vector<StoredPoint> measured() {
  std::vector<StoredPoint> points;
  for (const double rate : {25.0, 100.0, 400.0}) {
    for (const double length : {5.0, 300.0, 10'000.0}) {
      StoredPoint point = headroom_point(static_cast<std::int64_t>(points.size()), {length, rate, "dsh"});
      point.extra = {{"answer", 20'000 + 1.25 * rate * length}, {"plan.budget_bytes", 21'000 + 1.25 * rate * length}};
      points.push_back(point);
    }
  }
  return points;
}

SweepTable table_of(const std::vector<StoredPoint>& points, bool beside = true) {
  const StoreHead head = headroom_head();
  TableQuestion question{{quantity_named(head, "answer")}};
  if (beside) question.quantities.push_back(quantity_named(head, "plan.budget_bytes"));
  return read_table(head, source_of(points), question);
}

}  // namespace

TEST_CASE("a measured quantity is fitted beside its closed form") {
  const SweepFit fit = fit_table(table_of(measured()), "1, rate*length");
  REQUIRE(fit.terms.size() == 2);
  CHECK(fit.used == 9);
  CHECK(fit.left_out.empty());
  CHECK(fit.terms[0].coefficient == near(20'000));
  CHECK(*fit.terms[0].beside == near(21'000));
  CHECK(*fit.terms[0].ratio == near(20.0 / 21));
  CHECK(fit.terms[1].coefficient == near(1.25));
  CHECK(*fit.terms[1].ratio == near(1));
  CHECK(fit.terms[1].unit == "bytes per (gbps m)");
  CHECK(*fit.fit.r_squared == near(1));
  CHECK(fit.fit.degrees_of_freedom == 7);
}

TEST_CASE("columns that differ though no term has them are named, and what goes along with a term is not") {
  CHECK(fit_table(table_of(measured()), "1, rate*length").in_no_term.empty());
  CHECK(fit_table(table_of(measured()), "1, rate").in_no_term ==
        std::vector<std::string>{"topology.link_types.haul.length"});
  // Three rates at three lengths, one each, tell nothing; each of them twice, the one tells the other.
  const std::vector<std::string> length{"topology.link_types.haul.length"};
  std::vector<StoredPoint> pairs{measured()[0], measured()[4], measured()[8]};
  CHECK(fit_table(table_of(pairs), "1, rate").in_no_term == length);
  pairs.insert(pairs.end(), {measured()[0], measured()[4], measured()[8]});
  CHECK(fit_table(table_of(pairs), "1, rate").in_no_term.empty());
  // Nor is a length that is written in two ways another length.
  std::vector<StoredPoint> same{measured()[0], measured()[0], measured()[3], measured()[6]};
  same[1].cells[0].text = "1000000mm";
  CHECK(fit_table(table_of(same), "1, rate").in_no_term.empty());
}

TEST_CASE("without a closed form there is nothing beside") {
  const SweepFit fit = fit_table(table_of(measured(), false), "1, rate*length");
  CHECK_FALSE(fit.beside);
  CHECK_FALSE(fit.terms[0].ratio);
}

TEST_CASE("points without a value are counted with the reason, and the worst point is named") {
  std::vector<StoredPoint> points = measured();
  points[0].outcome = PointOutcome::refused;
  points[0].extra.clear();
  points[1].outcome = PointOutcome::no_answer;
  points[1].extra.clear();
  points[2].extra.pop_back();
  points[4].outcome = PointOutcome::unsound;
  points[8].extra[0].second += 1'000;
  const SweepFit fit = fit_table(table_of(points), "1");
  CHECK(fit.used == 6);
  CHECK(fit.unsound == 1);
  CHECK(fit.left_out ==
        std::vector<std::string>{"1 cannot be built", "1 without an answer", "1 without plan.budget_bytes"});
  // Of a mean, 400 Gbps over 10 km is farthest.
  CHECK(fit.worst_point == 8);
}

TEST_CASE("what cannot be fitted is told") {
  const auto refused = [](const std::vector<StoredPoint>& points, std::string_view terms) {
    return table_error([&] { (void)fit_table(table_of(points), terms); });
  };
  std::vector<StoredPoint> points = measured();
  CHECK(refused(points, "1, seed") == "the term \"seed\" is the same at every point: seed is 1");
  CHECK(refused(points, "1, rate, rate^2, rate^3").find("cannot be told from") != std::string::npos);
  points.resize(1);
  CHECK(refused(points, "1, rate*length").starts_with("the term \"rate*length\" is the same at every point"));
  for (StoredPoint& point : points) point.extra.erase(point.extra.begin());
  CHECK(refused(points, "1") == "no point has a value to fit: 1 without answer");
}
