// Random sites behind pairs of accelerators, with losses on every link and buffers down to the smallest: no byte that
// was acknowledged to a sender is lost or delivered twice, and all of it arrives.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "property/random_sites.hpp"

using namespace soya;
using namespace soya::test;

TEST_CASE("what accelerators acknowledge arrives, once, whatever is lost and however small they are") {
  std::int64_t again = 0;
  std::int64_t paused = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const RandomSites sites{seed};
    const RunResults results = sites.run();
    for (const std::string& why : results.why_not) MESSAGE(why);
    REQUIRE(results.sound);
    REQUIRE(results.transfers.finished == results.transfers.count);
    std::int64_t placed = 0;
    for (const HostRow& row : results.hosts) placed += row.received_payload_bytes;
    CHECK(placed == sites.payload());
    for (const AcceleratorFlowRow& row : results.accelerator_flows)
      CHECK(row.delivered_bytes == row.acknowledged_bytes);
    for (const AcceleratorRow& row : results.accelerators) {
      CHECK(row.outbound_peak_bytes <= row.buffer_bytes);
      CHECK(row.inbound_peak_bytes <= row.buffer_bytes);
      again += row.retransmitted_packets;
      paused += row.pausing_ps;
    }
    for (const TransferRow& row : results.transfer_rows) CHECK(row.slowdown.value_or(0) >= 1);
  }
  // The seeds see what they are meant to.
  CHECK(again > 0);
  CHECK(paused > 0);
}
