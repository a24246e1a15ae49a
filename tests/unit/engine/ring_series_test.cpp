// A collective of too many slices to list: its rows are series.
#include <doctest/doctest.h>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

TEST_CASE("series of slices unlike in size count their messages and bytes, and rows do not grow with messages") {
  FabricBench bench;
  bench.hosts("h", 3);
  bench.add_switch("s1");
  for (int i = 1; i <= 3; ++i) bench.link("h" + std::to_string(i), "s1");
  AllReduceConfig job;
  job.name = "ring";
  for (std::size_t host = 0; host < 3; ++host) job.hosts.emplace_back(host);
  // Five elements of 4 B in three chunks: 4, 8 and 8 B. An all-reduce is 2 x 2 x 20 B = 80 B in 12 slices, 4 a rank.
  job.size = 20_B;
  job.ring.channels = 1;
  job.ring.slices_per_chunk = 1;
  job.repeat = 100'000;  // 1.2 million slices: more than 2^20
  bench.scenario.jobs.emplace_back(job);
  bench.scenario.stop.after = 2_ms;
  const RunResults results = Simulation{bench.scenario}.run();

  const std::int64_t finished = results.transfers.finished;
  REQUIRE(finished > 1000);
  std::int64_t messages = 0;
  for (const TransferRow& row : results.transfer_rows) {
    CHECK(row.messages % 4 == 0);
    CHECK(row.bytes == 8);  // the largest
    messages += row.messages;
  }
  // Each of three connections may be in the middle of a series, of two collectives at most.
  CHECK(messages >= finished);
  CHECK(messages <= finished + 3 * 8);
  CHECK(std::ssize(results.transfer_rows) <= finished / 4 + 3);
  // 80 B in 12 slices, but for what is left over of a collective on each connection: 3 slices of 8 B at most.
  CHECK(std::abs(results.transfers.payload_bytes * 12 - finished * 80) <= 12 * 3 * 3 * 8);
}
