#include "sweep/sweep_status.hpp"

#include <doctest/doctest.h>

#include "results/files.hpp"
#include "support/sample_points.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/merge.hpp"
#include "sweep/shard.hpp"

using namespace soya;
using soya::test::begin_six;
using soya::test::sample_head;
using soya::test::sample_point;
using soya::test::TemporaryFolder;
using soya::test::write_points;

namespace fs = std::filesystem;

namespace {

using Indices = std::vector<std::int64_t>;

/// A store whose writer was at `running` and is gone.
void leave_running(const fs::path& folder, std::int64_t running) {
  SqliteDatabase database{folder / "sweep.sqlite"};
  SqliteStatement insert{database, "INSERT INTO running VALUES (?,?)"};
  insert.run(running, std::string_view{sample_point(running).id});
}

std::string complaint(const TemporaryFolder& folder, std::optional<std::int64_t> shards = {}) {
  try {
    (void)sweep_status(folder.path(), shards);
    return "none";
  } catch (const StoreError& error) {
    std::string text = error.what();
    const std::string path = folder.path().string();
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) {
      text.replace(at, path.size(), "DIR");
    }
    return text;
  }
}

}  // namespace

TEST_CASE("one store: done, running, missing, and interrupted once its writer is gone") {
  const TemporaryFolder folder;
  {
    SweepStore store{folder.path(), sample_head(6)};
    begin_six(store);
    const SweepStatus status = sweep_status(folder.path());
    CHECK(status.points == 6);
    CHECK(status.done == 2);
    CHECK(status.outcomes ==
          std::map<PointOutcome, std::int64_t>{{PointOutcome::sound, 1}, {PointOutcome::refused, 1}});
    CHECK(status.running == Indices{2});
    CHECK(status.interrupted.empty());
    CHECK(status.missing == Indices{1, 3, 5});
    CHECK(status.to_start() == Indices{1, 3, 5});
    CHECK(status.shards.empty());
    CHECK_FALSE(status.complete());
  }
  const SweepStatus status = sweep_status(folder.path());
  CHECK(status.running.empty());
  CHECK(status.interrupted == Indices{2});
  CHECK(status.missing == Indices{1, 2, 3, 5});
  write_points(folder / "whole", sample_head(2), {0, 1});
  CHECK(sweep_status(folder / "whole").complete());
  CHECK(sweep_status(folder / "whole").to_start().empty());
}

TEST_CASE("shards: done, running, interrupted, not begun, damaged, and those without a folder") {
  const TemporaryFolder folder;
  const auto shard = [&](std::int64_t index) { return folder / shard_folder({index, 6}); };
  // Points 0 to 11: shard i of 6 has i and i + 6.
  write_points(shard(0), sample_head(12, {0, 6}), {0, 6});
  SweepStore running{shard(1), sample_head(12, {1, 6})};
  running.finish(sample_point(1));
  running.begin(7, sample_point(7).id);
  write_points(shard(2), sample_head(12, {2, 6}), {8});
  leave_running(shard(2), 2);
  fs::create_directory(shard(3));
  fs::create_directory(shard(4));
  test::write_text(shard(4) / "sweep.sqlite", "no store at all");
  const SweepStatus status = sweep_status(folder.path());
  REQUIRE(status.shards.size() == 6);
  CHECK(status.shards_in(ShardState::done) == Indices{0});
  CHECK(status.shards_in(ShardState::running) == Indices{1});
  CHECK(status.shards_in(ShardState::interrupted) == Indices{2});
  CHECK(status.shards_in(ShardState::not_begun) == Indices{3, 5});
  CHECK(status.shards_in(ShardState::damaged) == Indices{4});
  CHECK(status.shards[2].points == 2);
  CHECK(status.shards[2].done == 1);
  CHECK(status.to_start() == Indices{2, 3, 4, 5});
  CHECK(status.damaged.size() == 1);
  CHECK(status.points == 12);
  CHECK(status.done == 4);
  CHECK(status.running == Indices{7});
  CHECK(status.interrupted == Indices{2});
  CHECK(status.missing == Indices{2, 3, 4, 5, 9, 10, 11});

  // What the merged store has, no shard must run again: point 2 is all that shard 2 lacks.
  write_points(folder / "by-hand", sample_head(12), {2});
  (void)merge_stores(stores_in({folder / "by-hand", shard(2)}, folder.path()), folder.path());
  CHECK(sweep_status(folder.path()).to_start() == Indices{3, 4, 5});
  CHECK(sweep_status(folder.path()).shards[2].state == ShardState::done);
}

