#include "soya/display_width.hpp"

#include <doctest/doctest.h>

using namespace soya::cli;

TEST_CASE("display width counts columns, not bytes") {
  CHECK(display_width("") == 0);
  CHECK(display_width("leaf1") == 5);
  CHECK(display_width("Sōya") == 4);
  CHECK(display_width("札幌") == 4);
  CHECK(display_width("札幌-leaf1") == 4 + 6);
  // A combining macron takes no column of its own; half-width katakana take one each, full-width letters two.
  CHECK(display_width("o\u0304") == 1);
  CHECK(display_width("ｱｲ") == 2);
  CHECK(display_width("Ａ") == 2);
  CHECK(display_width("한") == 2);
  CHECK(display_width("🚄") == 2);
}

TEST_CASE("bytes that are no UTF-8 count one column each and do not swallow what follows") {
  CHECK(display_width("\xff\xfe") == 2);
  CHECK(display_width("\xe6\x9c") == 2);  // 札 cut short
  CHECK(display_width("\xe6"
                      "ab") == 3);        // a lead byte without its continuation
  CHECK(display_width("\xc0\xaf") == 2);  // overlong
}

TEST_CASE("a name cannot steer the terminal") {
  CHECK(printable("a\x1b[31mb\nc\x7f") == "a?[31mb?c?");
  CHECK(printable("札幌\xff") == "札幌?");
  CHECK(printable("\xc2\x9b"
                  "2J") == "?2J");  // U+009B, the one-character control sequence introducer
}

TEST_CASE("a text is cut at whole characters and says so") {
  CHECK(shortened("leaf1", 5) == "leaf1");
  CHECK(shortened("leaf12", 5) == "leaf…");
  // 札 takes columns 1 and 2; 幌 would end at 4 and leave no room for the ellipsis.
  CHECK(shortened("札幌稚内", 4) == "札…");
  CHECK(shortened("札幌稚内", 5) == "札幌…");
}

TEST_CASE("a text is cut inside at whole characters and keeps its end") {
  CHECK(shortened_inside("leaf1", 5) == "leaf1");
  // 12 columns are 6, the ellipsis, and (12 - 1) / 2 = 5.
  CHECK(shortened_inside("pod2-aggregation4", 12) == "pod2-a…tion4");
  // 6 columns are 3 and 2 beside the ellipsis; of the 3 only 札 fits, with 2.
  CHECK(shortened_inside("札幌稚内", 6) == "札…内");
  CHECK(shortened_inside("leaf12", 2) == "l…");
}

TEST_CASE("padding fills to columns and never cuts") {
  CHECK(pad_right("札幌", 6) == "札幌  ");
  CHECK(pad_left("札幌", 6) == "  札幌");
  CHECK(pad_left("leaf1", 3) == "leaf1");
}

TEST_CASE("wrapping breaks at blanks, indents what follows and keeps grouped numbers whole") {
  CHECK(wrapped("aa bb cc", 8, "- ", "  ") == "- aa bb\n  cc\n");
  CHECK(wrapped("", 8, "- ", "  ") == "- \n");
  CHECK(wrapped("averylongword b", 8, "", "") == "averylongword\nb\n");
  CHECK(wrapped("needs 22 838 B", 11, "", "") == "needs\n22 838 B\n");
  CHECK(wrapped("has 64 B now", 6, "", "") == "has\n64 B\nnow\n");
  CHECK(wrapped("all 64 frames", 6, "", "") == "all 64\nframes\n");
}
