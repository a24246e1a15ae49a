// soya sweep merge and status on shards of a real sweep: missing, twice and equal, twice and different, damaged.
#include <doctest/doctest.h>

#include <string>

#include "support/run_command.hpp"

using namespace soya::test;

namespace {

/// The sweep w.yaml: ten sizes of a small incast, a few milliseconds each.
struct SweepFolder : TemporaryFolder {
  SweepFolder() {
    write_text(*this / "s.yaml",
               "topology: {parts: [{leaf_spine: {leaves: 2, spines: 2, hosts_per_leaf: 2}}]}\n"
               "workload: [{permutation: {size: 10KB}}]\n");
    write_text(*this / "w.yaml",
               "name: w\nscenario: s.yaml\naxes:\n"
               "  workload[0].permutation.size: {from: 10KB, to: 100KB, points: 10}\n");
  }
  [[nodiscard]] CommandResult run(const std::string& command) const { return run_command(*this, command); }
};

}  // namespace

TEST_CASE("shards are run as status lists them, merged as they come, and end as one run does") {
  const SweepFolder folder;
  REQUIRE(folder.run("$SOYA sweep run w.yaml --out whole --quiet").status == 0);
  CHECK(folder.run("mkdir o && $SOYA sweep status o --shards 5 --missing").out == "0-4\n");
  // Shard i of 5 has points i and i + 5.
  for (const char* const shard : {"0/5", "2/5", "4/5"}) {
    REQUIRE(folder.run(std::string{"$SOYA sweep run w.yaml --out o --quiet --shard "} + shard).status == 0);
  }
  CHECK(folder.run("$SOYA sweep status o --missing").out == "1,3\n");
  const CommandResult status = folder.run("$SOYA sweep status o");
  CHECK(status.status == 3);
  CHECK(status.out.starts_with("w: 6 of 10 points are done\n"));
  const CommandResult part = folder.run("$SOYA sweep merge o");
  CHECK(part.status == 3);
  CHECK(contains(part.out, "  missing     4: 1,3,6,8\n"));
  CHECK(folder
            .run("$SOYA sweep run w.yaml --out o --quiet --shard 1/5 && "
                 "$SOYA sweep run w.yaml --out o --quiet --shard 3/5 && $SOYA sweep merge o")
            .status == 0);
  CHECK(folder.run("$SOYA sweep status o").status == 0);
  CHECK(folder.run("$SOYA sweep status o --missing").out.empty());
  CHECK(folder.run("cmp o/points.csv whole/points.csv").status == 0);
  // A merged store goes on as one that a single run wrote: nothing is left to run.
  CHECK(folder.run("$SOYA sweep run w.yaml --out o --quiet && cmp o/points.csv whole/points.csv").status == 0);
}

TEST_CASE("ten points: two missing, one twice and equal, then one twice and different") {
  const SweepFolder folder;
  REQUIRE(folder.run("$SOYA sweep run w.yaml --out a --quiet && cp -r a b && cp -r a c").status == 0);
  REQUIRE(folder.run("sqlite3 a/sweep.sqlite 'DELETE FROM place WHERE point NOT IN (0,1,2,4,5)'").status == 0);
  REQUIRE(folder.run("sqlite3 b/sweep.sqlite 'DELETE FROM place WHERE point NOT IN (4,6,8,9)'").status == 0);
  const CommandResult part = folder.run("$SOYA sweep merge a b --out o");
  CHECK(part.status == 3);
  CHECK(part.out.starts_with("w: 8 of 10 points, from 2 stores\n"));
  CHECK(contains(part.out, "  duplicates  1, equal and folded\n"));
  CHECK(contains(part.out, "  missing     2: 3,7\n"));

  REQUIRE(folder.run("sqlite3 c/sweep.sqlite \"DELETE FROM place WHERE point <> 5; UPDATE result SET summary = '{}'\"")
              .status == 0);
  const CommandResult refused = folder.run("cp o/points.csv before && $SOYA sweep merge a b c --out o");
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK(refused.err.starts_with(
      "soya: point 5 has two results, whose summary differs: a/sweep.sqlite and c/sweep.sqlite\n"));
  CHECK(folder.run("cmp o/points.csv before").status == 0);
}

TEST_CASE("what cannot be merged: nothing, another version, another sweep, a damaged store among others") {
  const SweepFolder folder;
  REQUIRE(folder.run("$SOYA sweep run w.yaml --out a --quiet && cp -r a b && cp -r a c && cp -r a d").status == 0);
  CHECK(folder.run("$SOYA sweep merge").status == 2);
  CHECK(folder.run("$SOYA sweep merge nothing").err == "nothing: cannot be read: No such file or directory\n");
  const CommandResult old =
      folder.run("sqlite3 b/sweep.sqlite \"UPDATE sweep SET version = '0.0.9'\"; $SOYA sweep merge a b --out o");
  CHECK(old.status == 2);
  CHECK(old.err.starts_with("b/sweep.sqlite: written by soya 0.0.9, and this is "));
  const CommandResult other =
      folder.run("sqlite3 c/sweep.sqlite \"UPDATE sweep SET base = ''\"; $SOYA sweep merge a c --out o");
  CHECK(other.status == 2);
  CHECK(other.err.starts_with(
      "a/sweep.sqlite and c/sweep.sqlite are of two sweeps: the scenarios that the sweep varies differ"));
  const CommandResult damaged = folder.run("truncate -s 20000 d/sweep.sqlite; $SOYA sweep merge a d --out o");
  CHECK(damaged.status == 3);
  CHECK(damaged.err.starts_with("soya: d/sweep.sqlite: damaged ("));
  CHECK(damaged.out.starts_with("w: 10 of 10 points, from 1 store\n"));
}
