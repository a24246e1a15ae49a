// The time series of a run: what a sample says and when it is stored.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Point {
  Time time;
  double value;
};

std::vector<Point> series(const RunResults& results, const std::string& name) {
  std::vector<Point> points;
  for (const SampleRow& row : results.samples) {
    if (row.series == name) points.push_back({Time{row.time_ps}, row.value});
  }
  return points;
}

/// Two senders and a receiver on switch s1; 1062 B frames, 86.56 ns each on the wire.
struct TwoToOne : FabricBench {
  TwoToOne() {
    scenario.frame.mtu = 1000_B;
    hosts("h", 3);
    add_switch("s1");
    for (int i = 1; i <= 3; ++i) link("h" + std::to_string(i), "s1");
    scenario.measure.sample = 1_us;
  }
};

}  // namespace

TEST_CASE("a busy link is sampled as used in full, an idle one is not sampled at all") {
  TwoToOne bench;
  bench.flow("h1", "h3", 100'000_B);  // 100 packets, 8.656 us of h1's wire
  const RunResults results = bench.run();
  const std::vector<Point> sent = series(results, "h1/s1 utilisation_share");
  REQUIRE(sent.size() == 3);
  CHECK(sent[0].time == Time{0} + 1_us);
  CHECK(sent[0].value == 1.0);
  CHECK(sent[1].time == Time{0} + 9_us);  // busy until 8.656 us
  CHECK(sent[1].value == 0.656);
  CHECK(sent[2].time == Time{0} + 10_us);
  CHECK(sent[2].value == 0.0);
  CHECK(series(results, "h2/s1 utilisation_share").empty());
}

TEST_CASE("queues and headroom of lossless priorities are sampled at the switch") {
  TwoToOne bench;
  bench.flow("h1", "h3", 50'000_B);
  bench.flow("h2", "h3", 50'000_B);
  const RunResults results = bench.run();
  const std::vector<Point> queue = series(results, "s1/h3 p3 queue_bytes");
  REQUIRE_FALSE(queue.empty());
  // Frames arrive at 1 us + 86.56 ns x k from both; until 2 us 11 of each, and as many have started to leave as
  // arrive from one: 11 frames wait.
  CHECK(queue[0].time == Time{0} + 2_us);
  CHECK(queue[0].value == 11 * 1062.0);
  CHECK(queue.back().value == 0.0);
  CHECK(series(results, "s1/h3 p3 headroom_bytes").empty());
  for (const SampleRow& row : results.samples) CHECK(row.time_ps % (1_us).picoseconds() == 0);
}

TEST_CASE("sampling changes nothing but the number of events") {
  TwoToOne bench;
  bench.flow("h1", "h3", 50'000_B);
  bench.flow("h2", "h3", 50'000_B);
  const RunResults sampled = bench.run();
  bench.scenario.measure.sample.reset();
  const RunResults plain = bench.run();
  CHECK(plain.samples.empty());
  CHECK(finish_of(plain, "h1") == finish_of(sampled, "h1"));
  CHECK(finish_of(plain, "h2") == finish_of(sampled, "h2"));
  CHECK(plain.simulated_ps == sampled.simulated_ps);
  CHECK(sampled.events == plain.events + plain.simulated_ps / (1_us).picoseconds());
}
