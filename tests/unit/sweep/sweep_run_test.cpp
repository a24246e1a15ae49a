#include "sweep/sweep_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "scenario/read_sweep.hpp"
#include "support/scenario_folder.hpp"
#include "sweep/points_csv.hpp"
#include "sweep/store_reader.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Bench : ScenarioFolder {
  explicit Bench(const std::string& keys) {
    write("s.yaml", std::string{two_hosts} + "workload: [{flows: [{from: h1, to: h2, size: 100KB}]}]\n");
    write("sweep.yaml", "scenario: s.yaml\n" + keys);
    sweep = read_sweep(path("sweep.yaml"));
    space.emplace(sweep);
  }
  SweepOutcome run(const std::string& folder, SweepRunOptions options = {}) {
    options.folder = path(folder);
    RunningBoard board{8};
    return SweepRun{sweep, *space, std::move(options), board}.run_all();
  }
  std::string csv(const std::string& folder) {
    StoreReader reader{path(folder) + "/sweep.sqlite"};
    write_points_csv(reader, path(folder) + "/points.csv");
    return read_text(path(folder) + "/points.csv");
  }
  std::map<PointOutcome, std::int64_t> counts(const std::string& folder) {
    return StoreReader{path(folder) + "/sweep.sqlite"}.counts();
  }
  SweepConfig sweep;
  std::optional<PointSpace> space;
};

const char* const twenty = "axes:\n  workload[0].flows[0].size: {from: 10KB, to: 100KB, points: 10}\nseeds: 2\n";

}  // namespace

TEST_CASE("every point is run once, and not again by a second call") {
  Bench bench{twenty};
  CHECK(bench.run("out").ran == 20);
  CHECK(bench.counts("out") == std::map<PointOutcome, std::int64_t>{{PointOutcome::sound, 20}});
  CHECK(bench.run("out").ran == 0);
}

TEST_CASE("the table does not tell how many threads there were") {
  Bench bench{twenty};
  (void)bench.run("one", {.threads = 1});
  (void)bench.run("three", {.threads = 3});
  CHECK(bench.csv("one") == bench.csv("three"));
  CHECK(std::ranges::count(bench.csv("one"), '\n') == 1 + 20 * 4);  // sound and three kept quantities
}

TEST_CASE("a sweep that grew keeps the points that it had") {
  Bench bench{"axes:\n  workload[0].flows[0].size: [10KB, 30KB]\n"};
  CHECK(bench.run("out").ran == 2);
  Bench grown{"axes:\n  workload[0].flows[0].size: [10KB, 20KB, 30KB, 40KB]\n"};
  SweepRunOptions options;
  options.folder = bench.path("out");
  RunningBoard board{1};
  // It lies elsewhere, but says the same.
  CHECK(SweepRun{grown.sweep, *grown.space, options, board}.run_all().ran == 2);
}

TEST_CASE("two combinations that are the same scenario are run once, and both have the result") {
  // Without the second key the value of the first is not that of the case.
  Bench bench{"cases: {a: {one: {fabric.mtu: 1024}, two: {fabric.mtu: 1024}, three: {fabric.mtu: 2048}}}\n"};
  CHECK(bench.run("out").ran == 2);
  StoreReader reader{bench.path("out/sweep.sqlite")};
  std::vector<std::string> ids;
  reader.for_each([&](const StoredPoint& point) { ids.push_back(point.id); });
  REQUIRE(ids.size() == 3);
  CHECK(ids[0] == ids[1]);
  CHECK(ids[1] != ids[2]);
}

TEST_CASE("a point that takes long is told of while it runs") {
  // 800 MB in packets of 256 B are 3.1 million, half a second; it is told of ten times a second.
  Bench bench{"set: {\"workload[0].flows[0].size\": 800MB, fabric.mtu: 256}\n"};
  int before_its_end = 0;
  SweepRunOptions options;
  options.progress = [&](const SweepProgress& progress) { before_its_end += progress.done == 0 ? 1 : 0; };
  CHECK(bench.run("out", options).ran == 1);
  CHECK(before_its_end > 1);  // one is told when the point has been looked at
}

TEST_CASE("a request to stop ends it, and what was finished stays") {
  Bench bench{twenty};
  RunningBoard board{1};
  SweepRunOptions options;
  options.folder = bench.path("out");
  options.progress = [&](const SweepProgress& progress) {
    if (progress.ended == 7) board.request_stop(2);
  };
  CHECK(SweepRun{bench.sweep, *bench.space, options, board}.run_all().ran == 7);
  CHECK(bench.run("out").ran == 13);
}

TEST_CASE("progress counts up to all points") {
  Bench bench{twenty};
  SweepRunOptions options;
  options.threads = 2;
  SweepProgress last;
  bool backwards = false;
  options.progress = [&](const SweepProgress& progress) {
    backwards = backwards || progress.done < last.done;
    last = progress;
  };
  (void)bench.run("out", options);
  CHECK_FALSE(backwards);
  CHECK(last.done == 20);
  CHECK(last.points == 20);
  CHECK(last.all_known);
  CHECK(last.hops_waiting == 0);
  CHECK(last.hops_ended > 0);
}

TEST_CASE("a point that needs more memory than there is waits for another machine") {
  Bench bench{twenty};
  const SweepOutcome none = bench.run("out", {.memory_limit = 1000});
  CHECK(none.ran == 0);
  CHECK(none.too_large == 20);
  CHECK(none.largest_need > 1000);
  CHECK(bench.run("out", {.memory_limit = none.largest_need}).ran == 20);
}

TEST_CASE("a crash is recorded as a result, and tried again only when asked to") {
  Bench bench{twenty};
  SweepRunOptions options;
  options.folder = bench.path("out");
  RunningBoard board{1};
  SweepRun run{bench.sweep, *bench.space, options, board};
  CHECK_FALSE(run.has_result(3));
  run.record_crash(3, "ended by signal 11 (Segmentation fault), twice");
  CHECK(run.has_result(3));
  CHECK(run.run_all().ran == 19);
  CHECK(bench.counts("out").at(PointOutcome::crashed) == 1);
  options.retry_crashed = true;
  CHECK(SweepRun{bench.sweep, *bench.space, options, board}.run_all().ran == 1);
  CHECK(bench.counts("out").at(PointOutcome::sound) == 20);
}

TEST_CASE("one point alone") {
  Bench bench{twenty};
  SweepRunOptions options;
  options.folder = bench.path("out");
  RunningBoard board{1};
  SweepRun run{bench.sweep, *bench.space, options, board};
  run.run_one(11);
  CHECK(run.has_result(11));
  CHECK_FALSE(run.has_result(12));
  CHECK(run.run_all().ran == 19);
}
