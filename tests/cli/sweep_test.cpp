// soya sweep run as a user has it: shards, threads, what kills it and goes on, what crashes, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/run_command.hpp"
#include "support/sqlite_reader.hpp"

using namespace soya::test;

namespace {

/// The sweep w.yaml: 10 sizes x 2 modes x 3 seeds of a small incast, a few milliseconds each.
struct SweepFolder : TemporaryFolder {
  SweepFolder() {
    write_text(*this / "s.yaml",
               "topology: {parts: [{leaf_spine: {leaves: 2, spines: 2, hosts_per_leaf: 4}}]}\n"
               "workload: [{permutation: {size: 100KB}}]\n");
    write_text(*this / "w.yaml",
               "name: w\n"
               "scenario: s.yaml\n"
               "axes:\n"
               "  workload[0].permutation.size: {from: 10KB, to: 100KB, points: 10}\n"
               "  fabric.headroom.mode: [per-queue, shared-pool]\n"
               "seeds: 3\n");
  }
  [[nodiscard]] CommandResult run(const std::string& command) const { return run_command(*this, command); }
  [[nodiscard]] std::string csv(const std::string& folder) const { return read_text(*this / (folder + "/points.csv")); }
  [[nodiscard]] std::string ask(const std::string& folder, const std::string& query) const {
    return SqliteReader{*this / (folder + "/sweep.sqlite")}.ask(query);
  }
};

constexpr int points = 10 * 2 * 3;

/// Watches which points of a store are begun: a trigger, which outlives the processes, notes them.
class Beginnings final {
 public:
  Beginnings(const SweepFolder& folder, std::string store) : folder_{&folder}, store_{std::move(store)} {}
  /// What is finished now must not be begun from here on.
  void note() {
    if (!watching_) {
      REQUIRE(folder_
                  ->run("sqlite3 " + store_ +
                        "/sweep.sqlite 'create table begun (point integer); create trigger note after insert on "
                        "running begin insert into begun values (new.point); end'")
                  .status == 0);
      watching_ = true;
    }
    finished_ = folder_->ask(store_, "select coalesce(group_concat(point), '') from place");
    seen_ = folder_->ask(store_, "select count(*) from begun");
  }
  /// How many points have been begun since `note` although they were finished.
  [[nodiscard]] int again() const {
    return std::stoi(folder_->ask(
        store_, "select count(*) from begun where rowid > " + seen_ + " and point in (" + finished_ + ")"));
  }

 private:
  const SweepFolder* folder_;
  std::string store_;
  bool watching_{false};
  std::string finished_{};
  std::string seen_{"0"};
};

/// A sweep whose ten points take a tenth of a second and more each.
void write_slow(const SweepFolder& folder) {
  write_text(folder / "slow.yaml",
             "name: slow\nscenario: s.yaml\nset: {fabric.mtu: 256}\n"
             "axes:\n  workload[0].permutation.size: {from: 5MB, to: 5900KB, points: 10}\n");
}

}  // namespace

TEST_CASE("a sweep runs every point, writes one table, and a second call runs none") {
  const SweepFolder folder;
  const CommandResult first = folder.run("$SOYA sweep run w.yaml");
  CHECK(first.status == 0);
  CHECK(first.out == "w: 60 of 60 points have a result\n         60  sound\n\nout/w: points.csv sweep.sqlite\n");
  CHECK(folder.run("LC_ALL=C ls -A out/w").out == "points.csv\nsweep.sqlite\n");
  const std::string table = folder.csv("out/w");
  // A header, and for each point: sound, and the three quantities that are kept where the file names none.
  CHECK(std::ranges::count(table, '\n') == 1 + points * 4);
  CHECK(table.starts_with("point,id,workload[0].permutation.size_bytes,fabric.headroom.mode,seed,outcome,why_not,"));
  Beginnings beginnings{folder, "out/w"};
  beginnings.note();
  CHECK(folder.run("$SOYA sweep run w.yaml").status == 0);
  CHECK(beginnings.again() == 0);
  CHECK(folder.csv("out/w") == table);
}

