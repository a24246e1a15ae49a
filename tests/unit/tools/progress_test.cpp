#include "soya/progress.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

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

/// What `act` writes to standard error.
template <class Act>
std::string written_by(const std::filesystem::path& file, Act act) {
  const int before = ::dup(STDERR_FILENO);
  const int captured = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(captured, STDERR_FILENO);
  act();
  ::dup2(before, STDERR_FILENO);
  ::close(captured);
  ::close(before);
  return test::read_text(file);
}

}  // namespace

TEST_CASE("a progress line says how far, how fast, how long still and how much memory") {
  CHECK(progress_line(halfway()) ==
        "soya: 1.234 ms simulated, 10 of 40 transfers finished, 8.2 M events/s, about 1 min left, 312 MiB");
}

TEST_CASE("time left follows packet-hops where they were expected, and transfers where there were more") {
  ProgressReport report = halfway();
  // Half of the packet-hops took 20 s, so that the other half takes 20 s.
  report.packet_hops = 500;
  report.expected_hops = 1000;
  CHECK(progress_line(report).find(" about 20 s left,") != std::string::npos);
  CHECK(progress_bar(report).starts_with("[==========          ]  50 % "));
  report.packet_hops = 1001;
  CHECK(progress_line(report).find(" about 1 min left,") != std::string::npos);
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
  // Not all before the end: 99 % of 20 columns.
  report.transfers_finished = 41;
  CHECK(progress_bar(report).starts_with("[=================== ]  99 % "));
  report.transfers = 0;
  CHECK(progress_bar(report).starts_with("[                    ]   0 % "));
}

TEST_CASE("the closing line divides time by packets and the links they take, and fits a terminal") {
  // 36 million packet-hops in 3.06 s: 85 ns each; 61 million events in 3.06 s: 19.9 million per second.
  CHECK(closing_line(61'000'000, 36'000'000, 3.06, 212 * 1024 * 1024) ==
        "soya: 61 000 000 events in 3.06 s, 19.9 M events/s, 85 ns per packet-hop, memory 212 MiB");
  CHECK(closing_line(0, 0, 0, 1024) == "soya: 0 events in 0.00 s, 0 events/s, memory 1 KiB");
  // A short run that was held up: 3 s for 1000 hops are 3 000 000 ns each.
  CHECK(closing_line(1000, 1000, 3, 1024) ==
        "soya: 1 000 events in 3.00 s, 333 events/s, 3 000 000 ns per packet-hop, memory 1 KiB");
  // Ten thousand million events in 1000 s: 10.0 M/s; 200 ns each for five thousand million hops. 99.5 GiB of memory.
  const std::string longest = closing_line(10'000'000'000, 5'000'000'000, 1000, 199LL << 29);
  CHECK(longest ==
        "soya: 10 000 000 000 events in 1000 s, 10.0 M events/s, 200 ns per packet-hop, memory 99.5 GiB");
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

TEST_CASE("on a pipe a line comes every 10 s and none earlier, on a terminal five bars a second, quietly nothing") {
  const test::TemporaryFolder folder;
  ResultsDatabase live{folder / "r.sqlite.partial"};
  const InterruptWatch watch;
  struct Case {
    ProgressStyle style;
    std::chrono::milliseconds interval;
    const char* start;  ///< of what is written each time
  };
  using std::chrono::milliseconds;
  for (const Case& each : {Case{ProgressStyle::lines, milliseconds{10'000}, "soya: "},
                           Case{ProgressStyle::bar, milliseconds{200}, "\r\x1b[K["}}) {
    ProgressBoard::Clock::time_point clock{};
    ProgressBoard::Intervals intervals;
    intervals.now = [&] { return clock; };
    ProgressBoard board{live, watch, each.style, intervals};
    RunProgress run{board, ""};
    const auto at = [&](milliseconds since_start) {
      clock = ProgressBoard::Clock::time_point{since_start};
      return written_by(folder / "err", [&] { CHECK(run.proceed({})); });
    };
    constexpr milliseconds tick{1};
    CHECK(at(milliseconds{0}).empty());
    CHECK(at(each.interval - tick).empty());
    CHECK(at(each.interval).starts_with(each.start));
    CHECK(at(2 * each.interval - tick).empty());
    // Late by three ticks: the next one is due an interval later than this one.
    CHECK(at(2 * each.interval + 3 * tick).starts_with(each.start));
    CHECK(at(3 * each.interval + 2 * tick).empty());
    CHECK(at(3 * each.interval + 3 * tick).starts_with(each.start));
    // A bar goes away, a line stays.
    const std::string cleared = written_by(folder / "err", [&] { board.clear(); });
    CHECK(cleared == (each.style == ProgressStyle::bar ? "\r\x1b[K" : ""));
  }
  ProgressBoard::Clock::time_point clock{};
  ProgressBoard::Intervals intervals;
  intervals.now = [&] { return clock; };
  ProgressBoard quiet{live, watch, ProgressStyle::none, intervals};
  RunProgress run{quiet, ""};
  clock += std::chrono::hours{1};
  CHECK(written_by(folder / "err", [&] { CHECK(run.proceed({})); }).empty());
}

TEST_CASE("the speed and the time left of a line count from the start of the run") {
  const test::TemporaryFolder folder;
  ResultsDatabase live{folder / "r.sqlite.partial"};
  const InterruptWatch watch;
  ProgressBoard::Clock::time_point clock{};
  ProgressBoard::Intervals intervals;
  intervals.now = [&] { return clock; };
  ProgressBoard board{live, watch, ProgressStyle::lines, intervals};
  clock += std::chrono::seconds{5};
  RunProgress late{board, "pool"};
  clock += std::chrono::seconds{10};
  Progress progress;
  progress.now = Time{1'234'000'000};
  progress.transfers_finished = 10;
  progress.transfers = 40;
  progress.events = 82'000'000;
  // 82 million events in 10 s; 10 of 40 transfers in 10 s leave 30 s.
  const std::string line = written_by(folder / "err", [&] { CHECK(late.proceed(progress)); });
  CHECK(line.starts_with(
      "soya: pool: 1.234 ms simulated, 10 of 40 transfers finished, 8.2 M events/s, about 30 s left, "));
  CHECK(line.ends_with("iB\n"));
}
