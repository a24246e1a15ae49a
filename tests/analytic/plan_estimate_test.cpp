// Ends estimated by max-min fair rates against the simulation, where shares are equal or paths do not collide: to 3 %.
// And where PFC breaks max-min fairness: a victim flow that is paused with an incast it has nothing to do with.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/load_plan.hpp"
#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

LoadPlan planned(const Scenario& scenario) {
  const PlannedScenario plan{scenario};
  return load_plan(plan.input());
}

/// Measured / estimated of every flow, in the order of the plan.
std::vector<double> against_estimates(const LoadPlan& plan, const RunResults& results) {
  std::vector<double> ratios;
  for (const TransferPlan& flow : plan.jobs.at(0).transfers) {
    std::int64_t start = INT64_MAX;
    std::int64_t finish = 0;
    for (const TransferRow& row : results.transfer_rows) {
      if (row.flow != flow.flow) continue;
      start = std::min(start, row.start_ps);
      finish = std::max(finish, row.finish_ps.value_or(0));
    }
    ratios.push_back(static_cast<double>(finish - start) / static_cast<double>(flow.estimate->picoseconds()));
  }
  return ratios;
}

void check_within_3_percent(const Scenario& scenario) {
  const LoadPlan plan = planned(scenario);
  const RunResults results = Simulation{scenario}.run();
  CHECK(results.sound);
  const std::vector<double> ratios = against_estimates(plan, results);
  REQUIRE(!ratios.empty());
  for (const double ratio : ratios) {
    CHECK(ratio > 0.97);
    CHECK(ratio < 1.03);
  }
}

/// 12 hosts on three leaves, four spines.
struct Clos : FabricBench {
  Clos() {
    operation = Operation::write;
    LeafSpineConfig config;
    config.leaves = 3;
    config.spines = 4;
    config.hosts_per_leaf = 4;
    config.host_link = config.fabric_link = link_kind();
    leaf_spine(config);
  }
};

}  // namespace

TEST_CASE("an incast of equal flows ends when the receiver's link has passed them all") {
  Clos bench;
  for (int h = 2; h <= 5; ++h) bench.flow("host" + std::to_string(h), "host1", 4_MB);
  const LoadPlan plan = planned(bench.scenario);
  // 4 x 4 MB: 976 packets of 4178 B, one of 2304 + 82, First + 16, and half an acknowledge for each 64.
  const Duration wire{4LL * (976 * 4178 + 2386 + 16) * 80};
  CHECK(plan.jobs[0].estimate->seconds() == doctest::Approx((wire + 8_us).seconds()).epsilon(0.005));
  check_within_3_percent(bench.scenario);
}

TEST_CASE("a shift within leaves does not collide: every flow has its link to itself") {
  Clos bench;
  for (int h = 1; h <= 12; ++h) {
    const int leaf = (h - 1) / 4;
    bench.flow("host" + std::to_string(h), "host" + std::to_string(leaf * 4 + h % 4 + 1), 4_MB);
  }
  check_within_3_percent(bench.scenario);
}

TEST_CASE("flows of unequal sizes to one host: the rates change as each one ends") {
  // One switch, three senders: 1, 2 and 4 MB. Third each until 3 MB have passed, half each until 5, then alone: 7 MB.
  FabricBench bench;
  bench.operation = Operation::write;
  bench.add_switch("s");
  bench.hosts("h", 4);
  for (int h = 1; h <= 4; ++h) bench.link("h" + std::to_string(h), "s");
  int size = 1;
  for (int h = 2; h <= 4; ++h, size *= 2) bench.flow("h" + std::to_string(h), "h1", Bytes{size * 4'000'000});
  const LoadPlan plan = planned(bench.scenario);
  const std::vector<TransferPlan>& flows = plan.jobs[0].transfers;
  const double unit = flows[0].estimate->seconds() / 3;
  CHECK(flows[1].estimate->seconds() / unit == doctest::Approx(5).epsilon(0.01));
  CHECK(flows[2].estimate->seconds() / unit == doctest::Approx(7).epsilon(0.01));
  check_within_3_percent(bench.scenario);
}