TEST_CASE("one, three, eight and 64 shards in any order, on one thread or two, merge to the same bytes") {
  const SweepFolder folder;
  REQUIRE(folder.run("$SOYA sweep run w.yaml --out whole --threads 1").status == 0);
  const std::string table = folder.csv("whole");
  for (const int shards : {1, 3, 8, 64}) {
    CAPTURE(shards);
    const std::string n = std::to_string(shards);
    const CommandResult run =
        folder.run("for i in $(seq 0 " + std::to_string(shards - 1) + " | shuf --random-source=w.yaml); do " +
                   "$SOYA sweep run w.yaml --out of" + n + " --shard $i/" + n +
                   " --threads $((i % 2 + 1)) >/dev/null 2>&1 || exit 9; done; "
                   "$SOYA sweep merge of" +
                   n + " --out merged" + n);
    CHECK(run.status == 0);
    CHECK(folder.csv("merged" + n) == table);
  }
}

TEST_CASE("points are counted and listed without running one, and shards of the list are the whole") {
  const SweepFolder folder;
  CHECK(folder.run("$SOYA sweep run w.yaml --count").out == "60\n");
  const CommandResult all = folder.run("$SOYA sweep run w.yaml --dry-run");
  CHECK(all.status == 0);
  CHECK(std::ranges::count(all.out, '\n') == 1 + points);
  const CommandResult shards = folder.run(
      "for i in 0 1 2 3 4 5 6; do $SOYA sweep run w.yaml --dry-run --shard $i/7 | tail -n +2; done | sort -n");
  CHECK(shards.out == all.out.substr(all.out.find('\n') + 1));
  CHECK(folder.run("ls out").status != 0);
}

TEST_CASE("shards that are none, or have no point") {
  const SweepFolder folder;
  for (const std::string shard : {"0/0", "5/4", "4/4", "-1/4", "/4", "a/b", "1"}) {
    CAPTURE(shard);
    const CommandResult run = folder.run("$SOYA sweep run w.yaml --shard '" + shard + "'");
    CHECK(run.status == 2);
    CHECK(contains(run.err, "expected i/n"));
  }
  const CommandResult empty = folder.run("$SOYA sweep run w.yaml --shard 60/61");
  CHECK(empty.status == 0);
  CHECK(contains(empty.err, "shard 60/61 has no point: the sweep has 60"));
  // 08 is eight, and an array that Slurm numbers 4-10:2 has four shards.
  CHECK(contains(folder.run("$SOYA sweep run w.yaml --dry-run --shard 08/10").out, "\n8,"));
  const CommandResult array = folder.run(
      "SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_MAX=10 SLURM_ARRAY_TASK_STEP=2 "
      "SLURM_ARRAY_TASK_COUNT=4 $SOYA sweep run w.yaml --dry-run");
  CHECK(array.out == folder.run("$SOYA sweep run w.yaml --dry-run --shard 2/4").out);
  const CommandResult list = folder.run(
      "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_STEP=1 "
      "SLURM_ARRAY_TASK_COUNT=3 $SOYA sweep run w.yaml --dry-run");
  CHECK(list.status == 2);
  CHECK(contains(list.err, "--shard"));
}

TEST_CASE("points of a shard are counted, and a shard of another count is refused") {
  const SweepFolder folder;
  // 60 points: shard 0/7 has 0, 7, … 56, and shard 6/7 has 6, 13, … 55.
  CHECK(folder.run("$SOYA sweep run w.yaml --count --shard 0/7").out == "9\n");
  CHECK(folder.run("$SOYA sweep run w.yaml --count --shard 6/7").out == "8\n");
  CHECK(folder.run("$SOYA sweep run w.yaml --shard 0/30").status == 0);
  const CommandResult other = folder.run("$SOYA sweep run w.yaml --shard 1/20");
  CHECK(other.status == 2);
  CHECK(other.err ==
        "soya sweep run: --shard 1/20: out/w holds shards of 30; say so many, or choose another --out\n"
        "Try: soya sweep run --help\n");
  CHECK(folder.run("ls out/w").out == "shard-00000-of-00030\n");
}

TEST_CASE("a folder that is deleted under a sweep ends it at once") {
  const SweepFolder folder;
  write_slow(folder);
  const CommandResult result = folder.run(
      "$SOYA sweep run slow.yaml --quiet --threads 1 & pid=$!; "
      "until test -s out/slow/sweep.sqlite; do sleep 0.01; done; sleep 0.2; rm -r out/slow; wait $pid");
  CHECK(result.status == 4);
  CHECK(result.err ==
        "soya: cannot write out/slow/sweep.sqlite: it was removed, moved or replaced while the sweep ran\n");
}

