// What is said of a pg_profile_lookup.ini that cannot be read.
#include "planning/sonic_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace soya;

namespace {

std::string complaints(const std::string& text) {
  try {
    (void)read_sonic_table("t.ini", text);
    return {};
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a value of a SONiC table that is none says what was expected, with its place") {
  CHECK(complaints("fast 5m 1 2 3 0\n") == "t.ini:1:1: speed: expected a speed in Mbit/s such as 100000, got \"fast\"");
  CHECK(complaints("0 5m 1 2 3 0\n") == "t.ini:1:1: speed: expected a speed in Mbit/s such as 100000, got \"0\"");
  CHECK(complaints("100000 5 1 2 3 0\n") ==
        "t.ini:1:8: cable: expected a length above 0 such as 40m or 80km, got \"5\"");
  CHECK(complaints("100000 0m 1 2 3 0\n") ==
        "t.ini:1:8: cable: expected a length above 0 such as 40m or 80km, got \"0m\"");
  CHECK(complaints("100000 -5m 1 2 3 0\n") ==
        "t.ini:1:8: cable: expected a length above 0 such as 40m or 80km, got \"-5m\"");
  CHECK(complaints("100000 5m 1.5 2 3 0\n") == "t.ini:1:11: size: expected a number of bytes, got \"1.5\"");
  CHECK(complaints("100000 5m 1 -2 3 0\n") == "t.ini:1:13: xon: expected a number of bytes, got \"-2\"");
  CHECK(complaints("100000 5m 1 2 64KiB 0\n") == "t.ini:1:15: xoff: expected a number of bytes, got \"64KiB\"");
  CHECK(complaints("100000 5m 1 2 99999999999999999999 0\n") ==
        "t.ini:1:15: xoff: expected a number of bytes, got \"99999999999999999999\"");
  CHECK(complaints("100000 5m 1 2 3 x\n") == "t.ini:1:17: threshold: expected n of alpha = 2^n, or bytes, got \"x\"");
}

TEST_CASE("every line of a SONiC table that is wrong is told, and a header too") {
  CHECK(complaints("# speed cable size xon xoff alpha\n100000 5m\n\n1 2 3 4 5 6 7 8\n") ==
        "t.ini:1:29: unknown column \"alpha\"; known: speed cable size xon xoff threshold xon_offset\n"
        "t.ini:2:1: expected the columns speed cable size xon xoff threshold and perhaps xon_offset, got 2 values\n"
        "t.ini:4:1: expected the columns speed cable size xon xoff threshold and perhaps xon_offset, got 8 values");
  CHECK(complaints("# speed cable xoff xoff\n1 5m 1 1 1\n") == "t.ini:1:20: column \"xoff\" twice");
}

TEST_CASE("a binary file is told as one, and a long word by its beginning") {
  CHECK(complaints(std::string("1\0", 2)) ==
        "t.ini: holds zero bytes: no table, or a text in UTF-16; save it as UTF-8");
  CHECK(complaints(std::string(1000, 'a') + " 5m 1 2 3\n") ==
        "t.ini:1:1: speed: expected a speed in Mbit/s such as 100000, got \"" + std::string(40, 'a') + "...\"");
}

TEST_CASE("JSON is no table, and what reads it is named") {
  CHECK(complaints("\n {\"BUFFER_POOL\": {}}\n") ==
        "t.ini: is JSON, not a table such as pg_profile_lookup.ini; soya import sonic-buffers reads JSON");
}

TEST_CASE("a file without rows is no table") {
  CHECK(complaints("# nothing\n") == "t.ini: no rows; expected lines such as \"100000 40m 18432 18432 40960 0\"");
}

TEST_CASE("of a file that is no table the first twenty lines are told") {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text +=
        "\x7f"
        "ELF\n";
  const std::string told = complaints(text);
  CHECK(std::count(told.begin(), told.end(), '\n') == 19);
  CHECK(told.starts_with("t.ini:1:1: expected the columns "));
}