TEST_CASE("flows that start at different times share from then on") {
  FabricBench bench;
  bench.operation = Operation::write;
  bench.add_switch("s");
  bench.hosts("h", 3);
  for (int h = 1; h <= 3; ++h) bench.link("h" + std::to_string(h), "s");
  bench.flow("h2", "h1", 8_MB);
  bench.flow("h3", "h1", 8_MB).start = Time{0} + 300_us;
  check_within_3_percent(bench.scenario);
}

TEST_CASE("a ring all-reduce on one switch ends as estimated") {
  FabricBench bench;
  bench.add_switch("s");
  bench.hosts("h", 4);
  for (int h = 1; h <= 4; ++h) bench.link("h" + std::to_string(h), "s");
  AllReduceConfig job;
  job.name = "ring";
  for (std::size_t h = 0; h < 4; ++h) job.hosts.emplace_back(h);
  job.size = 32_MiB;
  bench.scenario.jobs.emplace_back(job);
  const RunResults results = bench.run();
  const double measured = results.collectives.at(0).time_us * 1e-6;
  CHECK(planned(bench.scenario).jobs[0].estimate->seconds() == doctest::Approx(measured).epsilon(0.03));
}

namespace {

/// Left and right switch, one link of 100 Gbps between them. `h1` and `victim` are left; `h1`, and four hosts on the
/// right, send to `sink`, on the right; the victim sends to `idle`, on the right, which nobody else sends to.
struct Victim : FabricBench {
  explicit Victim(bool incast) {
    operation = Operation::write;
    defaults.buffer.size = 2_MB;
    for (const char* name : {"left", "right"}) add_switch(name);
    for (const char* name : {"h1", "victim"}) at(name, "left");
    for (const char* name : {"sink", "idle", "r1", "r2", "r3", "r4"}) at(name, "right");
    link("left", "right");
    if (incast) {
      flow("h1", "sink", 10_MB);
      for (const char* name : {"r1", "r2", "r3", "r4"}) flow(name, "sink", 10_MB);
    }
    flow("victim", "idle", 10_MB).name = "victim";
  }

 private:
  void at(const std::string& name, const std::string& where) {
    host(name);
    link(name, where);
  }
};

const TransferRow& victim_row(const RunResults& results) {
  return *std::ranges::find(results.transfer_rows, "victim", &TransferRow::from);
}

}  // namespace

TEST_CASE("a victim flow: PFC gives it less than its max-min share, and the pause table says who paused whom") {
  // Max-min: five flows share the sink's 100 Gbps, 20 each; on the link between the switches h1 takes 20, and the
  // victim has 80. It needs 10 MB x 8 / 80 Gbps = 1 ms and 2 % for headers.
  const Victim bench{true};
  const LoadPlan plan = planned(bench.scenario);
  const TransferPlan& fair = plan.jobs[0].transfers.back();
  CHECK(fair.estimate->seconds() == doctest::Approx(1.02e-3).epsilon(0.02));

  // The simulation: h1's frames wait at `right` for the sink, in the group that the victim's frames come in, too. That
  // group is paused, and both flows with it, in equal parts as they arrive: the victim gets no more than h1, near 20
  // Gbps.
  const RunResults results = bench.run();
  CHECK(results.sound);
  const TransferRow& row = victim_row(results);
  const double measured = static_cast<double>(*row.finish_ps - row.start_ps) * 1e-12;
  CHECK(measured > 2 * fair.estimate->seconds());
  const auto pause = std::ranges::find_if(
      results.pauses, [](const PauseRow& one) { return one.node == "right" && one.port == "left"; });
  REQUIRE(pause != results.pauses.end());
  CHECK(pause->cycles > 0);
  CHECK(link_of(results, "left", "right")->paused_ps > 0);
  // In turn `left` fills and pauses the victim's host itself.
  CHECK(std::ranges::any_of(results.pauses,
                            [](const PauseRow& one) { return one.node == "left" && one.port == "victim"; }));

  // Without the incast the same flow has its max-min rate.
  const Victim alone{false};
  const RunResults quiet = alone.run();
  const TransferRow& free = victim_row(quiet);
  const double without = static_cast<double>(*free.finish_ps - free.start_ps) * 1e-12;
  CHECK(without == doctest::Approx(planned(alone.scenario).jobs[0].transfers[0].estimate->seconds()).epsilon(0.03));
  CHECK(quiet.pauses.empty());
}