TEST_CASE("killed fifty times at random moments, it goes on: no point twice, never unreadable, the same table") {
  const SweepFolder folder;
  write_slow(folder);
  REQUIRE(folder.run("$SOYA sweep run slow.yaml --out whole").status == 0);

  std::mt19937 random{7};
  int kills = 0;
  int watched = 0;
  std::int64_t before = 0;
  Beginnings beginnings{folder, "o"};
  for (; kills < 50; ++kills) {
    if (before == 10) {
      // Complete: begin again, so that every kill meets work.
      std::filesystem::remove_all(folder / "o");
      before = 0;
      beginnings = Beginnings{folder, "o"};
    }
    const std::string delay = "0." + std::to_string(100 + random() % 300);
    const CommandResult run = folder.run("$SOYA sweep run slow.yaml --out o --threads 1 --quiet & p=$!; sleep " +
                                         delay + "; kill -9 $p; wait $p");
    CHECK((run.status == 128 + 9 || run.status == 0));
    if (!std::filesystem::exists(folder / "o/sweep.sqlite")) continue;
    const std::string tables = folder.ask("o", "select count(*) from sqlite_master where name = 'result'");
    CHECK((tables == "0" || tables == "1"));  // never unreadable
    const bool begun = tables == "1";
    const std::int64_t rows = begun ? std::stoll(folder.ask("o", "select count(*) from result")) : 0;
    CHECK(rows >= before);
    CHECK(rows <= 10);
    if (before > 0) CHECK(beginnings.again() == 0);
    if (before > 0 && rows > before) ++watched;
    if (begun) beginnings.note();
    before = rows;
  }
  CHECK(watched > 0);
  REQUIRE(folder.run("$SOYA sweep run slow.yaml --out o").status == 0);
  CHECK(beginnings.again() == 0);
  CHECK(folder.csv("o") == folder.csv("whole"));
}

TEST_CASE("Ctrl-C and SIGTERM keep what is finished and say how to go on") {
  const SweepFolder folder;
  write_slow(folder);
  for (const auto& [signal, status] : {std::pair{"INT", 130}, {"TERM", 143}}) {
    CAPTURE(signal);
    std::filesystem::remove_all(folder / "o");
    const CommandResult run = folder.run(
        std::string{
            "$SOYA sweep run slow.yaml --out o --threads 1 & p=$!; n=0; "
            "until [ -e o/sweep.sqlite ] || [ $n -ge 500 ]; do sleep 0.02; n=$((n+1)); done; sleep 0.3; kill -"} +
        signal + " $p; wait $p");
    CHECK(run.status == status);
    // On a busy machine the signal may come before the first point is done.
    const std::string done = folder.ask("o", "select count(*) from point");
    CHECK(contains(run.err, "stopped with " + done + " of 10 points done" + (done == "0" ? "" : ", all of them kept") +
                                "; the same command goes on"));
    CHECK_FALSE(std::filesystem::exists(folder / "o/points.csv"));
    CHECK(folder.run("$SOYA sweep run slow.yaml --out o").status == 0);
  }
}

TEST_CASE("of two processes in one folder one runs, and the other says so") {
  const SweepFolder folder;
  write_slow(folder);
  const CommandResult run = folder.run(
      "$SOYA sweep run slow.yaml --out o --threads 1 >one 2>&1 & p=$!; n=0; "
      "until [ -e o/sweep.sqlite ] || [ $n -ge 500 ]; do sleep 0.02; n=$((n+1)); done; "
      "$SOYA sweep run slow.yaml --out o; s=$?; wait $p && exit $s");
  CHECK(run.status == 4);
  CHECK(contains(run.err, "soya: cannot write o: another "));
  CHECK(folder.ask("o", "select count(*) from result") == "10");
}

