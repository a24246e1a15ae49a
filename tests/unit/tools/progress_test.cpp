#include "soya/progress.hpp"

#include <doctest/doctest.h>

#include "support/sample_results.hpp"
#include "support/sqlite_reader.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;
using namespace soya::cli;

namespace {

ProgressReport halfway() {
  // 10 of 40 transfers in 20 s: the other 30 take 60 s at that pace. 164 million events in 20 s are 8.2 million per
  // second.
  return {"", Time{1'234'000'000}, 10, 40, 164'000'000, 20.0, 312 * 1024 * 1024};
}

}  // namespace

TEST_CASE("a progress line says how far, how fast, how long still and how much memory") {
  CHECK(progress_line(halfway()) ==
        "soya: 1.234 ms simulated, 10 of 40 transfers finished, 8.2 M events/s, about 1 min left, 312 MiB");
}

TEST_CASE("one of several runs is named, too early for an estimate says so") {
  ProgressReport report = halfway();
  report.run = "札幌-pool";
  report.elapsed_s = 1;
  report.events = 8'200;
  CHECK(progress_line(report) ==
        "soya: 札幌-pool: 1.234 ms simulated, 10 of 40 transfers finished, 8.2 k events/s, time left unknown, 312 MiB");
}

TEST_CASE("nothing known yet divides by nothing") {
  CHECK(progress_line({}) == "soya: 0 ps simulated, 0 of 0 transfers finished, 0 events/s, time left unknown, 0 B");
}

TEST_CASE("the bar fills with the share of transfers, and never beyond") {
  // A quarter of 20 columns.
  CHECK(progress_bar(halfway()).starts_with("[=====               ]  25 % 1.234 ms simulated"));
  ProgressReport report = halfway();
  report.transfers_finished = 41;
  CHECK(progress_bar(report).starts_with("[====================] 100 % "));
  report.transfers = 0;
  CHECK(progress_bar(report).starts_with("[                    ]   0 % "));
}

TEST_CASE("the closing line divides time by packets and the links they take, and fits a terminal") {
  // 36 million packet-hops in 3.06 s: 85 ns each; 61 million events in 3.06 s: 19.9 million per second.
  CHECK(closing_line(61'000'000, 36'000'000, 3.06, 212 * 1024 * 1024) ==
        "soya: 61 000 000 events in 3.06 s, 19.9 M events/s, 85 ns per packet and link, memory 212 MiB");
  CHECK(closing_line(0, 0, 0, 1024) == "soya: 0 events in 0.00 s, 0 events/s, memory 1 KiB");
  // A short run that was held up: 3 s for 1000 hops are 3 000 000 ns each.
  CHECK(closing_line(1000, 1000, 3, 1024) ==
        "soya: 1 000 events in 3.00 s, 333 events/s, 3 000 000 ns per packet and link, memory 1 KiB");
  // Ten thousand million events in 1000 s: 10.0 M/s; 200 ns each for five thousand million hops. 99.5 GiB of memory.
  const std::string longest = closing_line(10'000'000'000, 5'000'000'000, 1000, 199LL << 29);
  CHECK(longest ==
        "soya: 10 000 000 000 events in 1000 s, 10.0 M events/s, 200 ns per packet and link, memory 99.5 GiB");
  CHECK(longest.size() <= 100);
}

TEST_CASE("a board tells runs to go on until one fails") {
  const test::TemporaryFolder folder;
  ResultsDatabase live{folder / "r.sqlite.partial"};
  const InterruptWatch watch;
  ProgressBoard board{live, watch, ProgressStyle::none, {}};
  RunProgress first{board, ""};
  RunProgress second{board, "pool"};
  first.transfer_finished(test::incast_results().transfer_rows[0]);
  CHECK(first.proceed({}));
  CHECK(second.proceed({}));
  board.stop_all();
  CHECK_FALSE(first.proceed({}));
  CHECK_FALSE(second.proceed({}));
}

TEST_CASE("transfers finished so far can be read once it is time to commit, and not before") {
  const test::TemporaryFolder folder;
  ResultsDatabase live{folder / "r.sqlite.partial"};
  const InterruptWatch watch;
  test::SqliteReader reader{folder / "r.sqlite.partial"};
  const auto count = [&] { return reader.ask("select count(*) from transfer"); };
  {
    ProgressBoard board{live, watch, ProgressStyle::none, {}};
    RunProgress run{board, ""};
    run.transfer_finished(test::incast_results().transfer_rows[0]);
    CHECK(run.proceed({}));
    CHECK(count() == "0");
  }
  ProgressBoard::Intervals at_once;
  at_once.commit = ProgressBoard::Clock::duration{0};
  ProgressBoard board{live, watch, ProgressStyle::none, at_once};
  CHECK(RunProgress(board, "").proceed({}));
  CHECK(count() == "1");
}
