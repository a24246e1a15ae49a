#include "scenario/quantity.hpp"

#include <doctest/doctest.h>

#include <regex>
#include <string>

using namespace soya;
using namespace soya::reading;

namespace {

struct Accepted {
  const char* text;
  Dimension dimension;
  std::int64_t value;
};

struct Refused {
  const char* text;
  Dimension dimension;
  NumberFault fault;
};

constexpr std::int64_t kibi = 1024;

bool matches(const std::string& text, const std::string& pattern) {
  return std::regex_match(text, std::regex{pattern, std::regex::ECMAScript});
}

/// A pattern cannot tell that a value is too large or not whole; all other faults it must tell.
bool is_spelled(NumberFault fault) {
  return fault == NumberFault::none || fault == NumberFault::fraction || fault == NumberFault::overflow;
}

}  // namespace

TEST_CASE("numbers with units are exact") {
  const Accepted cases[] = {
      {"100Gbps", Dimension::rate, 100 * 1'000'000'000LL},
      {"12.5GB/s", Dimension::rate, 125 * 8 * 100'000'000LL},  // 12.5e9 bytes of 8 bits
      {"100000Mbps", Dimension::rate, 100'000 * 1'000'000LL},
      {"100Gibps", Dimension::rate, 100 * kibi * kibi * kibi},
      {"2.5Gbps", Dimension::rate, 2'500'000'000},
      {"1e2Gbps", Dimension::rate, 100'000'000'000},
      {"1.6Tbps", Dimension::rate, 1'600'000'000'000},
      {"9600bps", Dimension::rate, 9'600},
      {"1KiB/s", Dimension::rate, 8 * kibi},
      {"10Gb/s", Dimension::rate, 10'000'000'000},
      {"1MB", Dimension::size, 1'000'000},
      {"1kB", Dimension::size, 1'000},
      {"1MiB", Dimension::size, kibi * kibi},
      {"1Mb", Dimension::size, 1'000'000 / 8},
      {"25MiB", Dimension::size, 25 * kibi * kibi},
      {"0.5KiB", Dimension::size, 512},
      {"8b", Dimension::size, 1},
      {"0B", Dimension::size, 0},
      {"1.5ms", Dimension::duration, 1'500'000'000},
      {"0ns", Dimension::duration, 0},
      {"5us", Dimension::duration, 5'000'000},
      {"5\u00B5s", Dimension::duration, 5'000'000},
      {"5\u03BCs", Dimension::duration, 5'000'000},
      {"67.108864ms", Dimension::duration, 67'108'864'000},
      {"1e-3s", Dimension::duration, 1'000'000'000},
      {"1.000000000000000000000s", Dimension::duration, 1'000'000'000'000},
      {"300km", Dimension::length, 300'000'000},
      {"0.5m", Dimension::length, 500},
      {"2cm", Dimension::length, 20},
      {"1e9", Dimension::none, 1'000'000'000},
      {"0x1F", Dimension::none, 31},
      {"0o17", Dimension::none, 15},
      {"0", Dimension::none, 0},
      {"-7", Dimension::none, -7},
      {"2.50e1", Dimension::none, 25},
  };
  for (const Accepted& accepted : cases) {
    CAPTURE(accepted.text);
    const ParsedNumber number = parse_number(accepted.text, accepted.dimension);
    CHECK(number.fault == NumberFault::none);
    CHECK(number.value == accepted.value);
    CHECK(matches(accepted.text, number_pattern(accepted.dimension)) == (accepted.value >= 0));
  }
  CHECK(parse_number("18446744073709551615", Dimension::none).value == static_cast<Int128>(UINT64_MAX));
}

TEST_CASE("what is no exact number with a unit is refused, never read in part") {
  const Refused cases[] = {
      {"100", Dimension::rate, NumberFault::bare},
      {"64", Dimension::size, NumberFault::bare},
      {"1e3", Dimension::duration, NumberFault::bare},
      {"100gbp", Dimension::rate, NumberFault::spelling},
      {"100 GBps", Dimension::rate, NumberFault::spelling},
      {"100 Gbps", Dimension::rate, NumberFault::spelling},
      {"100GB", Dimension::rate, NumberFault::spelling},
      {"1Gbps", Dimension::size, NumberFault::spelling},
      {"100x", Dimension::none, NumberFault::spelling},
      {"100x", Dimension::size, NumberFault::spelling},
      {"-1", Dimension::size, NumberFault::spelling},
      {".nan", Dimension::duration, NumberFault::spelling},
      {".inf", Dimension::none, NumberFault::spelling},
      {"", Dimension::none, NumberFault::spelling},
      {"", Dimension::size, NumberFault::spelling},
      {"KiB", Dimension::size, NumberFault::spelling},
      {"5.us", Dimension::duration, NumberFault::spelling},
      {".5us", Dimension::duration, NumberFault::spelling},
      {"+5us", Dimension::duration, NumberFault::spelling},
      {"1,5ms", Dimension::duration, NumberFault::spelling},
      {"1_000", Dimension::none, NumberFault::spelling},
      {"0x", Dimension::none, NumberFault::spelling},
      {"0xG", Dimension::none, NumberFault::spelling},
      {"0o8", Dimension::none, NumberFault::spelling},
      {"0x10", Dimension::size, NumberFault::spelling},
      {"010", Dimension::none, NumberFault::leading_zero},
      {"010Gbps", Dimension::rate, NumberFault::leading_zero},
      {"2.5", Dimension::none, NumberFault::fraction},
      {"0.5B", Dimension::size, NumberFault::fraction},
      {"1b", Dimension::size, NumberFault::fraction},
      {"0.1ps", Dimension::duration, NumberFault::fraction},
      {"0.1mm", Dimension::length, NumberFault::fraction},
      {"0.3bps", Dimension::rate, NumberFault::fraction},
      {"1e400", Dimension::none, NumberFault::overflow},
      {"1e99999999999999999999", Dimension::none, NumberFault::overflow},
      {"99999999999999999999", Dimension::none, NumberFault::overflow},
      {"18446744073709551616", Dimension::none, NumberFault::overflow},
      {"0xFFFFFFFFFFFFFFFFF", Dimension::none, NumberFault::overflow},
      {"1e30TiB", Dimension::size, NumberFault::overflow},
  };
  for (const Refused& refused : cases) {
    CAPTURE(refused.text);
    CHECK(parse_number(refused.text, refused.dimension).fault == refused.fault);
    CHECK(matches(refused.text, number_pattern(refused.dimension)) == is_spelled(refused.fault));
  }
}

TEST_CASE("numbers are written in the shortest exact way and read back the same") {
  struct Shown {
    const char* text;
    Dimension dimension;
  };
  const Shown cases[] = {
      {"64KiB", Dimension::size},      {"1MB", Dimension::size},
      {"37516B", Dimension::size},     {"0B", Dimension::size},
      {"125KB", Dimension::size},      {"25MiB", Dimension::size},
      {"37.5MB", Dimension::size},     {"10.005MB", Dimension::size},
      {"9999KiB", Dimension::size},    {"10.24MB", Dimension::size},
      {"1.5GB", Dimension::size},      {"1500B", Dimension::size},
      {"1048576TiB", Dimension::size}, {"2000MiB", Dimension::size},
      {"2.5Gbps", Dimension::rate},    {"107.3741824Gbps", Dimension::rate},
      {"1.6Tbps", Dimension::rate},    {"9.6Kbps", Dimension::rate},
      {"1.5ms", Dimension::duration},  {"67.108864ms", Dimension::duration},
      {"0s", Dimension::duration},     {"1ps", Dimension::duration},
      {"86400s", Dimension::duration}, {"300km", Dimension::length},
      {"3m", Dimension::length},       {"5mm", Dimension::length},
      {"0m", Dimension::length},       {"8388607", Dimension::none},
      {"-3", Dimension::none},
  };
  for (const Shown& shown : cases) {
    CAPTURE(shown.text);
    const ParsedNumber number = parse_number(shown.text, shown.dimension);
    REQUIRE(number.fault == NumberFault::none);
    CHECK(format_number(number.value, shown.dimension) == shown.text);
  }
}

TEST_CASE("every value reads back what was written") {
  const Dimension dimensions[] = {Dimension::none, Dimension::size, Dimension::rate, Dimension::duration,
                                  Dimension::length};
  // Values of all magnitudes: 1, 3, 7, 17, … each about 2.4 times the one before.
  for (std::int64_t value = 1; value < INT64_MAX / 12; value = value * 12 / 5 + 1) {
    for (const Dimension dimension : dimensions) {
      const ParsedNumber number = parse_number(format_number(value, dimension), dimension);
      CAPTURE(value);
      REQUIRE(number.fault == NumberFault::none);
      REQUIRE(number.value == value);
    }
  }
}

TEST_CASE("the pattern takes what the parser takes, for all short texts") {
  // Every text of up to four of these pieces: signs, digits, points, exponents, prefixes, units.
  const std::vector<std::string> pieces{"-",  "0", "1", "07",  ".",   "5",  "e", "E-2", "k",
                                        "Mi", "B", "b", "bps", "B/s", "us", "m", "x",   "/"};
  const Dimension dimensions[] = {Dimension::none, Dimension::size, Dimension::rate, Dimension::duration,
                                  Dimension::length};
  std::vector<std::string> texts{""};
  for (std::size_t begin = 0, length = 0; length < 4; ++length) {
    const std::size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const std::string& piece : pieces) texts.push_back(texts[begin] + piece);
    }
  }
  REQUIRE(texts.size() == 1 + 18 + 324 + 5832 + 104976);
  std::size_t spelled = 0;
  for (const Dimension dimension : dimensions) {
    const std::regex pattern{number_pattern(dimension), std::regex::ECMAScript};
    for (const std::string& text : texts) {
      const ParsedNumber number = parse_number(text, dimension);
      const bool negative = number.value < 0 || (text.starts_with('-') && number.fault != NumberFault::none);
      const bool expected = is_spelled(number.fault) && !negative;
      if (std::regex_match(text, pattern) != expected)
        FAIL_CHECK(text << " in dimension " << static_cast<int>(dimension));
      spelled += expected ? 1 : 0;
    }
  }
  CHECK(spelled > 1'000);
}

TEST_CASE("ratios are exact and reduced") {
  CHECK(parse_ratio("1/8").value == Ratio{1, 8});
  CHECK(parse_ratio("2/16").value == Ratio{1, 8});
  CHECK(parse_ratio("0.125").value == Ratio{1, 8});
  CHECK(parse_ratio("1").value == Ratio{1, 1});
  CHECK(parse_ratio("2.5").value == Ratio{5, 2});
  CHECK(parse_ratio("1e1").value == Ratio{10, 1});
  CHECK(parse_ratio("-1/8").value == Ratio{-1, 8});
  for (const char* text : {"1/8", "2/16", "0.125", "1", "2.5", "1e1", "1e-3/0x10"})
    CHECK(matches(text, ratio_pattern()));
  for (const char* text : {"-1/8", "1/-8", "1/", "/8", "a", "1/8/2", ".nan", "01", ""})
    CHECK_FALSE(matches(text, ratio_pattern()));
  CHECK(format_ratio({1, 8}) == "1/8");
  CHECK(format_ratio({2, 1}) == "2");
  for (const char* text : {"", "1/0", "1/-8", "1/", "/8", "a", "1/8/2", ".nan", "0x", "01"}) {
    CAPTURE(text);
    CHECK(parse_ratio(text).fault == NumberFault::spelling);
  }
  for (const char* text : {"1e400", "1000001/1", "1/1000001", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK(parse_ratio(text).fault != NumberFault::none);
  }
  CHECK(parse_ratio("0.0000001").fault == NumberFault::fraction);
}
