#include "soya/output.hpp"

#include <doctest/doctest.h>

using namespace soya::cli;

TEST_CASE("colour is for a terminal that knows it, unless NO_COLOR says otherwise") {
  CHECK(colour_for({.reads = true, .no_color = nullptr, .term = "xterm"}) == Colour::on);
  // no-color.org: set and not empty, whatever the value.
  CHECK(colour_for({.reads = true, .no_color = "", .term = "xterm"}) == Colour::on);
  CHECK(colour_for({.reads = true, .no_color = "1", .term = "xterm"}) == Colour::off);
  CHECK(colour_for({.reads = true, .no_color = "0", .term = "xterm"}) == Colour::off);
  CHECK(colour_for({.reads = true, .no_color = nullptr, .term = "dumb"}) == Colour::off);
  CHECK(colour_for({.reads = true, .no_color = nullptr, .term = nullptr}) == Colour::off);
  CHECK(colour_for({.reads = false, .no_color = nullptr, .term = "xterm"}) == Colour::off);
}
