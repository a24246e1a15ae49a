// Planned loads where switches spread frames over ports: to 1 % of what a run puts on every link; and by weights, to
// the byte.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "analytic/load_compare.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Two leaves with four hosts each, `spines` spines, all links 100 Gbps, payloads of 1000 B. NICs wait for what is
/// overtaken. Every host sends to its counterpart on the other leaf, all at once.
struct TwoLeaves : FabricBench {
  TwoLeaves(int spines, RoutingPolicy policy, SprayOrder order = SprayOrder::round_robin) {
    scenario.frame.mtu = 1000_B;
    operation = Operation::write;
    nic.retransmission = Retransmission::selective_repeat;
    nic.reorder_timeout = 1_ms;
    defaults.routing.policy = policy;
    defaults.routing.spray = order;
    LeafSpineConfig config;
    config.leaves = 2;
    config.spines = spines;
    config.hosts_per_leaf = 4;
    config.host_link = config.fabric_link = link_kind();
    leaf_spine(config);
  }
  void shift(Bytes size) {
    for (int h = 1; h <= 8; ++h) flow("host" + std::to_string(h), "host" + std::to_string((h + 3) % 8 + 1), size);
  }
};

}  // namespace

TEST_CASE("spraying in turn loads every link to 1 % as planned") {
  // A flow's packets differ by a frame at most from one spine to the next, 4 flows by 4 of about 4 x 5000 / 3 frames.
  TwoLeaves bench{3, RoutingPolicy::spray};
  bench.shift(5'000'000_B);
  const LoadComparison both = run_beside_plan(bench.scenario);
  // 4 flows of 5000 x 1082 B by three spines, and acknowledges of 79 asks each, 86 B.
  for (const char* spine : {"spine1", "spine2", "spine3"}) {
    const LinkRow* row = link_of(both.results, "leaf1", spine);
    CHECK(row->plan_bytes == std::llround(4 * (5000 * 1082 + 16) / 3.0) + std::llround(4 * 79 * 86 / 3.0));
  }
  CHECK(largest_error(both, 1_B) < 0.01);
  // And one flow alone: 1667, 1667 and 1666 frames.
  TwoLeaves alone{3, RoutingPolicy::spray};
  alone.flow("host1", "host5", 5'000'000_B);
  CHECK(largest_error(run_beside_plan(alone.scenario), 1'000'000_B) < 0.001);
}

TEST_CASE("spraying at random loads every link to 1 % as planned") {
  // 4 x 40 000 frames over two spines: sigma is sqrt(160 000 / 4) = 200 of 80 000 frames, 0.25 %.
  TwoLeaves bench{2, RoutingPolicy::spray, SprayOrder::random};
  bench.shift(40'000'000_B);
  const double error = largest_error(run_beside_plan(bench.scenario), 1_B);
  CHECK(error < 0.01);
  CHECK(error > 0);  // it is chance
}

TEST_CASE("spraying in three tiers, there and back, loads every link to 1 % as planned") {
  // 16 hosts of a fat tree of k = 4, each to its counterpart two pods on, over 2 x 2 ways of equal length.
  FabricBench bench;
  bench.scenario.frame.mtu = 1000_B;
  bench.operation = Operation::write;
  FatTreeConfig config;
  config.k = 4;
  config.host_link = config.fabric_link = config.core_link = bench.link_kind();
  add_fat_tree(bench.scenario.topology, config);
  bench.nic.retransmission = Retransmission::selective_repeat;
  bench.nic.reorder_timeout = 1_ms;
  bench.defaults.routing.policy = RoutingPolicy::spray;
  bench.scenario.nics.assign(16, bench.nic);
  bench.scenario.switches.assign(20, bench.defaults);
  for (int h = 1; h <= 16; ++h) {
    bench.flow("host" + std::to_string(h), "host" + std::to_string((h + 7) % 16 + 1), 5'000'000_B);
  }
  const LoadComparison both = run_beside_plan(bench.scenario);
  CHECK(largest_error(both, 1_B) < 0.01);
  // All 16 x 3 links of the three tiers carry something both ways.
  for (const std::int64_t measured : both.measured) CHECK(measured > 5'000'000);
}

