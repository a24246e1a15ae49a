#include "scenario/probability.hpp"

#include <doctest/doctest.h>

#include <regex>

using namespace soya;
using namespace soya::reading;

TEST_CASE("a probability is a decimal from 0 to 1") {
  CHECK(parse_probability("0") == Probability{0});
  CHECK(parse_probability("1") == Probability{1});
  CHECK(parse_probability("0.25") == Probability{0.25});
  CHECK(parse_probability("1e-5") == Probability{0.00001});
  CHECK(parse_probability("1E-12") == Probability{1e-12});
  for (const char* wrong :
       {"", "2", "1.0001", "-0.1", "-0", "+0.5", "nan", "inf", "1e-5x", "1 %", "1/8", "0x1", ".5", "1e400"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_probability(wrong));
  }
}

TEST_CASE("what is written is read back as the same number") {
  for (const double value : {0.0, 1.0, 0.1, 1e-5, 1e-12, 0.123456789012345}) {
    CHECK(parse_probability(format_probability({value})) == Probability{value});
  }
  CHECK(format_probability({0}) == "0");
  CHECK(format_probability({1e-5}) == "1e-05");
}

TEST_CASE("the pattern takes what is read") {
  const std::regex pattern{probability_pattern()};
  for (const char* text : {"0", "1", "0.25", "1e-5", "1E-12", "0."}) {
    CAPTURE(text);
    CHECK(std::regex_match(text, pattern));
    CHECK(parse_probability(text));
  }
  for (const char* text : {"-1", "nan", "1/8", ".5", ""}) CHECK_FALSE(std::regex_match(text, pattern));
}
