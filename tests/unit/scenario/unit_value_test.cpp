#include "scenario/unit_value.hpp"

#include <doctest/doctest.h>

using namespace soya;
using reading::NumberFault;

TEST_CASE("a quantity is a number in the unit of its column") {
  CHECK(parse_in_unit("300km", table_unit("m")).value == 300'000);
  CHECK(parse_in_unit("5mm", table_unit("m")).value == 0.005);
  CHECK(parse_in_unit("64KiB", table_unit("bytes")).value == 65'536);
  CHECK(parse_in_unit("12.5GB/s", table_unit("gbps")).value == 100);  // 12.5 x 8
  CHECK(parse_in_unit("100Gbps", table_unit("GBps")).value == 12.5);
  CHECK(parse_in_unit("1.5ms", table_unit("us")).value == 1'500);
  CHECK(parse_in_unit("250us", table_unit("ms")).value == 0.25);
  CHECK(parse_in_unit("2us", table_unit("ps")).value == 2'000'000);
}

TEST_CASE("spellings of one quantity are one number") {
  CHECK(parse_in_unit("100km", table_unit("m")).value == parse_in_unit("100000m", table_unit("m")).value);
  // 0.1 and 0.3 are no binary fractions, so 0.1 x 3 would not do.
  CHECK(parse_in_unit("0.3us", table_unit("us")).value == parse_in_unit("300ns", table_unit("us")).value);
  CHECK(parse_in_unit("0.3us", table_unit("us")).value == 0.3);
  CHECK(parse_in_unit("0.7m", table_unit("m")).value == parse_in_unit("70cm", table_unit("m")).value);
}

TEST_CASE("without a unit it is a decimal or a ratio") {
  CHECK(parse_in_unit("1/8", std::nullopt).value == 0.125);
  CHECK(parse_in_unit("-2.5", std::nullopt).value == -2.5);
  CHECK(parse_in_unit("1e3", std::nullopt).value == 1'000);
  for (const char* text : {"", "-", "1/0", "1/", "/8", "5 ", "5m", "nan", "inf", "-inf", "1/x"}) {
    CAPTURE(text);
    CHECK(parse_in_unit(text, std::nullopt).fault == NumberFault::spelling);
  }
}

TEST_CASE("what is no quantity of the unit is told") {
  CHECK(parse_in_unit("10", table_unit("m")).fault == NumberFault::bare);
  CHECK(parse_in_unit("10ms", table_unit("m")).fault == NumberFault::spelling);
  CHECK(parse_in_unit("0.5B", table_unit("bytes")).fault == NumberFault::fraction);
  CHECK_FALSE(table_unit("share"));
  CHECK_FALSE(table_unit(""));
}
