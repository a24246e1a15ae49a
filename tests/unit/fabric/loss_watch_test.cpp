#include "fabric/loss_watch.hpp"

#include <doctest/doctest.h>

namespace soya {

TEST_CASE("a loss shows when all that was ahead of it in its queue has left") {
  LossWatch watch;
  CHECK_FALSE(watch.watching());
  watch.lost(3, 1000);
  watch.lost(3, 400);  // behind the first, so it says nothing new
  CHECK(watch.watching());
  watch.left(4, 5000);  // another queue
  watch.left(3, 600);
  CHECK_FALSE(watch.shows());
  watch.left(3, 400);
  CHECK(watch.shows());
  CHECK_FALSE(watch.watching());
  watch.lost(4, 1000);  // what comes now is a consequence, or may be
  CHECK_FALSE(watch.watching());
}

TEST_CASE("of several queues the first whose gap is reached shows it, and an empty queue at once") {
  LossWatch watch;
  watch.lost(1, 900);
  watch.lost(2, 500);
  watch.left(1, 500);
  CHECK_FALSE(watch.shows());
  watch.left(2, 500);
  CHECK(watch.shows());
  LossWatch empty;
  empty.lost(1, 0);
  CHECK(empty.shows());
}

}  // namespace soya
