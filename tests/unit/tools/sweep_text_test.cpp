#include "soya/sweep_text.hpp"

#include <doctest/doctest.h>

#include "support/temporary_folder.hpp"
#include "sweep/sweep_store.hpp"

using namespace soya;
using namespace soya::cli;
using namespace soya::test;

TEST_CASE("a sweep's outcome in one screen: reasons of a kind together, the most frequent first") {
  const TemporaryFolder folder;
  StoreHead head{SOYA_VERSION, "by-distance", "text", {{"a", ""}}, {}, 6, {}, {}, "base"};
  {
    SweepStore store{folder.path(), head};
    const auto finish = [&](std::int64_t number, PointOutcome outcome, const std::string& why) {
      store.finish({number, std::string(31, 'a') + std::to_string(number), {{"1", 1}}, outcome, why, "", "", {}});
    };
    finish(0, PointOutcome::sound, "");
    finish(1, PointOutcome::refused, "headroom 100 > buffer 64");
    finish(2, PointOutcome::refused, "headroom 200 > buffer 64");
    finish(3, PointOutcome::unsound, "s port h1 lost 12 frames");
    finish(5, PointOutcome::sound, "");
  }
  StoreReader reader{folder / "sweep.sqlite"};
  const SweepSummary summary = sweep_summary(reader);
  CHECK(summary.done == 5);
  CHECK(sweep_summary_text(summary, "out: points.csv sweep.sqlite", Colour::off) ==
        "by-distance: 5 of 6 points have a result\n"
        "          2  sound\n"
        "          1  unsound\n"
        "          2  refused\n"
        "\n"
        "Without a sound run, and why (points, the first of them)\n"
        "          2  refused    point 1: headroom 100 > buffer 64\n"
        "          1  unsound    point 3: s port h1 lost 12 frames\n"
        "\n"
        "out: points.csv sweep.sqlite\n");
}
