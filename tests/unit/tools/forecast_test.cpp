#include "soya/forecast.hpp"

#include <doctest/doctest.h>

using namespace soya;
using namespace soya::cli;

namespace {

constexpr std::int64_t mebibyte = 1024 * 1024;

}  // namespace

TEST_CASE("what is expected stands before a run, what it took behind it") {
  // 2 700 000 packet-hops of 100 ns: 0.27 s.
  const Forecast expected = forecast_of({{2'700'000, false}}, {1, 1}, 12 * mebibyte, 100e-9);
  CHECK(forecast_line(expected) == "soya: expects about 2.7 M packet-hops, at most 12 MiB, about 0.27 s");
  CHECK(taken_line({2'690'000, 11 * mebibyte, 0.31}, expected) ==
        "soya: took 2.7 M packet-hops, 11 MiB, 0.31 s; expected about 2.7 M, at most 12 MiB, 0.27 s");
}

TEST_CASE("where packets may be sent again it is the least") {
  // 8 320 packet-hops of 100 ns: 0.832 ms.
  const Forecast expected = forecast_of({{8'320, true}}, {1, 1}, 12 * mebibyte, 100e-9);
  CHECK(forecast_line(expected) == "soya: expects at least 8 320 packet-hops, at most 12 MiB, at least 0.8 ms");
}

TEST_CASE("runs that share threads take no less than the longest") {
  // 6 s of work on two threads: 3 s; but one run alone takes 4 s.
  CHECK(forecast_of({{10, false}, {10, false}, {40, false}}, {2, 1}, 0, 0.1).seconds == doctest::Approx(4.0));
  CHECK(forecast_of({{20, false}, {20, false}, {20, true}}, {2, 1}, 0, 0.1).seconds == doctest::Approx(3.0));
  // Two threads make a run 1.5 times faster: 4 s / 1.5.
  CHECK(forecast_of({{40, false}}, {1, 1.5}, 0, 0.1).seconds == doctest::Approx(4 / 1.5));
  CHECK(forecast_of({{20, false}, {20, true}}, {2, 1}, 0, 0.1).at_least);
}

TEST_CASE("a packet-hop takes longer among many hosts") {
  // 1 024 hosts are six doublings of the trial's 16: 1 + 6 / 4 = 2.5 times the time.
  CHECK(forecast_of({{40, false, 1024}}, {1, 1}, 0, 0.1).seconds == doctest::Approx(2.5 * 4));
  CHECK(forecast_of({{40, false, 2}}, {1, 1}, 0, 0.1).seconds == doctest::Approx(4));
}

TEST_CASE("packet-hops are counted in full, in millions or in thousand millions") {
  CHECK(hops_text(999'999) == "999 999");
  CHECK(hops_text(1'000'000) == "1.0 M");
  CHECK(hops_text(35'988'480) == "36.0 M");
  CHECK(hops_text(2'500'000'000) == "2.5 G");
}

TEST_CASE("a packet-hop takes some time on any machine") {
  CHECK(measured_seconds_per_hop() > 0);
  CHECK(measured_seconds_per_hop() < 1e-3);
}
