#include "scenario/read_sweep.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// A folder with the scenario s.yaml: two hosts, one flow, a link type `haul`.
struct SweepFolder : ScenarioFolder {
  SweepFolder() {
    write("s.yaml",
          "seed: 40\n"
          "topology:\n"
          "  link_types: {haul: {rate: 100Gbps, length: 1km}}\n"
          "  nodes: {h1: host, h2: host, s1: switch}\n"
          "  links: [{between: [h1, s1], type: haul}, {between: [h2, s1]}]\n"
          "workload: [{flows: [{from: h1, to: h2, size: 1MB}]}]\n"
          "variants: {small: {fabric.mtu: 1024}}\n");
  }
  [[nodiscard]] SweepConfig sweep(const std::string& keys, const ReadOptions& options = {}) const {
    write("sweep.yaml", "scenario: s.yaml\n" + keys);
    return read_sweep(path("sweep.yaml"), options);
  }
};

std::vector<std::string> texts(const Factor& factor, std::size_t column = 0) {
  std::vector<std::string> out;
  for (const Level& level : factor.levels) out.push_back(level.cells.at(column).text);
  return out;
}

std::vector<double> numbers(const Factor& factor, std::size_t column = 0) {
  std::vector<double> out;
  for (const Level& level : factor.levels) out.push_back(level.cells.at(column).number.value());
  return out;
}

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("a list of values is an axis, with the unit of its key") {
  const SweepFolder folder;
  const SweepConfig sweep = folder.sweep(
      "axes:\n"
      "  topology.link_types.haul.length: [5m, 1.5km, 300km]\n"
      "  topology.link_types.haul.rate: [25Gbps, 100Gbps]\n"
      "  fabric.headroom.size: [auto, 64KiB]\n"
      "  fabric.headroom.mode: [per-queue, shared-pool]\n"
      "  fabric.pfc.priorities: [[3], [3, 4]]\n"
      "  workload[0].flows[0].size: [1MB, 2MB]\n");
  REQUIRE(sweep.factors.size() == 7);  // and the seeds
  const Factor& length = sweep.factors[0];
  CHECK(length.columns[0] == Column{"topology.link_types.haul.length", "m"});
  CHECK(texts(length) == Texts{"5m", "1.5km", "300km"});
  CHECK(numbers(length) == Numbers{5, 1500, 300'000});
  CHECK(sweep.factors[1].columns[0].unit == "gbps");
  CHECK(numbers(sweep.factors[1]) == Numbers{25, 100});
  // A word among them makes a column of words.
  CHECK(sweep.factors[2].columns[0].unit.empty());
  CHECK_FALSE(sweep.factors[2].levels[1].cells[0].number);
  CHECK(texts(sweep.factors[3]) == Texts{"per-queue", "shared-pool"});
  CHECK(texts(sweep.factors[4]) == Texts{"[3]", "[3, 4]"});
  CHECK(sweep.factors[4].levels[1].values[0].text == "[3, 4]");
  CHECK(sweep.factors[5].columns[0].unit == "bytes");
}

TEST_CASE("equal lengths that are written differently are one value") {
  const SweepFolder folder;
  CHECK_THROWS_WITH_AS(folder.sweep("axes: {topology.link_types.haul.length: [1km, 1000m]}\n"),
                       doctest::Contains("1km stands there twice"), ScenarioError);
}

TEST_CASE("a range is cut into equal steps, or equal ratios") {
  const SweepFolder folder;
  const SweepConfig sweep = folder.sweep(
      "axes:\n"
      "  fabric.headroom.size: {from: 1MB, to: 256MB, points: 9, scale: log}\n"
      "  topology.link_types.haul.length: {from: 0km, to: 10km, points: 3}\n"
      "  nic.queue_depth: {from: 1, to: 10, step: 4}\n"
      "  fabric.buffer.alpha: {from: 0.25, to: 1, points: 4}\n");
  // 1 MB x 2^k for k = 0 to 8.
  Numbers powers;
  for (int k = 0; k < 9; ++k) powers.push_back(1e6 * (1 << k));
  CHECK(numbers(sweep.factors[0]) == powers);
  CHECK(texts(sweep.factors[0]).at(1) == "2MB");
  CHECK(numbers(sweep.factors[1]) == Numbers{0, 5000, 10'000});
  CHECK(numbers(sweep.factors[2]) == Numbers{1, 5, 9});
  CHECK(numbers(sweep.factors[3]) == Numbers{0.25, 0.5, 0.75, 1});
}

TEST_CASE("axes that go together are one factor") {
  const SweepFolder folder;
  const SweepConfig sweep = folder.sweep(
      "zip:\n"
      "  topology.link_types.haul.length: [1km, 2km, 3km]\n"
      "  workload[0].flows[0].size: [1MB, 1MB, 3MB]\n");
  REQUIRE(sweep.factors.size() == 2);
  const Factor& zip = sweep.factors[0];
  CHECK(zip.columns.size() == 2);
  CHECK(numbers(zip, 0) == Numbers{1000, 2000, 3000});
  CHECK(numbers(zip, 1) == Numbers{1e6, 1e6, 3e6});
  CHECK(zip.levels[2].values[1].path == "workload[0].flows[0].size");
}

TEST_CASE("cases have names and values of several keys") {
  const SweepFolder folder;
  const SweepConfig sweep = folder.sweep(
      "cases:\n"
      "  mode:\n"
      "    own: {fabric.headroom.mode: per-queue}\n"
      "    pool: {fabric.headroom.mode: shared-pool, fabric.headroom.oversubscribe: 2}\n");
  CHECK(sweep.factors[0].columns[0] == Column{"mode", ""});
  CHECK(texts(sweep.factors[0]) == Texts{"own", "pool"});
  CHECK(sweep.factors[0].levels[1].values.size() == 2);
}

TEST_CASE("seeds count on from the scenario's, or are listed, and change fastest") {
  const SweepFolder folder;
  const auto seeds = [&](const std::string& keys, const ReadOptions& options = {}) {
    return numbers(folder.sweep(keys, options).factors.back());
  };
  CHECK(seeds("seeds: 3\n") == Numbers{40, 41, 42});
  CHECK(seeds("seeds: [7, 1]\n") == Numbers{7, 1});
  CHECK(seeds("") == Numbers{40});
  CHECK(seeds("seeds: 2\n", {.seed = 5}) == Numbers{5, 6});
  CHECK(seeds("set: {seed: 9}\nseeds: 2\n") == Numbers{9, 10});
}

TEST_CASE("variants are an axis, the base among them") {
  const SweepFolder folder;
  const SweepConfig all = folder.sweep("variants: all\n");
  CHECK(texts(all.factors[0]) == Texts{"base", "small"});
  CHECK_FALSE(all.factors[0].levels[0].variant);
  CHECK(all.factors[0].levels[1].variant == "small");
  CHECK(texts(folder.sweep("variants: [small]\n").factors[0]) == Texts{"small"});
}

TEST_CASE("a Latin hypercube meets every part of a range once, a random sample stays inside") {
  const SweepFolder folder;
  const std::string ranges =
      ", ranges: {nic.queue_depth: {from: 100, to: 1100}, fabric.headroom.mode: [per-queue, dsh]}}\n";
  const SweepConfig latin = folder.sweep("sample: {points: 50" + ranges);
  REQUIRE(latin.factors[0].levels.size() == 50);
  std::set<int> parts;
  for (const double depth : numbers(latin.factors[0])) {
    // 50 parts of 20; the last value of a part may be rounded into the next.
    parts.insert(std::min(49, static_cast<int>((depth - 100) / 20)));
  }
  CHECK(parts.size() >= 48);
  const std::vector<std::string> modes = texts(latin.factors[0], 1);
  CHECK(std::ranges::count(modes, "dsh") == 25);
  const SweepConfig random = folder.sweep("sample: {points: 50, method: random, seed: 3" + ranges);
  for (const double depth : numbers(random.factors[0])) {
    CHECK(depth >= 100);
    CHECK(depth <= 1100);
  }
  CHECK(texts(random.factors[0]) ==
        texts(folder.sweep("sample: {points: 50, method: random, seed: 3" + ranges).factors[0]));
  CHECK(texts(random.factors[0]) !=
        texts(folder.sweep("sample: {points: 50, method: random, seed: 4" + ranges).factors[0]));
}

TEST_CASE("a search knows its key's unit and how fine it goes") {
  const SweepFolder folder;
  const SweepConfig sweep =
      folder.sweep("search: {smallest: fabric.headroom.size, from: 1KiB, to: 1MiB, such_that: drops.lossless == 0}\n");
  REQUIRE(sweep.search);
  CHECK(sweep.search->goal == SearchGoal::smallest);
  CHECK(sweep.search->low == 1024);
  CHECK(sweep.search->high == 1024 * 1024);
  CHECK(sweep.search->resolution == 1);
  CHECK(sweep.search->unit == "bytes");
  const SweepConfig length = folder.sweep(
      "search: {largest: topology.link_types.haul.length, from: 1km, to: 10km, resolution: 100m, "
      "such_that: drops.lossless == 0}\n");
  CHECK(length.search->goal == SearchGoal::largest);
  CHECK(length.search->resolution == 100'000);  // millimetres
  CHECK(length.search->per_unit == 1000);
}
