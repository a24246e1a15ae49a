#include "results/quantities.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "support/sample_results.hpp"

using namespace soya;

namespace {

const Quantity* find(const std::vector<Quantity>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Quantity::name);
  return found == all.end() ? nullptr : &*found;
}

double value(const RunResults& run, const std::string& name) {
  const std::vector<Quantity> all = quantities_of(run);
  const Quantity* found = find(all, name);
  REQUIRE_MESSAGE(found != nullptr, name);
  return found->value;
}

TransferRow transfer(const std::string& flow, std::int64_t takes_ps, std::int64_t ideal_ps) {
  TransferRow row;
  row.flow = flow;
  row.finish_ps = takes_ps;
  row.ideal_ps = ideal_ps;
  row.slowdown = static_cast<double>(takes_ps) / static_cast<double>(ideal_ps);
  row.retransmitted_packets = 0;
  return row;
}

}  // namespace

TEST_CASE("a job's steps count by their mean, in picoseconds") {
  RunResults run = test::ddp_results();
  run.steps[0].exposed_ms = 10;
  run.steps[1].exposed_ms = 14;
  CHECK(value(run, "step time, job ddp") == doctest::Approx(1362.1e9));
  CHECK(value(run, "exposed communication, job ddp") == doctest::Approx(12e9));
}

TEST_CASE("transfers count by nearest rank, and the slowest has its name") {
  RunResults run;
  // Ten transfers of 10 to 100 us, ideal 10 us: p50 is the fifth, p90 the ninth, p99 and max the tenth.
  for (int k = 10; k >= 1; --k)
    run.transfer_rows.push_back(transfer("flow" + std::to_string(k), k * 10'000'000, 10'000'000));
  TransferRow unfinished;
  unfinished.flow = "late";
  run.transfer_rows.push_back(unfinished);
  CHECK(value(run, "slowdown p50") == 5);
  CHECK(value(run, "slowdown p90") == 9);
  CHECK(value(run, "slowdown p99") == 10);
  CHECK(value(run, "transfer time max") == 100e6);
  const std::vector<Quantity> all = quantities_of(run);
  CHECK(find(all, "slowdown max")->where == "flow10");
}

TEST_CASE("tiers with a choice tell how evenly they are loaded, and which link idles first") {
  RunResults run;
  run.tiers.push_back({.from = "host", .to = "leaf", .links = 2, .choice = false, .max_bytes = 5, .max_to_mean = 1});
  run.tiers.push_back({.from = "leaf",
                       .to = "spine",
                       .links = 4,
                       .choice = true,
                       .unused_links = 1,
                       .mean_bytes = 4,
                       .max_bytes = 10,
                       .max_to_mean = 2.5,
                       .unused = {"leaf1 > spine2"}});
  const std::vector<Quantity> all = quantities_of(run);
  CHECK(find(all, "largest / mean load, host to leaf") == nullptr);
  CHECK(find(all, "largest / mean load, leaf to spine")->value == 2.5);
  CHECK(find(all, "unused links, leaf to spine")->value == 1);
  CHECK(find(all, "unused links, leaf to spine")->where == "leaf1 > spine2");
}

TEST_CASE("the hottest and the fullest link are named") {
  RunResults run;
  run.links.push_back({"leaf1", "spine1", 0, 100, 1'000, 10, 0.25, 0, {}, 0});
  run.links.push_back({"leaf1", "spine2", 1, 400, 3'000, 30, 0.20, 7, {}, 0});
  run.links.push_back({"spine2", "leaf1", 0, 100, 0, 0, 0.0, 0, {}, 0});
  const std::vector<Quantity> all = quantities_of(run);
  CHECK(find(all, "hottest link")->value == 0.25);
  CHECK(find(all, "hottest link")->where == "leaf1 -> spine1");
  CHECK(find(all, "bytes of the fullest link")->where == "leaf1 -> spine2#1");
  CHECK(find(all, "paused time, most of a link")->value == 7);
}

TEST_CASE("what a run has not is left out") {
  RunResults run;
  run.transfers.goodput_gbps_max = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Quantity> all = quantities_of(run);
  CHECK(find(all, "rate of the fastest flow") == nullptr);
  CHECK(find(all, "slowdown p50") == nullptr);
  CHECK(find(all, "hottest link") == nullptr);
  CHECK(find(all, "smallest headroom margin") == nullptr);
  CHECK(find(all, "lossless drops") != nullptr);
}

TEST_CASE("names are unique in a run") {
  for (const RunResults& run : {test::ddp_results(), test::incast_results()}) {
    std::vector<std::string> names;
    for (const Quantity& quantity : quantities_of(run)) names.push_back(quantity.name);
    std::ranges::sort(names);
    CHECK(std::ranges::adjacent_find(names) == names.end());
  }
}
