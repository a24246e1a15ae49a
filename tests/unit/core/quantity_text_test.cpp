#include "core/quantity_text.hpp"

#include <doctest/doctest.h>

using namespace soya;

TEST_CASE("digits stand in groups of three") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1 000");
  CHECK(grouped(67'100'672) == "67 100 672");
  CHECK(grouped(-999) == "-999");
  CHECK(grouped(-20'790) == "-20 790");
  CHECK(grouped(INT64_MAX) == "9 223 372 036 854 775 807");
  CHECK(bytes_text(37'500'000_B) == "37 500 000 B");
  CHECK(bytes_text(64_KiB) == "65 536 B");
  CHECK(bytes_text(0_B) == "0 B");
}

TEST_CASE("a time is exact, in the unit that leaves 1 to 999 in front of the point") {
  CHECK(time_text(0_ps) == "0 ps");
  CHECK(time_text(999_ps) == "999 ps");
  CHECK(time_text(1000_ps) == "1 ns");
  CHECK(time_text(1'346'240_ps) == "1.34624 us");
  CHECK(time_text(999'999'999_ps) == "999.999999 us");
  CHECK(time_text(40_ms) == "40 ms");
  CHECK(time_text(1'000'000'000'001_ps) == "1.000000000001 s");
  CHECK(time_text(2'592'000_s) == "2 592 000 s");
  CHECK(time_text(Duration{-1'500}) == "-1.5 ns");
  CHECK(time_text(Time{0} + 1500_us) == "1.5 ms");
}

TEST_CASE("a time for a column has three decimals, and never 1000 of a unit") {
  CHECK(rounded_time_text(0_ps) == "0 ps");
  CHECK(rounded_time_text(999_ps) == "999 ps");
  CHECK(rounded_time_text(243'200_ps) == "243.200 ns");
  CHECK(rounded_time_text(85'566'720_ps) == "85.567 us");
  CHECK(rounded_time_text(85'566'499_ps) == "85.566 us");
  CHECK(rounded_time_text(85'566'500_ps) == "85.567 us");
  CHECK(rounded_time_text(999'999'499_ps) == "999.999 us");
  CHECK(rounded_time_text(999'999'500_ps) == "1.000 ms");
  CHECK(rounded_time_text(1_ns) == "1.000 ns");
  CHECK(rounded_time_text(3_ms) == "3.000 ms");
  CHECK(rounded_time_text(2'724'200'000'000_ps) == "2.724 s");
  CHECK(rounded_time_text(1200_s) == "1 200.000 s");
}
