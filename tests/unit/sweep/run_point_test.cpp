// A switch s, a sender h1, a receiver h2 whose egress is held: what comes after the decision to pause lands in
// headroom. Nothing travels the other way, so with a response of r = 394 quanta x 512 bit and a cable of 1 km at 100
// Gbps
//   A = 2 x 5 us x 12.5 B/ns + 84 B + 25 216 B = 150 300 B of wire,
// and floor(A / 4178) + 1 = 36 frames of 4158 B start before the PAUSE takes effect: the smallest lossless headroom is
// 36 x 4158 B = 149 688 B.
#include "sweep/run_point.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "results/summary_path.hpp"
#include "scenario/read_sweep.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr std::int64_t frame = 4158;
constexpr std::int64_t wire = frame + 20;
constexpr std::int64_t arriving = 2 * 5'000 * 25 / 2 + 84 + 394 * 64;
constexpr std::int64_t smallest = (arriving / wire + 1) * frame;

struct Bench : ScenarioFolder {
  explicit Bench(const std::string& keys) {
    write("s.yaml",
          "topology:\n"
          "  link_types: {haul: {rate: 100Gbps, length: 1km}}\n"
          "  nodes: {h1: host, h2: host, s: switch}\n"
          "  links: [{between: [h1, s], type: haul}, {between: [h2, s], type: haul}]\n"
          "fabric: {mtu: 4096, buffer: {size: 64MiB, reserved: 0B, threshold: 64KiB}}\n"
          "workload: [{flows: [{from: h1, to: h2, size: 1MB, operation: send}]}]\n"
          "faults: [{hold: {between: [s, h2], from: 0us, until: 200us}}]\n");
    write("sweep.yaml", "scenario: s.yaml\n" + keys);
    sweep = read_sweep(path("sweep.yaml"));
  }
  StoredPoint run(std::size_t level = 0) {
    const PointSpace space{sweep};
    PointRunner runner{sweep, space, {}};
    const Point point{static_cast<std::int64_t>(level), {level, 0}};
    return runner.run(point, runner.prepare(point).id, {}).value();
  }
  SweepConfig sweep;
};

double extra(const StoredPoint& point, const std::string& name) {
  const auto found = std::ranges::find(point.extra, name, &std::pair<std::string, double>::first);
  REQUIRE(found != point.extra.end());
  return found->second;
}

std::string searched(const std::string& from, const std::string& to) {
  return "axes: {fabric.ip: [ipv4]}\nsearch: {smallest: switches.s.headroom.size, from: " + from + ", to: " + to +
         ", such_that: drops.lossless == 0}\n";
}

}  // namespace

TEST_CASE("a point is a run with the point's values, its effective scenario and its closed forms") {
  Bench bench{"axes: {fabric.mtu: [1024, 4096]}\nseeds: [5]\n"};
  const StoredPoint point = bench.run(1);
  CHECK(point.point == 1);
  CHECK(point.outcome == PointOutcome::sound);
  CHECK(point.why_not.empty());
  CHECK(point.effective.find("mtu: 4096\n") != std::string::npos);
  CHECK(point.effective.find("seed: 5\n") != std::string::npos);
  CHECK(point.effective.find('#') == std::string::npos);
  CHECK(point.cells.at(0).text == "4096");
  const SummaryText summary{point.summary};
  CHECK(summary.value("transfers.finished") == 1);
  CHECK(summary.value("transfers.payload_bytes") == 1'000'000);
  CHECK(extra(point, "plan.headroom_static_bytes") >= smallest);
}

TEST_CASE("a point that loses frames is not sound, one that cannot be built is refused, and both say why") {
  Bench bench{"axes: {switches.s.headroom.size: [8316B, 1GiB]}\n"};
  const StoredPoint starved = bench.run(0);
  CHECK(starved.outcome == PointOutcome::unsound);
  CHECK(starved.why_not.find("s port h1") != std::string::npos);
  const StoredPoint refused = bench.run(1);
  CHECK(refused.outcome == PointOutcome::refused);
  CHECK(refused.why_not.find("headroom") != std::string::npos);
  CHECK(refused.why_not.find("sweep.yaml") == std::string::npos);
  CHECK(refused.summary.empty());
}

TEST_CASE("why a point is refused does not depend on what its folder is called") {
  const auto refused = [] {
    Bench bench{""};
    bench.write("sweep.yaml",
                "scenario: s.yaml\n"
                "set: {workload: [{ddp: {hosts: all, model: {parameters: 1e6}, forward: 1ms, backward: 1ms}}]}\n"
                "axes: {\"workload[0].ddp.model.file\": [none.csv]}\n");
    bench.sweep = read_sweep(bench.path("sweep.yaml"));
    return bench.run();
  };
  const StoredPoint one = refused();
  const StoredPoint other = refused();
  CHECK(one.outcome == PointOutcome::refused);
  CHECK(one.why_not == "workload[0].ddp.model.file: no such file: none.csv");
  CHECK(other.why_not == one.why_not);
  CHECK(other.id == one.id);
}

