#include <doctest/doctest.h>

#include <initializer_list>

#include "transport/psn.hpp"

using namespace soya;

TEST_CASE("PSN distance is signed and wraps at 24 bits") {
  CHECK(psn_distance(0xFFFFFE, 0x000001) == 3);
  CHECK(psn_distance(0x000001, 0xFFFFFE) == -3);
  CHECK(psn_distance(5, 5) == 0);
  CHECK(psn_distance(0, 0x7FFFFF) == (1 << 23) - 1);
  CHECK(psn_distance(0, 0x800000) == -(1 << 23));
}

TEST_CASE("a sequence is found again from its PSN within half the PSN space") {
  constexpr Sequence base = (Sequence{1} << 24) * 5 - 2;
  for (const std::int64_t step : {-100LL, -1LL, 0LL, 1LL, 2LL, 3LL, 8'388'607LL}) {
    CHECK(sequence_near(base, psn_of(base + step)) == base + step);
  }
}
