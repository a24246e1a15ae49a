// A writer that is killed at any moment, and a machine that refuses: every row is whole, and every finished point is
// there.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <random>

#include "results/files.hpp"
#include "support/sample_points.hpp"
#include "support/sqlite_reader.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;
using soya::test::sample_head;
using soya::test::sample_point;
using soya::test::TemporaryFolder;

namespace {

constexpr std::int64_t most_points = 100'000;

/// 12 kB in which every byte depends on the point: half a row would show.
StoredPoint large_point(std::int64_t number) {
  StoredPoint point = sample_point(number);
  point.effective.assign(12'000, static_cast<char>('a' + number % 26));
  return point;
}

/// A child that runs `work` and never returns to the test.
pid_t start(const std::function<void()>& work) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child > 0) return child;
  try {
    work();
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

int end_of(pid_t child) {
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

/// Writes points that are missing, in order, and says on `out` each time one is finished.
void write_on(const std::filesystem::path& folder, int out) {
  SweepStore store{folder, sample_head(most_points)};
  std::int64_t number = 0;
  for (; store.has(sample_point(number).id); ++number) {
    store.adopt(number, sample_point(number).id, sample_point(number).cells);
  }
  for (; number < most_points; ++number) {
    store.begin(number, sample_point(number).id);
    store.finish(large_point(number));
    if (::write(out, "x", 1) != 1) return;
  }
}

/// How many points are there: 0, 1, … without a gap, each of them whole.
std::int64_t whole_rows(const std::filesystem::path& folder) {
  std::int64_t count = 0;
  StoreReader reader{folder / "sweep.sqlite"};
  reader.for_each([&](const StoredPoint& point) {
    const StoredPoint whole = large_point(count);
    REQUIRE(point.point == count);
    REQUIRE(point.effective == whole.effective);
    REQUIRE(point.summary == whole.summary);
    REQUIRE(point.cells == whole.cells);
    ++count;
  });
  return count;
}

/// The same of a writer that has died: it was at most at the next one.
std::int64_t rows_left(const std::filesystem::path& folder) {
  const std::int64_t count = whole_rows(folder);
  const std::vector<RunningPoint> running = StoreReader{folder / "sweep.sqlite"}.running();
  REQUIRE(running.size() <= 1);
  if (!running.empty()) REQUIRE(running.front() == RunningPoint{count, sample_point(count).id});
  return count;
}

}  // namespace

TEST_CASE("fifty kills at random moments: the store is readable, its rows whole, and what was finished stays") {
  const TemporaryFolder folder;
  std::mt19937 random{38};  // NOLINT(cert-msc51-cpp): the moments are the machine's anyway
  std::int64_t finished = 0;
  int with_points = 0;
  for (int kill = 0; kill < 50; ++kill) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = start([&] { write_on(folder.path(), ends[1]); });
    ::close(ends[1]);
    // Some die while they open the store, most at some moment of the points after that.
    std::int64_t reported = 0;
    char one = 0;
    for (auto wait = static_cast<std::int64_t>(random() % 20); reported < wait; ++reported) {
      REQUIRE(::read(ends[0], &one, 1) == 1);
    }
    ::usleep(static_cast<useconds_t>(random() % 1'000));
    REQUIRE(::kill(child, SIGKILL) == 0);
    const int status = end_of(child);
    REQUIRE(WIFSIGNALED(status));
    while (::read(ends[0], &one, 1) == 1) ++reported;
    ::close(ends[0]);
    if (reported > 0) ++with_points;
    if (finished + reported == 0) continue;  // the file may not have been begun
    const std::int64_t there = rows_left(folder.path());
    // One more where the kill came between the commit and the report.
    CHECK(there >= finished + reported);
    CHECK(there <= finished + reported + 1);
    finished = there;
  }
  CHECK(with_points > 25);
  {
    SweepStore store{folder.path(), sample_head(most_points)};
    CHECK(test::SqliteReader{folder / "sweep.sqlite"}.ask("pragma integrity_check") == "ok");
  }
  CHECK_FALSE(std::filesystem::exists(folder / "sweep.sqlite-wal"));
}

TEST_CASE("of two processes on a folder one writes, the other is refused and harms nothing") {
  const TemporaryFolder folder;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = start([&] { write_on(folder.path(), ends[1]); });
  ::close(ends[1]);
  char first = 0;
  REQUIRE(::read(ends[0], &first, 1) == 1);
  CHECK(is_held(folder.path()));
  const std::string refusal = "cannot write " + folder.path().string() + ": another sweep is running there";
  CHECK_THROWS_WITH_AS(SweepStore(folder.path(), sample_head(most_points)), refusal.c_str(), MachineError);
  // It reads on and on while the other writes.
  for (int times = 0; times < 5; ++times) CHECK(whole_rows(folder.path()) > 0);
  REQUIRE(::kill(child, SIGKILL) == 0);
  (void)end_of(child);
  ::close(ends[0]);
  CHECK_FALSE(is_held(folder.path()));
  CHECK(rows_left(folder.path()) > 0);
}

TEST_CASE("a full disk is the machine's refusal, and what was finished before stays") {
  const TemporaryFolder folder;
  {
    SweepStore store{folder.path(), sample_head(most_points)};
    store.finish(large_point(0));
  }
  const pid_t child = start([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
    SweepStore store{folder.path(), sample_head(most_points)};
    store.adopt(0, sample_point(0).id, sample_point(0).cells);
    try {
      for (std::int64_t number = 1; number < 100; ++number) store.finish(large_point(number));
    } catch (const MachineError& error) {
      ::_exit(error.reason() == "File too large" ? 3 : 4);
    }
  });
  const int status = end_of(child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
  // 200 000 bytes hold some points of 12 000, and no hundred.
  const std::int64_t there = rows_left(folder.path());
  CHECK(there >= 2);
  CHECK(there < 17);
}
