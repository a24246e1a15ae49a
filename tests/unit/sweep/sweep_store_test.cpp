// What a store keeps, and what it makes of files that are none. Kills are in store_kill_test.cpp.
#include "sweep/sweep_store.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "results/files.hpp"
#include "support/sample_points.hpp"
#include "support/sqlite_reader.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;
using soya::test::numbers_in;
using soya::test::sample_head;
using soya::test::sample_point;
using soya::test::SqliteReader;
using soya::test::TemporaryFolder;
using soya::test::write_points;

namespace {

bool same(const StoredPoint& a, const StoredPoint& b) {
  return a.point == b.point && a.id == b.id && a.cells == b.cells && a.outcome == b.outcome && a.why_not == b.why_not &&
         a.effective == b.effective && a.summary == b.summary && a.extra == b.extra;
}

std::vector<StoredPoint> read_all(const std::filesystem::path& folder) {
  std::vector<StoredPoint> points;
  StoreReader{folder / "sweep.sqlite"}.for_each([&](const StoredPoint& point) { points.push_back(point); });
  return points;
}

/// What opening the store in `folder` for writing and for reading complains about, without the folder's name.
template <class Open>
std::string complaint(const TemporaryFolder& folder, Open open) {
  try {
    open();
    return "none";
  } catch (const std::runtime_error& error) {
    std::string text = error.what();
    const std::string path = folder.path().string() + "/";
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) text.erase(at, path.size());
    return text;
  }
}

std::string writing(const TemporaryFolder& folder, const StoreHead& head = sample_head(4)) {
  return complaint(folder, [&] { SweepStore{folder.path(), head}; });
}

std::string reading(const TemporaryFolder& folder) {
  return complaint(folder, [&] { StoreReader{folder / "sweep.sqlite"}; });
}

std::string damaged(const std::string& why) {
  return "sweep.sqlite: damaged (" + why +
         "); delete it, with sweep.sqlite-wal where there is one, and run again what it held: no other points are lost";
}

}  // namespace

TEST_CASE("points come back as they went in, in order of their numbers") {
  const TemporaryFolder folder;
  StoredPoint odd = sample_point(1);
  odd.outcome = PointOutcome::no_answer;
  odd.why_not = "both ends hold, \"so\" nothing\nis known";
  odd.cells[1] = {"札幌, 稚内", {}};
  odd.extra = {{"probes", 17}, {"answer", 0.1}, {"plan.bdp_bytes", 1e300}};
  odd.summary.clear();
  {
    SweepStore store{folder / "deep/out", sample_head(300)};
    for (std::int64_t number = 299; number >= 0; --number) store.finish(number == 1 ? odd : sample_point(number));
    // 300 points are two pages of the reader.
    CHECK(store.counts() ==
          std::map<PointOutcome, std::int64_t>{{PointOutcome::sound, 299}, {PointOutcome::no_answer, 1}});
  }
  const std::vector<StoredPoint> points = read_all(folder / "deep/out");
  REQUIRE(points.size() == 300);
  for (std::int64_t number = 0; number < 300; ++number) {
    CHECK(same(points[static_cast<std::size_t>(number)], number == 1 ? odd : sample_point(number)));
  }
}

TEST_CASE("the head comes back, and the store's tables are those of the page") {
  const TemporaryFolder folder;
  StoreHead head = sample_head(11, {2, 3});
  head.answer = {"fabric.headroom.size", "bytes"};
  write_points(folder.path(), head, {5, 2});
  StoreReader reader{folder / "sweep.sqlite"};
  CHECK(reader.head().version == SOYA_VERSION);
  CHECK(reader.head().name == "reach");
  CHECK(reader.head().sweep == "scenario: reach.yaml\n");
  CHECK(reader.head().columns == head.columns);
  CHECK(reader.head().keep == head.keep);
  CHECK(reader.head().points == 11);
  CHECK(reader.head().shard == Shard{2, 3});
  CHECK(reader.head().answer == head.answer);
  CHECK(reader.head().base == "b5");
  CHECK(reader.has(2));
  CHECK_FALSE(reader.has(8));
  SqliteReader sqlite{folder / "sweep.sqlite"};
  CHECK(sqlite.ask("select point, outcome, json_extract(cells, '$[0][1]') from point order by point") ==
        "2|sound|3000.0;5|sound|6000.0");
  CHECK(sqlite.ask("select name from sqlite_schema where type in ('table', 'view') order by name") ==
        "place;point;result;running;sweep");
  // A closed store is one file, without a log that would have to travel with it.
  CHECK(sqlite.ask("pragma journal_mode") == "delete");
  CHECK_FALSE(std::filesystem::exists(folder / "sweep.sqlite-wal"));
}