TEST_CASE("adaptive routing loads ways alike where they are filled, and follows the hash where they are idle") {
  // Hosts of 400G and four ways of 100G: each carries a quarter.
  const auto bench_of = [](Rate hosts) {
    FabricBench bench;
    bench.scenario.frame.mtu = 1000_B;
    bench.operation = Operation::write;
    bench.nic.retransmission = Retransmission::selective_repeat;
    bench.nic.reorder_timeout = 1_ms;
    bench.defaults.routing.policy = RoutingPolicy::adaptive;
    LeafSpineConfig config;
    config.leaves = 2;
    config.spines = 4;
    config.hosts_per_leaf = 1;
    config.host_link = config.fabric_link = bench.link_kind();
    config.host_link.rate = hosts;
    bench.leaf_spine(config);
    bench.flow("host1", "host2", 10'000'000_B);
    return bench;
  };
  const LoadComparison filled = run_beside_plan(bench_of(400_Gbps).scenario);
  CHECK(largest_error(filled, 1'000'000_B) < 0.01);
  // With hosts of 25G a frame is away before the next one comes: all ways are empty, and the hash decides. The plan
  // says equal parts there, too, and that these are expected ones.
  const LoadComparison idle = run_beside_plan(bench_of(25_Gbps).scenario);
  int used = 0;
  for (const char* spine : {"spine1", "spine2", "spine3", "spine4"}) {
    used += link_of(idle.results, "leaf1", spine)->wire_bytes > 0 ? 1 : 0;
  }
  CHECK(used == 1);
  CHECK(largest_error(idle, 1'000'000_B) == doctest::Approx(3).epsilon(0.01));  // four times the quarter
  REQUIRE(idle.plan.doubts.size() == 1);
  CHECK(idle.plan.doubts[0] == "switches spread frames over ports: loads are expected ones");
}

TEST_CASE("flowlets load ways alike within the chance of as many flowlets as there are") {
  // 1600 messages of 10 frames, 20 us apart, one flowlet each, over four ways: 400 expected, sigma sqrt(1600 x 3/16) =
  // 17.3, 4.3 %. Four sigma.
  TwoLeaves bench{4, RoutingPolicy::flowlet};
  for (SwitchConfig& config : bench.scenario.switches) config.routing.flowlet_gap = 10_us;
  bench.flow("host1", "host5", 10'000_B);
  auto& flows = std::get<FlowsConfig>(bench.scenario.jobs.front()).flows;
  flows.assign(1600, flows.front());
  for (int i = 0; i < 1600; ++i) flows[static_cast<std::size_t>(i)].start = Time{0} + i * 20_us;
  for (FlowConfig& flow : flows) flow.name = "series" + std::to_string(&flow - flows.data());
  const LoadComparison both = run_beside_plan(bench.scenario);
  CHECK(largest_error(both, 1'000'000_B) < 4 * 17.3 / 400);
}

TEST_CASE("by weights flows load every link as planned, to the byte") {
  // Of the two ways one has three times the rate of the other: 3 of 4 entries of the hash lead there.
  FabricBench bench;
  bench.scenario.frame.mtu = 1000_B;
  bench.operation = Operation::write;
  bench.defaults.routing.policy = RoutingPolicy::weighted;
  for (const char* name : {"l1", "l2", "wide", "narrow"}) bench.add_switch(name);
  bench.hosts("a", 8);
  bench.hosts("z", 8);
  for (int h = 1; h <= 8; ++h) {
    bench.link("a" + std::to_string(h), "l1");
    bench.link("z" + std::to_string(h), "l2");
  }
  for (const char* leaf : {"l1", "l2"}) {
    bench.rate = 300_Gbps;
    bench.link(leaf, "wide");
    bench.rate = 100_Gbps;
    bench.link(leaf, "narrow");
  }
  for (int a = 1; a <= 8; ++a) {
    for (int z = 1; z <= 8; ++z) bench.flow("a" + std::to_string(a), "z" + std::to_string(z), 20'000_B);
  }
  const LoadComparison both = run_beside_plan(bench.scenario);
  CHECK(both.plan.doubts.empty());
  for (LinkDirection d = 0; d < both.plan.loads.size(); ++d) {
    CHECK(both.plan.exact[d]);
    CHECK(both.plan.loads[d].total().count() == both.measured[d]);
  }
  // 64 flows, 48 by the wide way expected; sigma sqrt(64 x 3/16) = 3.5.
  const auto data = [&](const char* way) {
    return static_cast<double>(link_of(both.results, "l1", way)->wire_bytes) / (20 * 1082 + 16);
  };
  CHECK(data("wide") + data("narrow") == doctest::Approx(64));
  CHECK(std::abs(data("wide") - 48) < 4 * 3.5);
}