TEST_CASE("the smallest headroom that loses nothing is found to the byte") {
  Bench bench{searched("1B", "1MB")};
  const StoredPoint point = bench.run();
  CHECK(point.outcome == PointOutcome::sound);
  CHECK(extra(point, "answer") == smallest);
  CHECK(extra(point, "monotone") == 1);
  CHECK(point.effective.find("size: 149688B\n") != std::string::npos);
  CHECK(SummaryText{point.summary}.value("buffers.headroom_peak_bytes") == smallest);
}

TEST_CASE("an answer that only the end of what can be built holds says so") {
  // With PFC and headroom for what is under way nothing is lost whatever the buffer, as long as headroom fits into it.
  Bench bench{
      "axes: {fabric.ip: [ipv4]}\nsearch: {smallest: fabric.buffer.size, from: 1KiB, to: 64MiB, such_that: "
      "drops.lossless == 0}\n"};
  const StoredPoint edge = bench.run();
  CHECK(edge.outcome == PointOutcome::sound);
  const std::string below = std::to_string(static_cast<std::int64_t>(extra(edge, "answer")) - 1) + "B is refused: ";
  CHECK_MESSAGE(edge.why_not.starts_with(below), edge.why_not);
  // Where the value below was run and lost frames, nothing is to be said.
  CHECK(Bench{searched("1B", "1MB")}.run().why_not.empty());
}

TEST_CASE("a search with a resolution is right to that") {
  Bench bench{
      "axes: {fabric.ip: [ipv4]}\nsearch: {smallest: switches.s.headroom.size, from: 1000B, to: 1MB, resolution: "
      "1000B, "
      "such_that: drops.lossless == 0}\n"};
  // The first of 1000, 2000, … that is not below.
  CHECK(extra(bench.run(), "answer") == (smallest + 999) / 1000 * 1000);
}

TEST_CASE("the largest length that a headroom is enough for") {
  Bench bench{
      "set: {switches.s.headroom.size: 149688B}\naxes: {fabric.ip: [ipv4]}\n"
      "search: {largest: topology.link_types.haul.length, from: 10m, to: 10km, resolution: 1m, "
      "such_that: drops.lossless == 0}\n"};
  // 36 frames land while A < 36 x 4178 B. A metre and its way back are 125 B of wire at 12.5 B/ns.
  const std::int64_t most = (36 * wire - 84 - 394 * 64 - 1) / 125;
  CHECK(extra(bench.run(), "answer") == most);
}

TEST_CASE("a search whose ends do not differ has no answer, and says what to change") {
  const auto fault = [](const std::string& from, const std::string& to) {
    Bench bench{searched(from, to)};
    const StoredPoint point = bench.run();
    CHECK(point.outcome == PointOutcome::no_answer);
    const PointSpace space{bench.sweep};
    CHECK(PointRunner{bench.sweep, space, {}}.ends_fault({0, {0, 0}}, {}) == point.why_not);
    return point.why_not;
  };
  CHECK(fault("200kB", "1MB") == "both ends hold: 200KB does, and 1MB does; begin lower (from)");
  CHECK(fault("1B", "100kB") == "both ends fail: 1B does, and 100KB does; end higher (to)");
  const std::string refused = fault("1B", "1GiB");
  CHECK(refused.starts_with("both ends fail: 1B does, and 1GiB does (refused: "));
  CHECK(refused.ends_with("); end where it can be built (to)"));
}

TEST_CASE("a search that is not monotone says so, with two values that show it") {
  // Halving finds that 801 KB holds and 800 KB does not, and then looks halfway down: at 401 KB, which holds as well.
  Bench bench{
      "axes: {fabric.ip: [ipv4]}\n"
      "search:\n"
      "  smallest: workload[0].flows[0].size\n"
      "  from: 1000B\n"
      "  to: 1MB\n"
      "  resolution: 1000B\n"
      "  such_that: transfers.payload_bytes > 800000 or transfers.payload_bytes == 401000\n"};
  const StoredPoint point = bench.run();
  CHECK(point.outcome == PointOutcome::no_answer);
  CHECK(point.why_not == "not monotone here: 401KB holds and 500KB does not");
  CHECK(extra(point, "monotone") == 0);
}

TEST_CASE("a run that is told to stop has no result") {
  // Long enough to be looked at while it runs.
  Bench bench{"set: {fabric.mtu: 256}\naxes:\n  workload[0].flows[0].size: [20MB]\n"};
  const PointSpace space{bench.sweep};
  PointRunner runner{bench.sweep, space, {}};
  CHECK_FALSE(runner.run({0, {0, 0}}, "id", [] { return true; }));
}

TEST_CASE("what is kept and what is searched for must be quantities of a run") {
  const auto fault = [](const std::string& keys) {
    const Bench bench{keys};
    try {
      check_quantities(bench.sweep);
      return std::string{};
    } catch (const ScenarioError& error) {
      return bench.shortened(error.what());
    }
  };
  CHECK(fault("axes: {fabric.mtu: [1024]}\nkeep: [drops.lossless, steps.step_ms.max]\n").empty());
  CHECK(fault("axes: {fabric.mtu: [1024]}\nkeep: [drops.loss]\n")
            .starts_with("sweep.yaml:3:8: keep: unknown quantity \"drops.loss\""));
  CHECK(fault("axes: {fabric.mtu: [1024]}\n"
              "search: {smallest: nic.queue_depth, from: 1, to: 9, such_that: drops.lossles == 0}\n")
            .find("drops.lossless") != std::string::npos);
}
