// perftest alone on an ideal network: who posts what and when.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/ideal_network.hpp"
#include "support/units_io.hpp"
#include "workload/perftest_job.hpp"

using namespace soya;
using namespace soya::test;

namespace {

const std::vector<std::string> hosts{"a", "b"};

PerftestConfig config_of(PerftestTest test) {
  PerftestConfig config;
  config.name = "perftest";
  config.test = test;
  config.client = HostId{0U};
  config.server = HostId{1U};
  config.sizes = {{1000_B, 1}};
  config.tx_depth = is_latency(test) ? 1 : 4;
  config.iterations = 10;
  return config;
}

/// When the messages were posted, in microseconds.
std::vector<std::int64_t> posts_us(const IdealNetwork& network) {
  std::vector<std::int64_t> posts;
  for (const IdealMessage& message : network.messages()) posts.push_back(message.posted.picoseconds() / 1'000'000);
  return posts;
}

}  // namespace

TEST_CASE("a send queue of four: the next message is posted when a slot comes free") {
  PerftestJob job{config_of(PerftestTest::write_bw), hosts};
  // No serialisation: all of a window complete after 2 x 5 us.
  IdealNetwork network{job, {.latency = 5_us}};
  network.run();
  CHECK(network.all_finished());
  CHECK(posts_us(network) == std::vector<std::int64_t>{0, 0, 0, 0, 10, 10, 10, 10, 20, 20});
  const PerftestReport report = job.report().perftest.at(0);
  CHECK(report.average.messages == 10);
  CHECK(report.average.time == 30_us);
  // The best span is the one of two whole windows: 8 in 20 us; one window alone is as good, 4 in 10.
  CHECK(report.peak->messages * 10 == report.peak->time.picoseconds() / 1'000'000 * 4);
  CHECK(report.steady->messages == 4);
  CHECK(report.steady->time == 10_us);
  CHECK(job.transfers() == 10);
}

TEST_CASE("one request in three signalled: slots come free three at a time, and the last is signalled") {
  PerftestConfig config = config_of(PerftestTest::write_bw);
  config.sizes = {{1000_B, 3}};
  PerftestJob job{config, hosts};
  // 1000 B at 8 Gbps are 1 us: message k completes at its post, and 1 us each, and 2 x 5 us.
  IdealNetwork network{job, {.latency = 5_us, .rate = 8_Gbps}};
  network.run();
  CHECK(network.all_finished());
  // Four at 0; number 2, the third, completes at 13 and frees three slots. Number 5 is on the wire from 14 to 15 and
  // completes at 25; number 8 would free three at 37, but number 9 is the last, and completes at 38.
  const std::vector<std::int64_t> posts = posts_us(network);
  CHECK(std::vector<std::int64_t>{posts.begin(), posts.begin() + 4} == std::vector<std::int64_t>{0, 0, 0, 0});
  CHECK(std::vector<std::int64_t>{posts.begin() + 4, posts.begin() + 7} == std::vector<std::int64_t>{13, 13, 13});
  CHECK(std::vector<std::int64_t>{posts.begin() + 7, posts.end()} == std::vector<std::int64_t>{25, 25, 25});
  CHECK(job.report().perftest.at(0).average.time == 38_us);
}

TEST_CASE("two queue pairs have a window each, and sizes follow one another") {
  PerftestConfig config = config_of(PerftestTest::send_bw);
  config.qps = 2;
  config.sizes = {{1000_B, 1}, {500_B, 2}};
  PerftestJob job{config, hosts};
  IdealNetwork network{job, {.latency = 5_us}};
  network.run();
  CHECK(network.all_finished());
  CHECK(job.transfers() == 40);
  REQUIRE(network.messages().size() == 40);
  // Ten of each queue pair in windows of four: three round trips a size.
  for (std::size_t k = 0; k < 40; ++k) {
    CHECK(network.messages()[k].request.size == (k < 20 ? 1000_B : 500_B));
    CHECK(network.messages()[k].request.operation == Operation::send);
    CHECK(network.messages()[k].request.series == 10);
  }
  CHECK(network.messages()[20].posted == Time{0} + 30_us);
  CHECK(job.report().perftest.size() == 2);
  CHECK(job.connections().size() == 2);
  CHECK(job.connections()[1].queue_depth == 4);
}

TEST_CASE("latency: client and server take turns, and half of what is between two posts is reported") {
  PerftestConfig config = config_of(PerftestTest::write_lat);
  config.sizes = {{1000_B, 1}, {2000_B, 1}};
  PerftestJob job{config, hosts};
  IdealNetwork network{job, {.latency = 5_us, .rate = 8_Gbps}};
  network.run();
  CHECK(network.all_finished());
  REQUIRE(network.messages().size() == 40);
  CHECK(job.transfers() == 40);
  for (std::size_t k = 0; k < 20; ++k) CHECK(network.messages()[k].from == HostId{k % 2});
  CHECK(network.messages()[19].request.size == 1000_B);
  CHECK(network.messages()[21].request.size == 2000_B);
  // 6 us there; the acknowledge comes 5 us later, the answer after 6 more.
  const HalfRoundTrips small = job.report().perftest.at(0).latency.value();
  CHECK(small.shortest_us == doctest::Approx(6));
  CHECK(small.p99_9_us == doctest::Approx(6));
  CHECK(small.deviation_us == doctest::Approx(0));
  CHECK(job.report().perftest.at(1).latency->typical_us == doctest::Approx(7));
}

TEST_CASE("a test that is cut off says how far it came") {
  PerftestJob job{config_of(PerftestTest::write_bw), hosts};
  IdealNetwork network{job, {.latency = 5_us}};
  network.run(Time{0} + 15_us);
  CHECK_FALSE(job.finished(HostId{0U}));
  CHECK(job.finished(HostId{1U}));
  const JobReport report = job.report();
  CHECK(report.perftest.empty());
  CHECK(report.unfinished == std::vector<std::string>{"perftest: write_bw of 1 000 B: 4 of 10 iterations complete"});
}
