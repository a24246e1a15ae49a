#include "planning/headroom_budget.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "core/check.hpp"
#include "net/frame.hpp"
#include "net/pfc_config.hpp"

using namespace soya;
using namespace soya::literals;

namespace {

// A Middle packet of 4096 B: 14 + 20 + 8 + 12 + 4 + 4 = 62 B around it, 20 B of gap on the wire.
constexpr Bytes frame{4096 + 62};
constexpr Bytes wire{4096 + 62 + 20};

HeadroomQuery at_100g(Length length) {
  return {.rate = 100_Gbps, .one_way = propagation(length, 5_us), .largest_frame = frame};
}

}  // namespace

TEST_CASE("100G over 5 m without response time: every part and every size") {
  const HeadroomBudget budget = headroom_budget(at_100g(5_m));
  // 2 x 25 ns at 12.5 B/ns.
  CHECK(budget.propagation == 625_B);
  CHECK(budget.waiting == wire);
  CHECK(budget.pause_frame == 84_B);
  CHECK(budget.response == 0_B);
  CHECK(budget.in_flight() == Bytes{625 + 4178 + 84});
  CHECK(budget.in_flight() == 4887_B);
  CHECK(budget.automatic == Bytes{4887 + 2 * 4158});
  CHECK(budget.automatic == 13'203_B);
  // (4887 + 4158) / 4178 = 2.16: three frames less one.
  CHECK(budget.tight_frames == 2);
  CHECK(budget.tight_static == 8316_B);
  CHECK(budget.tight_dynamic == 12'474_B);
}

TEST_CASE("the response time of 100G adds 394 quanta of 64 B") {
  HeadroomQuery query = at_100g(5_m);
  query.response = response_time(PfcConfig{}, 100_Gbps);
  const HeadroomBudget budget = headroom_budget(query);
  CHECK(budget.response == Bytes{394 * 64});
  // (4887 + 25 216 + 4158) / 4178 = 8.2: nine frames less one.
  CHECK(budget.tight_static == Bytes{8 * 4158});
  CHECK(budget.tight_static == 33'264_B);
  CHECK(budget.tight_dynamic == 37'422_B);
}

TEST_CASE("300 km at 100G") {
  HeadroomQuery query = at_100g(300_km);
  query.response = response_time(PfcConfig{}, 100_Gbps);
  const HeadroomBudget budget = headroom_budget(query);
  CHECK(budget.propagation == 37'500'000_B);  // 2 x 1.5 ms at 12.5 B/ns
  // (37 500 000 + 4178 + 84 + 25 216 + 4158) / 4178 = 8983.6
  CHECK(budget.tight_frames == 8983);
  CHECK(budget.tight_static == 37'351'314_B);
  CHECK(full_rate_reserve(100_Gbps, 2 * propagation(300_km, 5_us)) == 37'500'000_B);
}

TEST_CASE("waiting and PAUSE take their time at the reverse rate") {
  HeadroomQuery query = at_100g(5_m);
  query.reverse_rate = 25_Gbps;
  const HeadroomBudget slow_back = headroom_budget(query);
  CHECK(slow_back.waiting == 4 * wire);
  CHECK(slow_back.pause_frame == 336_B);
  CHECK(slow_back.propagation == 625_B);

  query.reverse_rate = 400_Gbps;
  const HeadroomBudget fast_back = headroom_budget(query);
  CHECK(fast_back.waiting == 1045_B);  // 4178 / 4 = 1044.5, rounded up
  CHECK(fast_back.pause_frame == 21_B);
}

TEST_CASE("a fraction of a byte counts as a whole one") {
  // 2 x 25.001 ns at 12.5 B/ns are 625.025 B.
  HeadroomQuery query = at_100g(5_m);
  query.one_way = 25'001_ps;
  CHECK(headroom_budget(query).propagation == 626_B);
  query.one_way = 0_ps;
  query.response = 81_ps;  // a byte takes 80 ps
  CHECK(headroom_budget(query).propagation == 0_B);
  CHECK(headroom_budget(query).response == 2_B);
}

TEST_CASE("a frame that would start at the very instant of the effect is not counted") {
  // A / W whole: A = 84 + W + p = 2 W at p = W - 84 = 4178 - 84 = 4094 B.
  HeadroomQuery query = at_100g(0_m);
  query.response = serialisation(4094_B, 100_Gbps);
  CHECK(headroom_budget(query).tight_frames == 2);
  query.response = serialisation(4095_B, 100_Gbps);
  CHECK(headroom_budget(query).tight_frames == 3);
}

TEST_CASE("cells scale what is under way by its worst frame, and count other frames whole") {
  HeadroomQuery query = at_100g(5_m);
  query.cell = 256_B;
  const HeadroomBudget budget = headroom_budget(query);
  // A 64 B frame takes 84 B on the wire and one cell; one of 4158 B takes 17 cells, 4352 B.
  CHECK(budget.cell_factor == Ratio{256, 84});
  CHECK(budget.frame_in_buffer == 4352_B);
  // 4887 x 256 / 84 = 14 893.7, and two frames.
  CHECK(budget.automatic == 14'894_B + 2 * 4352_B);
  CHECK(budget.tight_static == 2 * 4352_B);
  CHECK(budget.tight_dynamic == 3 * 4352_B);

  // In cells of 80 B the worst frame is one of 81 B: two cells for 101 B on the wire; 64 B make 80 / 84, below 1.
  query.cell = 80_B;
  CHECK(headroom_budget(query).cell_factor == Ratio{160, 101});

  // Cells of 16 B cost less than the gap that the buffer does not hold: no scaling. 4158 B take 260 cells, 4160 B.
  query.cell = 16_B;
  CHECK(headroom_budget(query).cell_factor == Ratio{1, 1});
  CHECK(headroom_budget(query).automatic == 4887_B + 2 * 4160_B);
}

TEST_CASE("the worst frame of a cell size is found among all frames up to the largest") {
  for (const std::int64_t cell : {48, 80, 96, 128, 144, 176, 192, 254, 256, 4096}) {
    HeadroomQuery query = at_100g(5_m);
    query.cell = Bytes{cell};
    const Ratio found = headroom_budget(query).cell_factor;
    for (std::int64_t f = 64; f <= frame.count(); ++f) {
      const std::int64_t in_cells = (f + cell - 1) / cell * cell;
      CHECK(in_cells * found.denominator <= found.numerator * (f + 20));
    }
  }
}

TEST_CASE("a budget is the same whenever and in whatever order it is asked for") {
  std::vector<HeadroomQuery> queries;
  for (const Rate rate : {25_Gbps, 100_Gbps, 400_Gbps}) {
    for (const Length length : {5_m, 300_m, 40_km}) {
      queries.push_back({.rate = rate,
                         .one_way = propagation(length, 5_us),
                         .largest_frame = frame,
                         .response = response_time(PfcConfig{}, rate)});
    }
  }
  std::vector<Bytes> forward;
  for (const HeadroomQuery& query : queries) forward.push_back(headroom_budget(query).automatic);
  for (std::size_t i = queries.size(); i-- > 0;) CHECK(headroom_budget(queries[i]).automatic == forward[i]);
}

TEST_CASE("400G over 300 m: the cable holds 1000-based bytes") {
  // 2 x 1.5 us x 50 B/ns; the fibre of case 198 000 km/s: 3.0303 us x 50 B/ns = 151 515.2 B.
  CHECK(headroom_budget({.rate = 400_Gbps, .one_way = propagation(300_m, 5_us), .largest_frame = frame}).propagation ==
        150'000_B);
  const Duration slow_fibre{1'515'152};  // 300 m at 1.98e8 m/s, to the picosecond
  CHECK(headroom_budget({.rate = 400_Gbps, .one_way = slow_fibre, .largest_frame = frame}).propagation == 151'516_B);
}

TEST_CASE("a frame below the minimum is a defect of the caller") {
  CHECK_THROWS_AS((void)headroom_budget({.rate = 100_Gbps, .largest_frame = 63_B}), InternalError);
}
