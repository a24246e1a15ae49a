#include <doctest/doctest.h>

#include "engine/paths.hpp"
#include "support/scenario_folder.hpp"

namespace soya::test {
namespace {

TEST_CASE("ways are walked once for each connection and kind of transfer, however the connections alternate") {
  // Two flows of three messages each, all of one size: six transfers, two ways.
  Simulation simulation{scenario_of(R"(name: alternating
topology:
  parts:
    - leaf_spine: {leaves: 2, spines: 1, hosts_per_leaf: 2, host_link: {rate: 100Gbps, length: 5m}, fabric_link: {rate: 100Gbps, length: 5m}}
workload:
  - flows: {list: [{from: host1, to: host3, size: 8KiB, messages: 3}, {from: host2, to: host4, size: 8KiB, messages: 3}]}
)")};
  const RunResults results = simulation.run();
  const std::vector<TransferRecord>& transfers = simulation.state().transfers;
  REQUIRE(transfers.size() == 6);
  REQUIRE(results.transfer_rows.size() == 6);
  IdealTimes ideal{simulation.state()};
  // 0, 3, 1, 4, 2, 5: by turns, in whichever order they were posted.
  for (const std::size_t t : {0U, 3U, 1U, 4U, 2U, 5U}) {
    CHECK(ideal.completion(transfers[t]).picoseconds() == results.transfer_rows[t].ideal_ps);
  }
  CHECK(ideal.walks() == 2);
}

}  // namespace
}  // namespace soya::test
