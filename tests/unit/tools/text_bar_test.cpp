#include "soya/text_bar.hpp"

#include <doctest/doctest.h>

using namespace soya::cli;

TEST_CASE("a bar is as long as its share, in eighths of a column") {
  CHECK(text_bar(1, 4, BarStyle::blocks) == "████");
  CHECK(text_bar(0.5, 4, BarStyle::blocks) == "██");
  // 0.3 of 4 columns is 9.6 eighths, rounded to 10: one column and two eighths.
  CHECK(text_bar(0.3, 4, BarStyle::blocks) == "█▎");
  CHECK(text_bar(0.6, 5, BarStyle::ascii) == "###");
}

TEST_CASE("what is above nothing shows, what is above the whole is the whole") {
  CHECK(text_bar(1e-9, 4, BarStyle::blocks) == "▏");
  CHECK(text_bar(1e-9, 4, BarStyle::ascii) == "#");
  CHECK(text_bar(0, 4, BarStyle::blocks) == "");
  CHECK(text_bar(-1, 4, BarStyle::blocks) == "");
  CHECK(text_bar(7, 4, BarStyle::ascii) == "####");
}

TEST_CASE("the locale's first name that is set decides") {
  CHECK(bar_style_for({}) == BarStyle::blocks);
  CHECK(bar_style_for({"C", "en_GB.UTF-8", "en_GB.UTF-8"}) == BarStyle::ascii);
  CHECK(bar_style_for({"", "POSIX", "en_GB.UTF-8"}) == BarStyle::ascii);
  CHECK(bar_style_for({nullptr, "C.UTF-8", "C"}) == BarStyle::blocks);
}
