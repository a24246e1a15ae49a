#include <doctest/doctest.h>

#include "sweep/shard.hpp"

using namespace soya;

namespace {

using Indices = std::vector<std::int64_t>;

std::string refusal(const std::string& text) {
  try {
    (void)parse_index_list(text);
  } catch (const ShardError& error) {
    return error.what();
  }
  return "";
}

std::string expected_but(const std::string& got) {
  return "expected indices such as 3,17-20 or 4-10:2, at most 10 000 000 of them, got \"" + got + "\"";
}

}  // namespace

TEST_CASE("indices are listed with ranges where three or more follow each other") {
  CHECK(index_list({}) == "");
  CHECK(index_list({3}) == "3");
  CHECK(index_list({3, 17, 18, 19, 20}) == "3,17-20");
  CHECK(index_list({0, 1, 3, 4, 5, 7}) == "0,1,3-5,7");
}

TEST_CASE("an index list is read in any order") {
  CHECK(parse_index_list("") == Indices{});
  CHECK(parse_index_list("3,17-20") == Indices{3, 17, 18, 19, 20});
  CHECK(parse_index_list("17-20,3,18,08") == Indices{3, 8, 17, 18, 19, 20});
  CHECK(parse_index_list("4-10:2") == Indices{4, 6, 8, 10});
  CHECK(parse_index_list("4-11:2") == Indices{4, 6, 8, 10});
  CHECK(parse_index_list("5-5") == Indices{5});
  CHECK(parse_index_list("0-9999999").size() == 10'000'000);
}

TEST_CASE("what was listed is read back") {
  for (const Indices& indices : {Indices{}, Indices{0}, Indices{0, 1}, Indices{0, 2, 3, 4, 8, 9, 100}}) {
    CHECK(parse_index_list(index_list(indices)) == indices);
  }
}

TEST_CASE("what is no index list is refused, naming the part") {
  for (const char* part : {"a", "-3", "3-", "20-17", "1:2", "4-10:0", "4-10:", "1-2-3", " 1", "1%2", "0-10000000",
                           "0-9223372036854775807", "9223372036854775808"}) {
    CHECK(refusal(part) == expected_but(part));
    CHECK(refusal(std::string{"7,"} + part + ",9") == expected_but(part));
  }
  CHECK(refusal(",") == expected_but(""));
  CHECK(refusal("3,") == expected_but(""));
}
