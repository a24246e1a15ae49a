#include "planning/collective_bounds.hpp"

#include <doctest/doctest.h>

#include "collective/ring.hpp"
#include "core/check.hpp"

using namespace soya;
using namespace soya::literals;

TEST_CASE("bus bandwidth factors of eight ranks, and of one") {
  CHECK(busbw_factor(Collective::all_reduce, 8) == Ratio{14, 8});
  for (const Collective sharing : {Collective::all_gather, Collective::reduce_scatter, Collective::all_to_all,
                                   Collective::gather, Collective::scatter}) {
    CHECK(busbw_factor(sharing, 8) == Ratio{7, 8});
    CHECK(busbw_factor(sharing, 1) == Ratio{0, 1});
  }
  for (const Collective whole : {Collective::broadcast, Collective::reduce, Collective::send_receive}) {
    CHECK(busbw_factor(whole, 8) == Ratio{1, 1});
    CHECK(busbw_factor(whole, 1) == Ratio{0, 1});
  }
  CHECK_THROWS_AS((void)busbw_factor(Collective::all_reduce, 0), InternalError);
}

TEST_CASE("an all-reduce of 1 GiB over eight ranks needs 37.58 ms at 400G") {
  // 14/8 x 2^30 B = 1 879 048 192 B at 50 B/ns.
  CHECK(bytes_per_rank(Collective::all_reduce, 8, 1024_MiB) == 1'879'048'192_B);
  CHECK(shortest_time(Collective::all_reduce, 8, 1024_MiB, 400_Gbps) == Duration{1'879'048'192LL * 20});
  // Measured 50 ms: algbw 2^30 B / 50 ms = 21.475 GB/s, busbw 14/8 of it = 37.581 GB/s.
  const Ratio factor = busbw_factor(Collective::all_reduce, 8);
  const double busbw =
      1'073'741'824.0 / 0.050 * 1e-9 * static_cast<double>(factor.numerator) / static_cast<double>(factor.denominator);
  CHECK(busbw == doctest::Approx(37.581).epsilon(1e-5));
}

TEST_CASE("2(N - 1)/N x S: 1, 4/3, 5/3 and 23/12 of S, nothing for one rank") {
  const Bytes size = 12_MB;
  CHECK(bytes_per_rank(Collective::all_reduce, 1, size) == 0_B);
  CHECK(bytes_per_rank(Collective::all_reduce, 2, size) == 12_MB);
  CHECK(bytes_per_rank(Collective::all_reduce, 3, size) == 16_MB);
  CHECK(bytes_per_rank(Collective::all_reduce, 6, size) == 20_MB);
  CHECK(bytes_per_rank(Collective::all_reduce, 24, size) == 23_MB);
  CHECK(bytes_per_rank(Collective::all_reduce, 3, 1'000'000_B) == 1'333'334_B);  // 1 333 333.3, rounded up
}

TEST_CASE("no rank of the real layout sends less than the bound on average, and all together exactly N times it") {
  for (const int ranks : {2, 3, 5, 6, 24}) {
    const Bytes size = 30'000'000_B;
    const RingLayout layout{{size, 4_B}, ranks, RingConfig{}};
    Bytes total{0};
    for (int rank = 0; rank < ranks; ++rank) total += layout.sent_by(rank);
    CHECK(total == 2 * (ranks - 1) * size);
    CHECK(ranks * bytes_per_rank(Collective::all_reduce, ranks, size) >= total);
    CHECK(ranks * bytes_per_rank(Collective::all_reduce, ranks, size) < total + Bytes{ranks});
  }
}