TEST_CASE("a process that is killed under a point is started again, and what kills it twice is recorded") {
  const SweepFolder folder;
  write_slow(folder);
  // The child that works is killed, not the one that watches over it: when it has computed for 0.3 s, all but the first
  // hundredths of them on points.
  const std::string kill_child =
      "c=; n=0; until [ -n \"$c\" ] && [ \"$c\" != \"$last\" ] || [ $n -ge 500 ]; do sleep 0.02; n=$((n+1)); "
      "c=$(ps -o pid= --ppid $p | tr -d ' '); done; last=$c; "
      "n=0; until [ $(cut -d ' ' -f 14 /proc/$c/stat) -ge 30 ] || [ $n -ge 500 ]; do sleep 0.02; n=$((n+1)); done; "
      "kill -SEGV $c; ";
  const CommandResult once =
      folder.run("$SOYA sweep run slow.yaml --out o --threads 1 & p=$!; " + kill_child + "wait $p");
  CHECK(once.status == 0);
  CHECK(folder.ask("o", "select count(*) from result where outcome = 'sound'") == "10");

  write_text(folder / "one.yaml", "scenario: s.yaml\nset: {fabric.mtu: 256, \"workload[0].permutation.size\": 40MB}\n");
  const CommandResult twice =
      folder.run("$SOYA sweep run one.yaml --out t & p=$!; " + kill_child + kill_child + "wait $p");
  CHECK(twice.status == 1);
  CHECK(folder.ask("t", "select why_not from point") == "ended by signal 11 (Segmentation fault), twice");
  CHECK(contains(folder.csv("t"), ",crashed,"));
  CHECK(folder.run("$SOYA sweep run one.yaml --out t").status == 1);
  CHECK(folder.run("$SOYA sweep run one.yaml --out t --retry-crashed").status == 0);
  CHECK(folder.ask("t", "select outcome from point") == "sound");
}

TEST_CASE("points that are not sound or are refused are results, with their reason") {
  const SweepFolder folder;
  write_text(folder / "mixed.yaml",
             "scenario: s.yaml\naxes: {fabric.headroom.size: [auto, 1B, 1GiB]}\n"
             "set: {\"workload[0].permutation.size\": 10MB}\n");
  const CommandResult run = folder.run("$SOYA sweep run mixed.yaml --out o");
  CHECK(run.status == 0);
  CHECK(contains(run.out, "refused"));
  CHECK(contains(folder.csv("o"), ",refused,"));
  CHECK(folder.ask("o", "select count(*) from result where outcome = 'refused' and why_not like '%headroom%'") == "1");
}

TEST_CASE("a search whose ends do not differ is refused before any point runs") {
  const SweepFolder folder;
  write_text(folder / "blind.yaml",
             "scenario: s.yaml\n"
             "search: {smallest: fabric.buffer.size, from: 16MiB, to: 32MiB, such_that: drops.lossless == 0}\n");
  const CommandResult run = folder.run("$SOYA sweep run blind.yaml --out o");
  CHECK(run.status == 2);
  CHECK(run.err ==
        "blind.yaml:2:75: search: at the first point (seed 1) both ends hold: 16MiB does, and 32MiB does; begin lower "
        "(from)\n");
  CHECK_FALSE(std::filesystem::exists(folder / "o"));
}

TEST_CASE("conditions that leave nothing, and a store of another version") {
  const SweepFolder folder;
  write_text(folder / "none.yaml", "scenario: s.yaml\naxes: {nic.queue_depth: [1, 2]}\nonly: nic.queue_depth > 5\n");
  const CommandResult none = folder.run("$SOYA sweep run none.yaml --out o");
  CHECK(none.status == 2);
  CHECK(none.err == "none.yaml: only: drops every combination, so the sweep has no points\n");

  REQUIRE(folder.run("$SOYA sweep run w.yaml --out o").status == 0);
  REQUIRE(folder.run("sqlite3 o/sweep.sqlite \"update sweep set version = '0.0.9'\"").status == 0);
  const CommandResult old = folder.run("$SOYA sweep run w.yaml --out o");
  CHECK(old.status == 2);
  CHECK(contains(old.err, "o/sweep.sqlite: written by soya 0.0.9"));
}

TEST_CASE("a full disk ends the sweep with what is finished kept") {
  const SweepFolder folder;
  write_slow(folder);
  const CommandResult full = folder.run("ulimit -f 40; $SOYA sweep run slow.yaml --out o --threads 1");
  CHECK(full.status == 4);
  CHECK(contains(full.err, "soya: cannot write o/sweep.sqlite"));
  CHECK(folder.run("$SOYA sweep run slow.yaml --out o").status == 0);
}
