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

TEST_CASE("a message stays on its line for a file, and is broken between words for a terminal") {
  const std::string two = "warning: s.yaml:1:2: a b c\nwarning: 10 155 000 B\n";
  CHECK(message_text(two, std::nullopt) == two);
  CHECK(message_text(two, 80) == two);
  // 20 columns hold "warning: s.yaml:1:2:"; a number and its unit are one word, and 8 + 1 + 12 columns one too many.
  CHECK(message_text(two, 20) == "warning: s.yaml:1:2:\n  a b c\nwarning:\n  10 155 000 B\n");
  CHECK(message_text("warning: 10 155 000 B", 21) == "warning: 10 155 000 B\n");
  CHECK(message_text("", 20).empty());
  // Lines of the message stay lines; what a user's text smuggles in is spelled.
  CHECK(message_text("a\x1b[2J\r\nb\xff\n", std::nullopt) == "a\\x1b[2J\\r\nb\\xff\n");
}
