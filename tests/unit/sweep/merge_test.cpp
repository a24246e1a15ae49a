#include "sweep/merge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>

#include "results/files.hpp"
#include "support/sample_points.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/points_csv.hpp"
#include "sweep/shard.hpp"

using namespace soya;
using soya::test::numbers_in;
using soya::test::read_text;
using soya::test::sample_head;
using soya::test::sample_point;
using soya::test::TemporaryFolder;
using soya::test::write_points;

namespace fs = std::filesystem;

namespace {

MergeReport merge(const std::vector<fs::path>& folders, const fs::path& out) {
  return merge_stores(stores_in(folders, out), out);
}

/// What merging complains about, without the folder's name.
std::string complaint(const TemporaryFolder& folder, const std::vector<fs::path>& folders, const fs::path& out) {
  try {
    (void)merge(folders, out);
    return "none";
  } catch (const std::runtime_error& error) {
    std::string text = error.what();
    const std::string path = folder.path().string() + "/";
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) text.erase(at, path.size());
    return text;
  }
}

/// A store of one point that is `point`.
void write_point(const fs::path& folder, const StoreHead& head, const StoredPoint& point) {
  SweepStore store{folder, head};
  store.finish(point);
}

/// points.csv of all `points` in one store, written by one process.
std::string whole_table(std::int64_t points) {
  const TemporaryFolder folder;
  SweepStore store{folder.path(), sample_head(points)};
  for (std::int64_t number = 0; number < points; ++number) store.finish(sample_point(number));
  StoreReader reader{folder / "sweep.sqlite"};
  write_points_csv(reader, folder / "points.csv");
  return read_text(folder / "points.csv");
}

}  // namespace

TEST_CASE("ranges of indices: neighbours join, and what is too much is counted") {
  IndexRanges ranges{3};
  CHECK(ranges.text().empty());
  ranges.add(3, 2);
  CHECK(ranges.count() == 0);
  ranges.add(3, 5);
  ranges.add(6, 7);
  ranges.add(12, 12);
  CHECK(ranges.text() == "3-7,12");
  ranges.add(14, 14);
  ranges.add(16, 17);
  ranges.add(15, 15);
  CHECK(ranges.text() == "3-7,12,14");
  CHECK(ranges.left_out() == 3);
  CHECK(ranges.count() == 10);
}

TEST_CASE("ten points, two missing, one twice and equal, one twice and different") {
  const TemporaryFolder folder;
  const fs::path out = folder / "out";
  // Point 4 is in both and equal; 3 and 7 are nowhere.
  write_points(folder / "a", sample_head(10), {0, 1, 2, 4, 5});
  write_points(folder / "b", sample_head(10), {4, 6, 8, 9});
  const MergeReport report = merge({folder / "a", folder / "b"}, out);
  CHECK(report.written());
  CHECK_FALSE(report.complete());
  CHECK(report.stores == 2);
  CHECK(report.done() == 8);
  CHECK(report.duplicates == 1);
  CHECK(report.missing.text() == "3,7");
  CHECK(numbers_in(out) == "0 1 2 4 5 6 8 9 ");
  const std::string table = read_text(out / "points.csv");

  // Point 5 again, with another summary: an error that names both, and nothing changes.
  StoredPoint other = sample_point(5);
  other.summary = R"({"drops": {"lossless": 6}})";
  write_point(folder / "c", sample_head(10), other);
  for (const auto& [first, second] : {std::pair{"a", "c"}, std::pair{"c", "a"}}) {
    const MergeReport refused = merge({folder / first, folder / "b", folder / second}, folder / "none");
    CHECK_FALSE(refused.written());
    REQUIRE(refused.conflict_count == 1);
    CHECK(refused.conflicts.front().point == 5);
    CHECK(refused.conflicts.front().what == "summary");
    CHECK(refused.conflicts.front().first == folder / first / "sweep.sqlite");
    CHECK(refused.conflicts.front().second == folder / second / "sweep.sqlite");
    CHECK(fs::is_empty(folder / "none"));
  }
  CHECK_FALSE(merge({folder / "c"}, out).written());
  CHECK(read_text(out / "points.csv") == table);
  CHECK(numbers_in(out) == "0 1 2 4 5 6 8 9 ");

  // The missing ones come: out has the others already.
  write_points(folder / "d", sample_head(10), {3, 7});
  const MergeReport complete = merge({folder / "d"}, out);
  CHECK(complete.complete());
  CHECK(complete.outcomes == std::map<PointOutcome, std::int64_t>{{PointOutcome::sound, 10}});
  CHECK(read_text(out / "points.csv") == whole_table(10));
}

