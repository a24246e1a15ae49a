#include "core/utf8.hpp"

#include <doctest/doctest.h>

using namespace soya;

TEST_CASE("a message shows control characters and stray bytes as C spells them, and leaves text alone") {
  CHECK(visible("") == "");
  CHECK(visible("札幌-incast \"a\" \\ → ~") == "札幌-incast \"a\" \\ → ~");
  CHECK(visible("a\nb\r\tc") == "a\\nb\\r\\tc");
  CHECK(visible("\x1b[31m\x7f") == "\\x1b[31m\\x7f");
  CHECK(visible(std::string_view{"a\0b", 3}) == "a\\x00b");
  CHECK(visible("\xff札\xe5\xb9") == "\\xff札\\xe5\\xb9");
  // U+0080 and U+009F are controls of one character in UTF-8, U+00A0 is a blank and U+00E9 an e.
  CHECK(visible("\xc2\x80\xc2\x9f\xc2\xa0\xc3\xa9") == "\\u0080\\u009f\xc2\xa0\xc3\xa9");
}
