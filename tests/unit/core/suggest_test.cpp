#include "core/suggest.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace soya;

TEST_CASE("edit distance counts inserted, deleted, replaced and swapped letters") {
  CHECK(edit_distance("rate", "rate") == 0);
  CHECK(edit_distance("", "rate") == 4);
  CHECK(edit_distance("rat", "rate") == 1);
  CHECK(edit_distance("ratee", "rate") == 1);
  CHECK(edit_distance("race", "rate") == 1);
  CHECK(edit_distance("raet", "rate") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest name is suggested only where it is a slip") {
  const std::array<std::string_view, 4> names{"headroom", "buffer", "scheduler", "latency"};
  CHECK(nearest("headrom", names) == "headroom");
  CHECK(nearest("bufer", names) == "buffer");
  CHECK(nearest("latnecy", names) == "latency");
  CHECK_FALSE(nearest("queue", names).has_value());
  CHECK_FALSE(nearest("", names).has_value());
  CHECK_FALSE(nearest(std::string(1'000, 'x'), names).has_value());
  const std::array<std::string_view, 2> letters{"a", "b"};
  CHECK_FALSE(nearest("c", letters).has_value());
}
