#include "wan/byte_meter.hpp"

#include <doctest/doctest.h>

#include "support/units_io.hpp"

using namespace soya;

TEST_CASE("bytes held now, at most, and on average") {
  ByteMeter meter;
  const auto at = [](std::int64_t ps) { return Time{ps}; };
  meter.add(at(10), 100_B);
  meter.add(at(20), 50_B);
  meter.remove(at(40), 120_B);
  CHECK(meter.held() == 30_B);
  CHECK(meter.peak() == 150_B);
  // 0 for 10 ps, 100 for 10, 150 for 20, 30 for 60: 5800 / 100.
  CHECK(meter.mean(at(100)) == 58_B);
  CHECK(ByteMeter{}.mean(at(0)) == 0_B);
}