TEST_CASE("a reader sees each finished point at once, and what is under way") {
  const TemporaryFolder folder;
  SweepStore store{folder.path(), sample_head(4)};
  StoreReader reader{folder / "sweep.sqlite"};
  SqliteReader sqlite{folder / "sweep.sqlite"};
  CHECK(sqlite.ask("pragma journal_mode") == "wal");
  store.begin(2, sample_point(2).id);
  store.begin(0, sample_point(0).id);
  CHECK(reader.running() == std::vector<RunningPoint>{{0, sample_point(0).id}, {2, sample_point(2).id}});
  store.finish(sample_point(2));
  CHECK(reader.running() == std::vector<RunningPoint>{{0, sample_point(0).id}});
  CHECK(numbers_in(folder.path()) == "2 ");
  CHECK(sqlite.ask("select count(*) from point") == "1");
  store.finish(sample_point(0));
  CHECK(reader.running().empty());
  CHECK(reader.counts() == std::map<PointOutcome, std::int64_t>{{PointOutcome::sound, 2}});
}

TEST_CASE("a sweep that was edited keeps its results, which find their new numbers by id") {
  const TemporaryFolder folder;
  write_points(folder.path(), sample_head(4), {0, 1, 2});
  StoreHead edited = sample_head(2);
  edited.name = "shorter";
  {
    SweepStore store{folder.path(), edited};
    CHECK(store.has(sample_point(2).id));
    CHECK_FALSE(store.has(sample_point(3).id));
    store.adopt(1, sample_point(2).id, sample_point(2).cells);
    // Not before the first new point: killed now, the store is as it was.
    CHECK(numbers_in(folder.path()) == "0 1 2 ");
    store.begin(0, sample_point(3).id);
    CHECK(numbers_in(folder.path()) == "1 ");
  }
  const std::vector<StoredPoint> points = read_all(folder.path());
  REQUIRE(points.size() == 1);
  StoredPoint moved = sample_point(2);
  moved.point = 1;
  CHECK(same(points.front(), moved));
  CHECK(StoreReader{folder / "sweep.sqlite"}.head().name == "shorter");
  // Back to the first form: nothing was lost.
  SweepStore store{folder.path(), sample_head(4)};
  for (const std::int64_t number : {0, 1, 2}) CHECK(store.has(sample_point(number).id));
}

TEST_CASE("opened again for the same sweep, a store has its points where they were") {
  const TemporaryFolder folder;
  write_points(folder.path(), sample_head(4), {0, 2});
  { const SweepStore store{folder.path(), sample_head(4)}; }
  CHECK(numbers_in(folder.path()) == "0 2 ");
  {
    SweepStore store{folder.path(), sample_head(4)};
    store.adopt(2, sample_point(2).id, sample_point(2).cells);
    store.finish(sample_point(1));
  }
  CHECK(numbers_in(folder.path()) == "0 1 2 ");
  // Another base scenario: ids may be others, so none has its place before it is adopted.
  StoreHead other = sample_head(4);
  other.base = "b6";
  { const SweepStore store{folder.path(), other}; }
  CHECK(numbers_in(folder.path()).empty());
}

TEST_CASE("a point whose scenario is another now has another result") {
  const TemporaryFolder folder;
  SweepStore store{folder.path(), sample_head(4)};
  store.finish(sample_point(1));
  StoredPoint other = sample_point(1);
  other.id = sample_point(3).id;
  store.finish(other);
  const std::vector<StoredPoint> points = read_all(folder.path());
  REQUIRE(points.size() == 1);
  CHECK(points.front().id == other.id);
  CHECK(store.has(sample_point(1).id));
}

TEST_CASE("two points of one effective scenario share a result") {
  const TemporaryFolder folder;
  SweepStore store{folder.path(), sample_head(4)};
  store.finish(sample_point(0));
  store.adopt(3, sample_point(0).id, sample_point(3).cells);
  store.commit();
  const std::vector<StoredPoint> points = read_all(folder.path());
  REQUIRE(points.size() == 2);
  CHECK(points[1].id == points[0].id);
  CHECK(points[1].summary == points[0].summary);
  CHECK(points[1].cells == sample_point(3).cells);
  CHECK(store.counts().at(PointOutcome::sound) == 2);
  CHECK(SqliteReader{folder / "sweep.sqlite"}.ask("select count(*) from result") == "1");
  // A second result of the id changes nothing.
  StoredPoint other = sample_point(0);
  other.why_not = "another";
  store.finish(other);
  CHECK(read_all(folder.path()).front().why_not.empty());
}