TEST_CASE("a crash gives way to a result of another try, and of two crashes the same one stays in any order") {
  const TemporaryFolder folder;
  const auto crashed = [](std::int64_t number, const std::string& why) {
    StoredPoint point = sample_point(number);
    point.outcome = PointOutcome::crashed;
    point.why_not = why;
    point.effective.clear();
    point.summary.clear();
    return point;
  };
  // Point 0 crashed in a and was sound in b; point 1 crashed in both.
  {
    SweepStore store{folder / "a", sample_head(2)};
    store.finish(crashed(0, "ended by signal 9 (Killed), twice"));
    store.finish(crashed(1, "ended by signal 9 (Killed), twice"));
  }
  {
    SweepStore store{folder / "b", sample_head(2)};
    store.finish(sample_point(0));
    store.finish(crashed(1, "ended by signal 11 (Segmentation fault), twice"));
  }
  for (const auto& [first, second] : {std::pair{"a", "b"}, std::pair{"b", "a"}}) {
    CAPTURE(first);
    const fs::path out = folder / (std::string{"out-"} + first);
    const MergeReport report = merge({folder / first, folder / second}, out);
    CHECK(report.written());
    CHECK(report.complete());
    CHECK(report.outcomes ==
          std::map<PointOutcome, std::int64_t>{{PointOutcome::sound, 1}, {PointOutcome::crashed, 1}});
    std::vector<StoredPoint> points;
    StoreReader reader{out / "sweep.sqlite"};
    reader.for_each([&](const StoredPoint& point) { points.push_back(point); });
    REQUIRE(points.size() == 2);
    CHECK(points[0].summary == sample_point(0).summary);
    CHECK(points[1].why_not == "ended by signal 11 (Segmentation fault), twice");
  }
  CHECK(read_text(folder / "out-a/points.csv") == read_text(folder / "out-b/points.csv"));
  // Merged into what held the crash.
  CHECK(merge({folder / "b"}, folder / "a").written());
  CHECK(read_text(folder / "a/points.csv") == read_text(folder / "out-b/points.csv"));
}

TEST_CASE("whatever differs of a result is told") {
  const auto changed = [](auto change) {
    StoredPoint point = sample_point(2);
    change(point);
    return point;
  };
  const std::vector<std::pair<std::string, StoredPoint>> cases{
      {"outcome", changed([](StoredPoint& point) { point.outcome = PointOutcome::unsound; })},
      {"why_not", changed([](StoredPoint& point) { point.why_not = "late"; })},
      {"extra", changed([](StoredPoint& point) {
         point.extra = {{"probes", 3}};
       })},
      {"summary", changed([](StoredPoint& point) { point.summary = "{}"; })},
      {"effective scenario", changed([](StoredPoint& point) { point.effective += "a: b\n"; })},
      {"scenario", changed([](StoredPoint& point) { point.id.front() = 'f'; })},
  };
  for (const auto& [what, point] : cases) {
    const TemporaryFolder folder;
    write_points(folder / "a", sample_head(4), {0, 1, 2});
    write_point(folder / "b", sample_head(4), point);
    const MergeReport report = merge({folder / "a", folder / "b"}, folder / "out");
    REQUIRE(report.conflict_count == 1);
    CHECK(report.conflicts.front().what == what);
    CHECK(report.conflicts.front().first == folder / "a/sweep.sqlite");
  }
}