TEST_CASE("a damaged store counts for nothing, also where its first rows can be read") {
  const TemporaryFolder folder;
  write_points(folder.path(), sample_head(4), {0, 1, 2});
  SqliteDatabase{folder / "sweep.sqlite"}.execute("UPDATE result SET outcome = 'fine' WHERE id LIKE '%2'");
  const SweepStatus status = sweep_status(folder.path());
  CHECK(status.done == 0);
  CHECK(status.damaged ==
        std::vector<std::string>{StoreDamaged{folder / "sweep.sqlite", "no sweep writes its row of point 2"}.what()});
  CHECK(status.missing == Indices{0, 1, 2, 3});
}

TEST_CASE("how many shards there are, before any has begun") {
  const TemporaryFolder folder;
  CHECK(complaint(folder) == "DIR: holds no sweep.sqlite and no folder of a shard");
  CHECK(sweep_status(folder.path(), 3).to_start() == Indices{0, 1, 2});
  test::write_text(folder / "sweep.sbatch", "#!/bin/sh\n#SBATCH --array=0-3\n#SOYA shards=4\n#SOYA shards=9\n");
  const SweepStatus status = sweep_status(folder.path());
  CHECK_FALSE(status.head);
  CHECK_FALSE(status.complete());
  CHECK(status.to_start() == Indices{0, 1, 2, 3});
  fs::create_directory(folder / shard_folder({1, 2}));
  CHECK(sweep_status(folder.path()).to_start() == Indices{0, 1});
  CHECK(sweep_status(folder.path(), 2).to_start() == Indices{0, 1});
  CHECK(complaint(folder, 3) == "DIR: --shards 3: its folders are of 2 shards");
  const TemporaryFolder odd;
  test::write_text(odd / "sweep.sbatch", "#SOYA shards=all\n");
  CHECK(complaint(odd) == "DIR/sweep.sbatch: expected a number of shards, got #SOYA shards=all");
}

TEST_CASE("the folder of one shard is asked for its own points") {
  const TemporaryFolder folder;
  write_points(folder.path(), sample_head(10, {1, 3}), {1, 7});
  const SweepStatus status = sweep_status(folder.path());
  CHECK(status.points == 3);
  CHECK(status.done == 2);
  CHECK(status.to_start() == Indices{4});
}

TEST_CASE("stores of two sweeps in one folder are told apart") {
  const TemporaryFolder folder;
  StoreHead other = sample_head(4, {1, 2});
  other.name = "far";
  write_points(folder / shard_folder({0, 2}), sample_head(4, {0, 2}), {0});
  write_points(folder / shard_folder({1, 2}), other, {1});
  CHECK(complaint(folder) ==
        "DIR/shard-00000-of-00002/sweep.sqlite and DIR/shard-00001-of-00002/sweep.sqlite are of two sweeps: the names "
        "are reach and far; keep one sweep to a folder, and choose another --out for the other");
}

TEST_CASE("a writer lives while it holds the folder, or on a shared file system for a minute after a change") {
  const TemporaryFolder folder;
  write_points(folder.path(), sample_head(4), {0});
  const auto changed = fs::last_write_time(folder / "sweep.sqlite");
  CHECK_FALSE(has_writer(folder.path(), false, changed));
  CHECK(has_writer(folder.path(), true, changed + std::chrono::seconds{59}));
  CHECK_FALSE(has_writer(folder.path(), true, changed + std::chrono::seconds{60}));
  test::write_text(folder / "sweep.sqlite-journal", "");
  fs::last_write_time(folder / "sweep.sqlite-journal", changed + std::chrono::seconds{30});
  CHECK(has_writer(folder.path(), true, changed + std::chrono::seconds{60}));
  const FolderLock lock{folder.path()};
  CHECK(has_writer(folder.path(), false, changed + std::chrono::hours{1}));
}

TEST_CASE("a writer that lives says so without a change") {
  const TemporaryFolder folder;
  SweepStore store{folder.path(), sample_head(4)};
  const auto early = fs::file_time_type::clock::now() - std::chrono::hours{1};
  fs::last_write_time(folder / "sweep.sqlite", early);
  store.keep_alive();
  CHECK(fs::last_write_time(folder / "sweep.sqlite") > early + std::chrono::minutes{59});
}
