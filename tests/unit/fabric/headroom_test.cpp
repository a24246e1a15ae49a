#include "fabric/headroom.hpp"

#include <doctest/doctest.h>

namespace soya {

TEST_CASE("per-queue headroom is the sum of what the groups own, and each group uses its own only") {
  PerQueueHeadroomPool pool{{1000_B, 0_B, 2000_B}};
  CHECK(pool.carved() == 3000_B);
  CHECK(pool.take(0, 700_B) == 0_B);
  CHECK(pool.take(0, 301_B) == 1_B);  // 1001 of 1000, although group 2 has 2000 free
  CHECK(pool.use(0) == 700_B);
  CHECK(pool.take(0, 300_B) == 0_B);
  CHECK(pool.take(1, 1_B) == 1_B);
  CHECK(pool.take(2, 2000_B) == 0_B);
  CHECK(pool.use(0) == pool.size(0));
}

TEST_CASE("headroom gives back what it holds and no more") {
  PerQueueHeadroomPool pool{{1000_B}};
  REQUIRE(pool.take(0, 400_B) == 0_B);
  CHECK(pool.give_back(0, 300_B) == 300_B);
  CHECK(pool.give_back(0, 300_B) == 100_B);
  CHECK(pool.give_back(0, 300_B) == 0_B);
  CHECK(pool.use(0) == 0_B);
  CHECK(pool.peak(0) == 400_B);
}

TEST_CASE("what was needed is the most held and refused together between two resumes") {
  PerQueueHeadroomPool pool{{1000_B}};
  CHECK(pool.take(0, 800_B) == 0_B);
  CHECK(pool.needed(0) == 800_B);
  CHECK(pool.take(0, 500_B) == 300_B);
  CHECK(pool.needed(0) == 1300_B);
  CHECK(pool.give_back(0, 600_B) == 600_B);
  CHECK(pool.take(0, 700_B) == 0_B);  // 900 held and 500 refused
  CHECK(pool.needed(0) == 1400_B);
  CHECK(pool.give_back(0, 900_B) == 900_B);
  pool.resumed(0);
  CHECK(pool.take(0, 1000_B) == 0_B);
  CHECK(pool.needed(0) == 1400_B);
}

TEST_CASE("the pool is made from the mode") {
  const HeadroomPool pool = make_headroom_pool(PerQueueHeadroom{}, {10_B, 20_B});
  CHECK(std::get<PerQueueHeadroomPool>(pool).carved() == 30_B);
}

}  // namespace soya