TEST_CASE("any number of shards in any order give the bytes of one run") {
  constexpr std::int64_t points = 300;
  const std::string expected = whole_table(points);
  std::mt19937 random{6};  // NOLINT(cert-msc51-cpp): the same orders each time
  for (const std::int64_t count : {1, 3, 8, 64}) {
    const TemporaryFolder folder;
    std::vector<fs::path> folders;
    for (Shard shard{0, count}; shard.index < count; ++shard.index) {
      std::vector<std::int64_t> numbers;
      for (std::int64_t number = shard.index; number < points; number += count) numbers.push_back(number);
      std::shuffle(numbers.begin(), numbers.end(), random);
      folders.push_back(folder / "in" / shard_folder(shard));
      write_points(folders.back(), sample_head(points, shard), numbers);
    }
    std::shuffle(folders.begin(), folders.end(), random);
    CHECK(merge(folders, folder / "one").complete());
    CHECK(read_text(folder / "one/points.csv") == expected);
    // By their parent, into the parent, and once more.
    CHECK(merge({folder / "in"}, folder / "in").complete());
    CHECK(read_text(folder / "in/points.csv") == expected);
    const MergeReport again = merge({folder / "in", folder / "in"}, folder / "in");
    CHECK(again.complete());
    CHECK(again.duplicates == points);
    CHECK(read_text(folder / "in/points.csv") == expected);
    CHECK(StoreReader{folder / "in/sweep.sqlite"}.head().shard == Shard{0, 1});
  }
}

TEST_CASE("two points of one result stay two, whichever stores they come from") {
  const TemporaryFolder folder;
  StoredPoint twin = sample_point(0);
  twin.point = 3;
  twin.cells = sample_point(3).cells;
  write_points(folder / "a", sample_head(4), {0, 1, 2});
  write_point(folder / "b", sample_head(4), twin);
  const MergeReport report = merge({folder / "a", folder / "b"}, folder / "out");
  CHECK(report.complete());
  CHECK(report.duplicates == 0);
  CHECK(numbers_in(folder / "out") == "0 1 2 3 ");
}

TEST_CASE("a damaged store is named and nothing of it is taken, the rest is merged") {
  const TemporaryFolder folder;
  write_points(folder / "in/shard-00000-of-00003", sample_head(6, {0, 3}), {0, 3});
  write_points(folder / "in/shard-00001-of-00003", sample_head(6, {1, 3}), {1, 4});
  write_points(folder / "in/shard-00002-of-00003", sample_head(6, {2, 3}), {2, 5});
  SqliteDatabase{folder / "in/shard-00001-of-00003/sweep.sqlite"}.execute(
      "UPDATE place SET cells = '' WHERE point = 4");
  test::write_text(folder / "in/shard-00002-of-00003/sweep.sqlite", "not a database, whatever its name");
  const MergeReport report = merge({folder / "in"}, folder / "out");
  CHECK(report.written());
  CHECK_FALSE(report.complete());
  CHECK(report.stores == 1);
  REQUIRE(report.damaged.size() == 2);
  CHECK(report.damaged[0] ==
        StoreDamaged{folder / "in/shard-00002-of-00003/sweep.sqlite", "file is not a database"}.what());
  CHECK(report.damaged[1] ==
        StoreDamaged{folder / "in/shard-00001-of-00003/sweep.sqlite", "no sweep writes its row of point 4"}.what());
  CHECK(report.missing.text() == "1,2,4,5");
  CHECK(numbers_in(folder / "out") == "0 3 ");
}

TEST_CASE("shards that are running or have not begun are merged as far as they are") {
  const TemporaryFolder folder;
  SweepStore running{folder / "in/shard-00000-of-00003", sample_head(6, {0, 3})};
  running.finish(sample_point(3));
  running.begin(0, sample_point(0).id);
  fs::create_directories(folder / "in/shard-00001-of-00003");
  fs::create_directories(folder / "in/shard-00002-of-00003");
  test::write_text(folder / "in/shard-00002-of-00003/sweep.sqlite", "");
  const MergeReport report = merge({folder / "in"}, folder / "in");
  CHECK(report.written());
  CHECK(report.damaged.empty());
  CHECK(report.missing.text() == "0-2,4,5");
  CHECK(StoreReader{folder / "in/sweep.sqlite"}.running().empty());
  running.finish(sample_point(0));
  CHECK(merge({folder / "in"}, folder / "in").missing.text() == "1,2,4,5");
}

