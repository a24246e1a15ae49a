// The 32 times of an RNR NAK.
#include "transport/rnr_timer.hpp"

#include <doctest/doctest.h>

#include "support/units_io.hpp"

using namespace soya;

TEST_CASE("codes and times of InfiniBand's table") {
  CHECK(rnr_time(0) == 655'360_us);
  CHECK(rnr_time(1) == 10_us);
  CHECK(rnr_time(12) == 640_us);
  CHECK(rnr_time(31) == 491'520_us);
  for (std::uint32_t code = 0; code < 32; ++code) CHECK(rnr_code(rnr_time(code)) == code);
  for (std::uint32_t code = 2; code < 32; ++code) CHECK(rnr_time(code) > rnr_time(code - 1));
  CHECK(rnr_time(0) > rnr_time(31));
}

TEST_CASE("a time between two of the table has them as neighbours") {
  CHECK_FALSE(rnr_code(50_us));
  CHECK(rnr_neighbours(50_us).below == 40_us);
  CHECK(rnr_neighbours(50_us).above == 60_us);
  CHECK_FALSE(rnr_neighbours(1_us).below);
  CHECK_FALSE(rnr_neighbours(1_s).above);
}