TEST_CASE("what crashed is forgotten with its places and nothing else is") {
  const TemporaryFolder folder;
  SweepStore store{folder.path(), sample_head(6)};
  for (const std::int64_t number : {0, 1, 2, 3}) {
    StoredPoint point = sample_point(number);
    if (number % 2 == 1) point.outcome = PointOutcome::crashed;
    store.finish(point);
  }
  store.adopt(5, sample_point(1).id, sample_point(5).cells);
  CHECK(store.forget(PointOutcome::crashed) == 2);
  CHECK(store.forget(PointOutcome::crashed) == 0);
  CHECK(numbers_in(folder.path()) == "0 2 ");
  CHECK_FALSE(store.has(sample_point(1).id));
}

TEST_CASE("a second sweep on the folder is refused while the first lives") {
  const TemporaryFolder folder;
  {
    const SweepStore store{folder.path(), sample_head(4)};
    CHECK(complaint(folder, [&] {
            SweepStore{folder.path(), sample_head(4)};
          }) == "cannot write " + folder.path().string() + ": another sweep is running there");
  }
  CHECK(writing(folder) == "none");
}

TEST_CASE("threads write side by side") {
  const TemporaryFolder folder;
  {
    SweepStore store{folder.path(), sample_head(80)};
    std::vector<std::thread> threads;
    for (std::int64_t first = 0; first < 4; ++first) {
      threads.emplace_back([&store, first] {
        for (std::int64_t number = first; number < 80; number += 4) {
          store.begin(number, sample_point(number).id);
          store.finish(sample_point(number));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(store.counts().at(PointOutcome::sound) == 80);
  }
  CHECK(StoreReader{folder / "sweep.sqlite"}.running().empty());
}

TEST_CASE("where there can be no log, a journal does") {
  const TemporaryFolder folder;
  // The log's index cannot be made where its name leads nowhere.
  std::filesystem::create_symlink("/nowhere/at/all", folder / "sweep.sqlite-shm");
  SweepStore store{folder.path(), sample_head(4)};
  store.begin(1, sample_point(1).id);
  store.finish(sample_point(1));
  CHECK(SqliteReader{folder / "sweep.sqlite"}.ask("pragma journal_mode") == "delete");
  CHECK(numbers_in(folder.path()) == "1 ");
}

TEST_CASE("a commit that was cut off is undone before anything is read") {
  const TemporaryFolder folder;
  write_points(folder.path(), sample_head(4), {0});
  std::string journal;
  {
    SqliteDatabase writer{folder / "sweep.sqlite"};
    writer.execute("PRAGMA cache_size=1; BEGIN");
    // More than the cache holds goes to the file, and what was there to the journal.
    for (int copy = 0; copy < 2; ++copy) writer.execute("UPDATE result SET effective = hex(zeroblob(20000))");
    writer.execute("UPDATE sweep SET name = hex(zeroblob(20000))");
    journal = test::read_text(folder / "sweep.sqlite-journal");
    const std::string half = test::read_text(folder / "sweep.sqlite");
    writer.execute("ROLLBACK");
    test::write_text(folder / "sweep.sqlite", half);
  }
  REQUIRE(journal.size() > 512);
  test::write_text(folder / "sweep.sqlite-journal", journal);
  const auto read_only = [&] { return SqliteReader{folder / "sweep.sqlite", SQLITE_OPEN_READONLY}; };
  CHECK(read_only().ask("select name from sweep").starts_with("error: "));
  CHECK(numbers_in(folder.path()) == "0 ");
  CHECK(same(read_all(folder.path()).front(), sample_point(0)));
  CHECK_FALSE(std::filesystem::exists(folder / "sweep.sqlite-journal"));
}

TEST_CASE("a store of another version is refused, to write and to read") {
  const TemporaryFolder folder;
  StoreHead old = sample_head(4);
  old.version = "0.0.9";
  write_points(folder.path(), old, {0});
  const std::string message =
      "sweep.sqlite: written by soya 0.0.9, and this is " SOYA_VERSION "; choose another --out, or move it away";
  CHECK(writing(folder) == message);
  CHECK(reading(folder) == message);
  CHECK_THROWS_AS(SweepStore(folder.path(), sample_head(4)), StoreError);
  // Nothing was changed: the old version can go on with it.
  CHECK(writing(folder, old) == "none");
}

TEST_CASE("a file that a killed run left empty is begun anew") {
  const TemporaryFolder folder;
  test::write_text(folder / "sweep.sqlite", "");
  CHECK(reading(folder) == "sweep.sqlite: no sweep has begun in it; run it again");
  write_points(folder.path(), sample_head(4), {3});
  CHECK(numbers_in(folder.path()) == "3 ");
}

TEST_CASE("what is no store is refused and stays as it was") {
  const TemporaryFolder folder;
  const std::string garbage(5000, 'x');
  test::write_text(folder / "sweep.sqlite", garbage);
  CHECK(writing(folder) == damaged("file is not a database"));
  CHECK(reading(folder) == damaged("file is not a database"));
  CHECK(test::read_text(folder / "sweep.sqlite") == garbage);

  std::filesystem::remove(folder / "sweep.sqlite");
  SqliteDatabase{folder / "sweep.sqlite"}.execute("CREATE TABLE sweep (a TEXT)");
  const std::string other = "sweep.sqlite: a database, but of no sweep of Soya; choose another --out, or move it away";
  CHECK(writing(folder) == other);
  CHECK(reading(folder) == other);
  CHECK(SqliteReader{folder / "sweep.sqlite"}.ask("select count(*) from sweep") == "0");

  std::filesystem::remove(folder / "sweep.sqlite");
  std::filesystem::create_directory(folder / "sweep.sqlite");
  CHECK(complaint(folder, [&] {
          SweepStore{folder.path(), sample_head(4)};
        }) == "cannot write sweep.sqlite: Is a directory");
}

TEST_CASE("a store cut short anywhere is refused, or whole, never half") {
  const TemporaryFolder folder;
  write_points(folder / "whole", sample_head(40), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const std::string whole = test::read_text(folder / "whole/sweep.sqlite");
  REQUIRE(whole.size() > 20'000);
  for (std::size_t size = 1; size < whole.size(); size += 997) {
    const TemporaryFolder cut;
    test::write_text(cut / "sweep.sqlite", whole.substr(0, size));
    CHECK_MESSAGE(reading(cut).starts_with("sweep.sqlite: damaged ("), size, ": ", reading(cut));
    CHECK_MESSAGE(writing(cut).starts_with("sweep.sqlite: damaged ("), size, ": ", writing(cut));
  }
}

TEST_CASE("rows that no sweep writes are damage, told with the point") {
  const std::string shard_row = "INSERT INTO place SELECT 3, id, cells FROM place WHERE point = 1";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"UPDATE place SET cells = '[[\"1km\"' WHERE point = 1", "no sweep writes its row of point 1"},
      {"UPDATE place SET cells = '[[\"1km\", 1000]]' WHERE point = 1", "no sweep writes its row of point 1"},
      {"UPDATE result SET outcome = 'fine' WHERE id LIKE '%1'", "no sweep writes its row of point 1"},
      {"UPDATE result SET extra = '{\"answer\": \"x\"}'", "no sweep writes its row of point 1"},
      {"DELETE FROM result", "no sweep writes its row of point 1"},
      {"UPDATE place SET point = 4 WHERE point = 1", "no sweep writes its row of point 4"},
  };
  for (const auto& [change, why] : cases) {
    const TemporaryFolder folder;
    write_points(folder.path(), sample_head(4), {1});
    SqliteDatabase{folder / "sweep.sqlite"}.execute(change);
    CHECK(complaint(folder, [&] { (void)read_all(folder.path()); }) == damaged(why));
  }
  const TemporaryFolder folder;
  write_points(folder.path(), sample_head(6, {1, 3}), {1});
  SqliteDatabase{folder / "sweep.sqlite"}.execute(shard_row);
  CHECK(complaint(folder, [&] { (void)read_all(folder.path()); }) == damaged("no sweep writes its row of point 3"));
}

TEST_CASE("a store whose head is gone or spoilt is damaged") {
  const TemporaryFolder folder;
  write_points(folder.path(), sample_head(4), {1});
  SqliteDatabase{folder / "sweep.sqlite"}.execute("UPDATE sweep SET columns = '{'");
  CHECK(reading(folder).starts_with("sweep.sqlite: damaged ("));
  SqliteDatabase{folder / "sweep.sqlite"}.execute("DELETE FROM sweep");
  CHECK(reading(folder) == damaged("it says nothing of its sweep"));
  CHECK(writing(folder) == damaged("it says nothing of its sweep"));
}

TEST_CASE("beginning and finishing a point takes far less than its simulation") {
  const TemporaryFolder folder;
  SweepStore store{folder.path(), sample_head(1000)};
  StoredPoint point = sample_point(0);
  // About what a real point keeps: 10 kB of scenario, 4 kB of summary.
  point.effective.assign(10'000, 'e');
  point.summary.assign(4'000, 's');
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t number = 0; number < 1000; ++number) {
    point.point = number;
    point.id = sample_point(number).id;
    store.begin(point.point, point.id);
    store.finish(point);
  }
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  MESSAGE("begin and finish: ", elapsed.count() / 1000, " ms a point");
  // Wall time is told, not checked, but for a mistake of two orders, such as an fsync for each point on a slow disk.
  CHECK(elapsed.count() / 1000 < 20);
}
