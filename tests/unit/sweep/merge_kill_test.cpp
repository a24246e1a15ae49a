// A merge that is killed at any moment leaves a store and a table that can be read.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "support/sample_points.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/merge.hpp"
#include "sweep/points_csv.hpp"

using namespace soya;
using soya::test::sample_head;
using soya::test::sample_point;
using soya::test::TemporaryFolder;

namespace {

constexpr std::int64_t points = 2000;

void write_half(const std::filesystem::path& folder, std::int64_t first) {
  SweepStore store{folder, sample_head(points, {first, 2})};
  for (std::int64_t number = first; number < points; number += 2) store.finish(sample_point(number));
}

/// Lines of points.csv without its header: two quantities of each point.
std::int64_t rows_of(const std::filesystem::path& table) {
  const std::string text = test::read_text(table);
  return std::count(text.begin(), text.end(), '\n') - 1;
}

}  // namespace

TEST_CASE("thirty merges killed at random moments: out has what it had, or all of it") {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder / "out";
  write_half(folder / "a", 0);
  write_half(folder / "b", 1);
  const auto start = std::chrono::steady_clock::now();
  REQUIRE(merge_stores({folder / "a/sweep.sqlite"}, out).missing.count() == points / 2);
  const std::chrono::duration<double, std::micro> half_time = std::chrono::steady_clock::now() - start;
  const std::string half = test::read_text(out / "points.csv");
  CHECK(rows_of(out / "points.csv") == points);
  // A later sweep on the merged store was killed: a log lies beside it.
  if (const pid_t child = ::fork(); child == 0) {
    SweepStore store{out, sample_head(points)};
    store.begin(1, sample_point(1).id);
    ::kill(::getpid(), SIGKILL);
  } else {
    REQUIRE(::waitpid(child, nullptr, 0) == child);
  }
  REQUIRE(std::filesystem::file_size(out / "sweep.sqlite-wal") > 0);
  std::mt19937 random{38};  // NOLINT(cert-msc51-cpp): the moments are the machine's anyway
  int killed = 0;
  for (int kill = 0; kill < 30; ++kill) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      (void)merge_stores({folder / "a/sweep.sqlite", folder / "b/sweep.sqlite"}, out);
      ::_exit(0);
    }
    // A whole merge takes twice the time of a half, or so; some live to its end.
    ::usleep(static_cast<useconds_t>(half_time.count() * 3 * static_cast<double>(random() % 1'000) / 1'000));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status)) ++killed;
    std::int64_t there = 0;
    StoreReader{out / "sweep.sqlite"}.for_each([&](const StoredPoint& point) {
      REQUIRE(point.summary == sample_point(point.point).summary);
      ++there;
    });
    CHECK((there == points / 2 || there == points));
    const std::int64_t rows = rows_of(out / "points.csv");
    CHECK((rows == points || rows == 2 * points));
  }
  CHECK(killed > 5);
  CHECK(merge_stores({folder / "a/sweep.sqlite", folder / "b/sweep.sqlite"}, out).complete());
  CHECK(rows_of(out / "points.csv") == 2 * points);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(out)) ++files;
  CHECK(files == 2);
}
