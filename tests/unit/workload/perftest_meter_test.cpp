#include "workload/perftest_meter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/units_io.hpp"

using namespace soya;

namespace {

struct Recorded {
  std::vector<Time> posts;
  std::vector<std::int64_t> counts;  ///< complete, after each completion
  std::vector<Time> completions;
};

/// print_report_bw of perftest: every post with every completion behind it.
double peak_by_nested_loops(const Recorded& recorded) {
  double best = 0;
  for (std::size_t i = 0; i < recorded.posts.size(); ++i) {
    for (std::size_t c = 0; c < recorded.counts.size(); ++c) {
      const auto first = static_cast<std::int64_t>(i);
      if (recorded.counts[c] <= first) continue;
      const double time = static_cast<double>((recorded.completions[c] - recorded.posts[i]).picoseconds());
      best = std::max(best, static_cast<double>(recorded.counts[c] - first) / time);
    }
  }
  return best;
}

double rate(const MessageSpan& span) {
  return static_cast<double>(span.messages) / static_cast<double>(span.time.picoseconds());
}

}  // namespace

TEST_CASE("a peak is the best of all spans from a post to a completion") {
  // Posted together; complete at 10, 11, 12, 30 us: three messages in 12 us are the best of 4/30, 3/12, 2/11, 1/10.
  BandwidthMeter meter{{.window = 4}};
  for (int k = 0; k < 4; ++k) meter.posted(Time{0});
  for (const std::int64_t at : {10, 11, 12, 30}) meter.completed(1, Time{at * 1'000'000});
  CHECK(meter.peak()->messages == 3);
  CHECK(meter.peak()->time == 12_us);
  CHECK(meter.average().messages == 4);
  CHECK(meter.average().time == 30_us);
  CHECK_FALSE(meter.steady());
}

TEST_CASE("the peak equals perftest's two nested loops on random times, signalled one by one and in batches") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    const std::int64_t batch = static_cast<std::int64_t>(seed % 5) + 1;
    BandwidthMeter meter{{.window = 100}};
    Recorded recorded;
    std::uint64_t state = seed;
    const auto draw = [&](std::uint64_t below) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      return static_cast<std::int64_t>((state >> 33) % below);
    };
    Time now{draw(1000)};
    for (std::int64_t k = 0; k < 40 * batch; ++k) {
      recorded.posts.push_back(now);
      meter.posted(now);
      now += Duration{draw(3) == 0 ? draw(50'000) : draw(100)};
      if (k % batch != batch - 1) continue;
      now += Duration{draw(20'000)};
      recorded.counts.push_back(k + 1);
      recorded.completions.push_back(now);
      meter.completed(batch, now);
    }
    CHECK(rate(*meter.peak()) == doctest::Approx(peak_by_nested_loops(recorded)).epsilon(1e-12));
  }
}

TEST_CASE("the steady rate counts whole windows after the first") {
  // Windows of two: complete at 1, 2 | 11, 12 | 21, 22 | 31: the third begins where the first ends.
  BandwidthMeter meter{{.window = 2, .peak = false}};
  for (const std::int64_t at : {1, 2, 11, 12, 21, 22, 31}) {
    meter.posted(Time{0});
    meter.completed(1, Time{at * 1'000'000});
  }
  REQUIRE(meter.steady());
  CHECK(meter.steady()->messages == 4);
  CHECK(meter.steady()->time == 20_us);
  CHECK_FALSE(meter.peak());
}

TEST_CASE("half round trips are sorted, halved, and without the two longest") {
  // Seven times, 4 to 16 us and two outliers; of the five that count the median is 8, the mean 8.4 us: 4 and 4.2
  // halved.
  const HalfRoundTrips times = half_round_trips({900_us, 10_us, 4_us, 8_us, 12_us, 100_us, 8_us});
  CHECK(times.shortest_us == doctest::Approx(2));
  CHECK(times.typical_us == doctest::Approx(4));
  CHECK(times.average_us == doctest::Approx(4.2));
  // Deviations of 2, 4, 4, 5, 6 from 4.2: squares 4.84, 0.04, 0.04, 0.64, 3.24, their mean 1.76.
  CHECK(times.deviation_us == doctest::Approx(std::sqrt(1.76)));
  // perftest's t_max and its percentiles of so few are the first of the two it leaves out.
  CHECK(times.longest_us == doctest::Approx(50));
  CHECK(times.p99_us == doctest::Approx(50));
  // Of four the median is between the second and the third.
  CHECK(half_round_trips({2_us, 4_us, 8_us, 10_us, 20_us, 20_us}).typical_us == doctest::Approx(3));
}
