// Smoothed round trips and time-outs by RFC 6298's arithmetic.
#include "transport/round_trip_timer.hpp"

#include <doctest/doctest.h>

#include "support/units_io.hpp"

using namespace soya;

TEST_CASE("the first sample, and how later ones move it") {
  RoundTripTimer timer;
  CHECK(timer.timeout(0, 1_us, 100_us) == 100_us);  // nothing measured yet
  timer.measured(8_us);
  CHECK(timer.timeout(0, 1_us, 100_us) == 8_us + 4 * 4_us);
  // |8 - 16| = 8: variation 3/4 x 4 + 8/4 = 5, smoothed 7/8 x 8 + 16/8 = 9; 9 + 4 x 5 = 29.
  timer.measured(16_us);
  CHECK(timer.smoothed() == 9_us);
  CHECK(timer.timeout(0, 1_us, 100_us) == 29_us);
  CHECK(timer.timeout(1, 1_us, 100_us) == 58_us);
  CHECK(timer.timeout(2, 1_us, 100_us) == 100_us);  // at most the configured one
}

TEST_CASE("a steady round trip leaves room for an acknowledge interval") {
  RoundTripTimer timer;
  for (int i = 0; i < 200; ++i) timer.measured(10_us);
  CHECK(timer.timeout(0, 3_us, 100_us) >= 13_us);
  CHECK(timer.timeout(0, 3_us, 100_us) < 13.1_us);
}

TEST_CASE("one packet is timed at a time, and none when packets are sent again") {
  RoundTripTimer timer;
  timer.started(10, Time{0});
  timer.started(20, Time{0} + 1_us);
  timer.acknowledged(9, Time{0} + 4_us);
  CHECK(timer.smoothed() == 0_us);
  timer.acknowledged(20, Time{0} + 8_us);
  CHECK(timer.smoothed() == 8_us);
  timer.started(30, Time{0} + 9_us);
  timer.disturbed();
  timer.acknowledged(30, Time{0} + 90_us);
  CHECK(timer.smoothed() == 8_us);
}
