// Tiers side by side: what hashing leaves idle is named, as measured and as planned. And the size that plans answer for.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "engine/load_plan.hpp"
#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

TEST_CASE("one flow uses one uplink of each leaf, and the others are unused, measured as planned, and named") {
  FabricBench bench;
  bench.operation = Operation::write;
  LeafSpineConfig config;
  config.leaves = 2;
  config.spines = 4;
  config.hosts_per_leaf = 1;
  bench.leaf_spine(config);
  bench.flow("host1", "host2", 1_MB);
  const RunResults results = bench.run();
  const auto up = std::ranges::find_if(
      results.tiers, [](const TierRow& row) { return row.from == "leaf" && row.to == "spine"; });
  REQUIRE(up != results.tiers.end());
  CHECK(up->choice);
  CHECK(up->links == 8);
  CHECK(up->unused_links == 6);
  CHECK(up->plan_unused_links == 6);
  CHECK(up->unused.size() == 6);
  CHECK(up->max_bytes == up->plan_max_bytes);
  // 8 x largest / (data + acknowledges): a little less than 8, for the acknowledges of the other leaf.
  CHECK(up->max_to_mean == doctest::Approx(8).epsilon(0.01));
  for (const LinkRow& row : results.links) CHECK(row.wire_bytes - row.pfc_bytes == row.plan_bytes);
}

TEST_CASE("a fat tree of 11 664 hosts is planned in seconds: a permutation, and a ring of all hosts") {
  FabricBench bench;
  FatTreeConfig config;
  config.k = 36;
  add_fat_tree(bench.scenario.topology, config);
  for (const NodeConfig& node : bench.scenario.topology.nodes) {
    if (node.kind == NodeKind::host) {
      bench.scenario.nics.push_back(bench.nic);
    } else {
      bench.scenario.switches.push_back(bench.defaults);
    }
  }
  const std::size_t hosts = bench.scenario.nics.size();
  CHECK(hosts == 36 * 36 * 36 / 4);
  FlowsConfig shift;
  shift.name = "shift";
  for (std::size_t h = 0; h < hosts; ++h) {
    FlowConfig flow;
    flow.from = HostId{h};
    flow.to = HostId{(h + hosts / 2) % hosts};
    flow.size = 1_MB;
    shift.flows.push_back(flow);
  }
  AllReduceConfig ring;
  ring.name = "ring";
  for (std::size_t h = 0; h < hosts; ++h) ring.hosts.emplace_back(h);
  ring.size = 1_MiB * 1024;
  bench.scenario.jobs = {shift, ring};

  const auto begin = std::chrono::steady_clock::now();
  const PlannedScenario planned{bench.scenario};
  const LoadPlan plan = load_plan(planned.input());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  MESSAGE("routed and planned in ", took.count(), " s");
  // Each host sends 1 MB, and 2 x 11 663 / 11 664 GiB round the ring; with headers 2 % more.
  CHECK(plan.jobs[0].sends.data.count() > 11'664LL * 1'000'000);
  CHECK(plan.jobs[1].sends.data.count() > 2LL * 11'663 * 1024 * 1'048'576);
  CHECK(plan.jobs[1].sends.data.count() < 2.05 * 11'663 * 1024 * 1'048'576);
  CHECK(plan.at_least > 171_ms);  // 2 GiB at 100 Gbps
  for (const JobPlan& job : plan.jobs) CHECK(job.estimate >= job.at_least);
}