TEST_CASE("stores of two sweeps are not merged, and it is told what differs") {
  const auto refusal = [](auto change) {
    const TemporaryFolder folder;
    StoreHead other = sample_head(4);
    change(other);
    write_points(folder / "a", sample_head(4), {0});
    write_points(folder / "b", other, {});
    return complaint(folder, {folder / "a", folder / "b"}, folder / "out");
  };
  const auto sweeps = [](const std::string& what) {
    return "a/sweep.sqlite and b/sweep.sqlite are of two sweeps: " + what +
           "; keep one sweep to a folder, and choose another --out for the other";
  };
  CHECK(refusal([](StoreHead& head) { head.name = "far"; }) == sweeps("the names are reach and far"));
  CHECK(refusal([](StoreHead& head) { head.sweep += "#"; }) == sweeps("the texts of the sweep differ"));
  CHECK(refusal([](StoreHead& head) { head.base = "b6"; }) == sweeps("the scenarios that the sweep varies differ"));
  CHECK(refusal([](StoreHead& head) { head.points = 5; }) == sweeps("they have 4 and 5 points"));
  CHECK(refusal([](StoreHead& head) { head.columns.pop_back(); }) == sweeps("their columns differ"));
  CHECK(refusal([](StoreHead& head) { head.keep.clear(); }) == sweeps("what they keep differs"));
  CHECK(refusal([](StoreHead& head) { head.answer = {"seed", ""}; }) == sweeps("what they search for differs"));
  CHECK(refusal([](StoreHead& head) { head.version = "0.0.9"; }) ==
        "b/sweep.sqlite: written by soya 0.0.9, and this is " SOYA_VERSION "; choose another --out, or move it away");
  CHECK(refusal([](StoreHead& head) { head.shard = {2, 7}; }) == "none");
}

TEST_CASE("an --out with the store of another sweep, a damaged one, or a writer, is left alone") {
  const TemporaryFolder folder;
  write_points(folder / "a", sample_head(4), {0});
  StoreHead other = sample_head(4);
  other.name = "far";
  write_points(folder / "out", other, {1});
  CHECK(
      complaint(folder, {folder / "a"}, folder / "out").starts_with("a/sweep.sqlite and out/sweep.sqlite are of two"));
  CHECK(numbers_in(folder / "out") == "1 ");

  test::write_text(folder / "bad/sweep.sqlite", "");
  fs::create_directory(folder / "bad");
  test::write_text(folder / "bad/sweep.sqlite", "some other file of importance");
  CHECK(complaint(folder, {folder / "a"}, folder / "bad").starts_with("bad/sweep.sqlite: damaged ("));
  CHECK(read_text(folder / "bad/sweep.sqlite") == "some other file of importance");
  CHECK_FALSE(fs::exists(folder / "bad/points.csv"));
  CHECK_FALSE(fs::exists(folder / "bad/sweep.sqlite.partial"));

  const SweepStore writer{folder / "busy", sample_head(4)};
  CHECK(complaint(folder, {folder / "a"}, folder / "busy") == "cannot write busy: another sweep is running there");
}

TEST_CASE("a folder without a store is told") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "in/shard-00000-of-00001");
  CHECK(complaint(folder, {folder / "in"}, folder / "out") ==
        "in: holds no sweep.sqlite and no folder of a shard that does");
  CHECK(complaint(folder, {folder / "nothing"}, folder / "out") ==
        "nothing: cannot be read: No such file or directory");
  test::write_text(folder / "in/sweep.sqlite", "");
  CHECK(complaint(folder, {folder / "in"}, folder / "out") ==
        "no sweep has begun in any of these stores; run it first");
}
