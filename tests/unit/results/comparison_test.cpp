#include "results/comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace soya;

namespace {

struct Sample {
  std::uint64_t seed;
  std::int64_t simulated_ps;
};

std::vector<RunResults> runs(const std::vector<Sample>& samples) {
  std::vector<RunResults> all;
  for (const Sample& sample : samples) {
    all.emplace_back();
    all.back().seed = sample.seed;
    all.back().simulated_ps = sample.simulated_ps;
  }
  return all;
}

Difference simulated_time(const std::vector<RunResults>& before, const std::vector<RunResults>& after,
                          Cause cause = Cause::some) {
  const Comparison comparison = compare(before, after, cause);
  const auto found = std::ranges::find(comparison.differences, "simulated time", &Difference::name);
  REQUIRE(found != comparison.differences.end());
  return *found;
}

}  // namespace

TEST_CASE("the t test is the textbook's") {
  const auto before = runs({{1, 1000}, {2, 1000}, {3, 1000}});
  const auto after = runs({{1, 1001}, {2, 1002}, {3, 1003}});
  // Differences 1, 2, 3: mean 2, standard deviation 1, standard error 1/sqrt(3), t = 2 sqrt(3) with 2 degrees of
  // freedom. Its distribution function is 1/2 + t / (2 sqrt(2 + t^2)), so p = 1 - t / sqrt(2 + t^2), t^2 = 12.
  const Difference difference = simulated_time(before, after);
  CHECK(difference.before == 1000);
  CHECK(difference.after == 1002);
  CHECK(*difference.relative == doctest::Approx(0.002));
  CHECK(*difference.uncertainty == doctest::Approx(1 / std::sqrt(3.0)));
  CHECK(*difference.p == doctest::Approx(1 - std::sqrt(12.0 / 14.0)));
  CHECK(difference.finding == Finding::no_change);  // p = 0.074
}

TEST_CASE("what the seeds' spread can explain is no change, and what it cannot is one") {
  const auto before = runs({{1, 1000}, {2, 1040}, {3, 980}, {4, 1010}, {5, 1030}});
  SUBCASE("the same with other seeds") {
    const auto after = runs({{6, 1020}, {7, 990}, {8, 1035}, {9, 1005}, {10, 985}});
    CHECK(simulated_time(before, after).finding == Finding::no_change);
  }
  SUBCASE("a third less, seed by seed") {
    const auto after = runs({{1, 670}, {2, 695}, {3, 650}, {4, 675}, {5, 690}});
    CHECK(simulated_time(before, after).finding == Finding::change);
  }
}

TEST_CASE("where no seed matters a difference is a change, unless it is below a thousandth") {
  const auto before = runs({{1, 100'000}, {2, 100'000}});
  const auto more = runs({{1, 100'100}, {2, 100'100}});
  CHECK(simulated_time(before, more).finding == Finding::change);
  CHECK_FALSE(simulated_time(before, more).p);
  const auto hardly = runs({{1, 100'099}, {2, 100'099}});
  CHECK(simulated_time(before, hardly).finding == Finding::no_change);
  CHECK(simulated_time(before, before).finding == Finding::no_change);
}

TEST_CASE("one run on each side tells a difference and no cause, and of other seeds not even that") {
  const auto before = runs({{1, 1000}});
  CHECK(simulated_time(before, runs({{1, 2000}})).finding == Finding::untold);
  CHECK(simulated_time(before, runs({{2, 2000}})).finding == Finding::no_change);
  CHECK(simulated_time(before, runs({{2, 2000}}), Cause::none).finding == Finding::no_change);
}

TEST_CASE("changes come first, the largest first, and the largest is from nothing to something") {
  auto before = runs({{1, 1000}, {2, 1000}});
  auto after = runs({{1, 1500}, {2, 1500}});
  for (RunResults& run : before) run.transfers.finished = 10;
  for (RunResults& run : after) run.transfers.finished = 40, run.drops.link = 7;
  const Comparison comparison = compare(before, after, Cause::some);
  REQUIRE(comparison.differences.size() >= 4);
  CHECK(comparison.differences[0].name == "frames lost on links");
  CHECK_FALSE(comparison.differences[0].relative);
  CHECK(comparison.differences[1].name == "transfers finished");
  CHECK(comparison.differences[1].relative == 3.0);
  CHECK(comparison.differences[2].name == "simulated time");
  CHECK(comparison.differences[3].finding == Finding::no_change);
}

TEST_CASE("what not every run has is listed with how many have it") {
  auto before = runs({{1, 1000}, {2, 1000}});
  auto after = runs({{1, 1000}, {2, 1000}});
  StepRow step;
  step.job = "ddp";
  step.step_ms = 8;
  before[0].steps.push_back(step);
  before[1].steps.push_back(step);
  after[1].steps.push_back(step);
  const Comparison comparison = compare(before, after, Cause::some);
  REQUIRE(comparison.unpaired.size() == 4);
  CHECK(comparison.unpaired[0].name == "step time, job ddp");
  CHECK(comparison.unpaired[0].runs_before == 2);
  CHECK(comparison.unpaired[0].runs_after == 1);
  CHECK(*comparison.unpaired[0].after == doctest::Approx(8e9));
}
