#include "sweep/bisect.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <utility>

#include "core/check.hpp"

using namespace soya;

namespace {

/// What holds from `least` on, and how often it was asked.
struct From {
  std::int64_t least;
  int asked{0};
  bool operator()(std::int64_t value) {
    ++asked;
    return value >= least;
  }
};

}  // namespace

TEST_CASE("bisection finds the least value of every range, with and without a guess") {
  for (std::int64_t least = 1; least <= 40; ++least) {
    for (std::int64_t guess = -1; guess <= 42; ++guess) {
      CAPTURE(least);
      CAPTURE(guess);
      From from{least};
      BisectRange range{0, 40};
      if (guess >= 0) range.guess = guess;
      const BisectAnswer answer = bisect(range, std::ref(from));
      CHECK(answer.smallest == least);
      CHECK(answer.monotone);
      CHECK(answer.probes.at(least));
      // One less was tried, or is the end that is taken not to hold.
      if (least > 1) CHECK_FALSE(answer.probes.at(least - 1));
      CHECK(answer.probes.count(0) == 0);
      CHECK(std::cmp_equal(answer.probes.size(), from.asked));
    }
  }
}

TEST_CASE("nothing is found where the largest value does not hold") {
  From from{101};
  const BisectAnswer answer = bisect({0, 100}, std::ref(from));
  CHECK_FALSE(answer.smallest);
  CHECK(answer.monotone);
  CHECK(from.asked == 1);
}

TEST_CASE("a search takes about as many probes as its range has bits, a right guess five") {
  // 2^20 values: 20 halvings, the end, and the two of the check at most.
  From plain{700'001};
  CHECK(bisect({0, 1 << 20}, std::ref(plain)).smallest == 700'001);
  CHECK(plain.asked <= 23);
  // The end, the guess, one less, and the two of the check.
  From guessed{700'001};
  CHECK(bisect({0, 1 << 20, 700'001}, std::ref(guessed)).smallest == 700'001);
  CHECK(guessed.asked == 5);
}

TEST_CASE("a value far below that holds, or one above that does not, is told") {
  // Holds from 600 on, and from 100 to 400: the check halfway below, at 599 - 599 / 2 = 300, sees it.
  const auto gap_below = [](std::int64_t value) { return value >= 600 || (value >= 100 && value <= 400); };
  const BisectAnswer below = bisect({0, 1000, 600}, gap_below);
  CHECK(below.smallest == 600);
  CHECK_FALSE(below.monotone);
  // Holds from 200 on, but not from 500 to 700: the check halfway above, at 200 + 800 / 2 = 600, sees it.
  const auto hole_above = [](std::int64_t value) { return value >= 200 && (value < 500 || value > 700); };
  const BisectAnswer above = bisect({0, 1000, 200}, hole_above);
  CHECK(above.smallest == 200);
  CHECK_FALSE(above.monotone);
}

TEST_CASE("a range without values is a defect of the caller") {
  CHECK_THROWS_AS((void)bisect({5, 5}, [](std::int64_t) { return true; }), InternalError);
}
