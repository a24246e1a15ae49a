#include "engine/crew.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using namespace soya;

TEST_CASE("every member does its share of every round, and a round sees all of the one before") {
  for (const std::size_t members : {1UL, 2UL, 3UL, 16UL}) {
    CAPTURE(members);
    std::vector<int> counts(members);
    std::vector<int> seen(members);
    Crew crew{members, [&](std::size_t member) {
                for (std::size_t other = 0; other < members; ++other) seen[member] += other == member ? 0 : 1;
                ++counts[member];
              }};
    CHECK(crew.size() == members);
    for (int round = 1; round <= 200; ++round) {
      crew.work();
      for (const int count : counts) REQUIRE(count == round);
    }
    for (const int others : seen) CHECK(others == 200 * (static_cast<int>(members) - 1));
  }
}

TEST_CASE("what a member throws is thrown where the round was begun, the first member's first") {
  Crew crew{3, [](std::size_t member) {
              if (member > 0) throw std::runtime_error{std::to_string(member)};
            }};
  try {
    crew.work();
    FAIL("nothing was thrown");
  } catch (const std::runtime_error& error) {
    CHECK(std::string{error.what()} == "1");
  }
}

TEST_CASE("a crew that never works ends") {
  const Crew crew{4, [](std::size_t) {}};
  CHECK(crew.size() == 4);
}
