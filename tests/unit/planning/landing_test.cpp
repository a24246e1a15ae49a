#include "planning/landing.hpp"

#include <doctest/doctest.h>

using namespace soya;

namespace {

/// Ports of 100G: 12.5 B per ns.
LandingQuery query(int ports, Bytes budget, Rate bandwidth) {
  LandingQuery query;
  query.ports.assign(static_cast<std::size_t>(ports), {100_Gbps, budget});
  query.bandwidth = bandwidth;
  query.largest_frame = 1062_B;
  return query;
}

}  // namespace

TEST_CASE("landing is what writes at half of the bandwidth are behind when the budgets have come") {
  // Two ports bring 28 290 B each within 2263.2 ns, in which 50 Gbps write 14 145 B; seven frames besides.
  CHECK(landing_off_chip(query(2, 28'290_B, 100_Gbps)) == Bytes{56'580 - 14'145 + 7 * 1062});
}

TEST_CASE("where writes keep up, only the pipeline and frames are left") {
  // 200 Gbps come and 400 Gbps are written: the most is there when writing begins, 500 ns x 25 B/ns and a byte that
  // each port may be rounded by.
  LandingQuery fast = query(2, 37'500'000_B, 800_Gbps);
  fast.latency = 500_ns;
  CHECK(landing_off_chip(fast) == Bytes{12'500 + 2 + 7 * 1062});
  // No more than the budget comes, however long the pipeline is.
  fast.latency = 1_s;
  CHECK(landing_off_chip(fast) == Bytes{2 * 37'500'000 + 7 * 1062});
}

TEST_CASE("the worst moment may lie between two budgets") {
  // 100 + 400 Gbps against 75 Gbps of writes; the second port has brought all after 200 ns, the first after 800 ns.
  // At 200 ns: 2500 + 10 000 - 1875 = 10 625, and one byte of rounding; at 800 ns: 10 000 + 10 000 - 7500 = 12 500.
  LandingQuery uneven = query(1, 10'000_B, 150_Gbps);
  uneven.ports.push_back({400_Gbps, 10'000_B});
  CHECK(landing_off_chip(uneven) == Bytes{12'500 + 7 * 1062});
  // With 225 Gbps of writes: 12 500 - 5625 = 6875 against 20 000 - 22 500 < 0.
  uneven.bandwidth = 450_Gbps;
  CHECK(landing_off_chip(uneven) == Bytes{6875 + 1 + 7 * 1062});
}

TEST_CASE("on chip all budgets land") {
  CHECK(landing_on_chip(query(3, 28'290_B, 100_Gbps)) == 84'870_B);
  CHECK(landing_on_chip(query(0, 28'290_B, 100_Gbps)) == 0_B);
  CHECK(landing_off_chip(query(0, 28'290_B, 100_Gbps)) == 0_B);
}
