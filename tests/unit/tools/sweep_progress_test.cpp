#include "soya/sweep_progress.hpp"

#include <doctest/doctest.h>

using namespace soya;
using namespace soya::cli;

TEST_CASE("progress says how many points, how fast, and how long it takes by the work that is left") {
  SweepProgress progress;
  progress.points = 5000;
  CHECK(sweep_progress_text(progress, 0) == "soya: 0 of 5 000 points done");
  progress.done = 100;
  progress.ended = 40;  // 60 were there
  // 4900 are left, at 40 in 20 s: 2450 s.
  CHECK(sweep_progress_text(progress, 20) == "soya: 100 of 5 000 points done, 2.0 points/s, about 41 min left");
  progress.all_known = true;
  progress.hops_ended = 1000;
  progress.hops_waiting = 3000;
  CHECK(sweep_progress_text(progress, 20) == "soya: 100 of 5 000 points done, 2.0 points/s, about 1 min left");
  progress.done = 5000;
  progress.ended = 4940;
  CHECK(sweep_progress_text(progress, 20) == "soya: 5 000 of 5 000 points done, 247 points/s");
}
