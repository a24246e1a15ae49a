// The planned load of every link direction against the bytes that the simulation puts there: equal to the byte where no
// acknowledge may answer two packets, and elsewhere by whole acknowledges less.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "analytic/load_compare.hpp"
#include "workload/perftest_job.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Outcome {
  std::size_t directions{0};
  std::size_t exact{0};
  std::size_t loaded{0};
  Bytes control{0};  ///< of all directions
};

/// By direction: acknowledges that are certain where those of `slots` messages of a connection's end may be one, and
/// none is awaited.
std::vector<double> least_acknowledges(const TrafficPlan& plan, std::int64_t slots) {
  std::vector<double> least(plan.loads.size());
  for (std::size_t f = 0; f < plan.flows.size(); ++f) {
    const ConnectionTraffic& traffic = plan.traffic[plan.flows[f].job.index()][plan.flows[f].connection];
    const Exchange& asked = plan.flows[f].from_a ? traffic.by_b : traffic.by_a;
    const std::int64_t messages = asked.back.acknowledge > Bytes{0} ? asked.messages : 0;
    for (const LinkShare& one : plan.routes[f]) {
      least[one.direction] += static_cast<double>((messages + slots - 1) / slots) * acknowledge_wire;
    }
  }
  return least;
}

/// Runs `scenario` and holds every direction of every link against its plan. `slots`: how many messages one acknowledge
/// may answer where the plan says that it may answer several.
Outcome compare(const Scenario& scenario, std::int64_t slots = 64) {
  const LoadComparison both = run_beside_plan(scenario);
  const TrafficPlan& plan = both.plan;
  CHECK(plan.doubts.empty());
  const std::vector<double> least = least_acknowledges(plan, slots);
  Outcome outcome;
  for (LinkDirection d = 0; d < plan.loads.size(); ++d) {
    const std::int64_t measured = both.measured[d];
    const WireLoad& load = plan.loads[d];
    CAPTURE(d);
    ++outcome.directions;
    outcome.loaded += measured > 0 ? 1 : 0;
    outcome.control += load.control;
    if (plan.exact[d]) {
      ++outcome.exact;
      CHECK(load.total().count() == measured);
    } else {
      const std::int64_t saved = load.total().count() - measured;
      CHECK(saved >= 0);
      CHECK(saved % acknowledge_wire == 0);
      // All of the data and the control messages are there, and the acknowledges that nothing can save.
      CHECK(static_cast<double>(measured) >= static_cast<double>((load.data + load.control).count()) + least[d]);
    }
  }
  return outcome;
}

/// 8 hosts, four leaves, two spines with two links to each leaf, MTU 1024.
struct Clos : FabricBench {
  Clos() {
    scenario.frame.mtu = 1024_B;
    operation = Operation::write;
    LeafSpineConfig config;
    config.leaves = 4;
    config.spines = 2;
    config.links_per_pair = 2;
    config.hosts_per_leaf = 2;
    config.host_link = config.fabric_link = link_kind();
    leaf_spine(config);
  }
  [[nodiscard]] std::vector<HostId> ranks(std::size_t count) const {
    std::vector<HostId> hosts;
    for (std::size_t h = 0; h < count; ++h) hosts.emplace_back(h);
    return hosts;
  }
};

}  // namespace

TEST_CASE("messages of no, one, mtu - 1, mtu and mtu + 1 bytes load every link as planned") {
  for (const Operation operation : {Operation::write, Operation::write_immediate, Operation::send, Operation::read}) {
    CAPTURE(static_cast<int>(operation));
    Clos bench;
    bench.operation = operation;
    int from = 1;
    for (const Bytes size : {0_B, 1_B, 1023_B, 1024_B, 1025_B, 70 * 1024_B}) {
      bench.flow("host" + std::to_string(from), "host8", size).messages = 3;
      ++from;
    }
    const Outcome outcome = compare(bench.scenario);
    // An empty SEND is 62 + 20 B, less than its acknowledge: on the four links from host8 to its sender they may queue.
    const std::size_t doubtful = operation == Operation::send ? 4 : 0;
    CHECK(outcome.exact + doubtful == outcome.directions);
    CHECK(outcome.loaded > 14);
  }
}

TEST_CASE("the numbers behind a load: one WRITE of 65 packets") {
  // 65 x 1024 B: First 62 + 16 + 1024, 64 others 62 + 1024, each + 20; 64th and last packet ask: 2 x 86.
  Clos bench;
  bench.flow("host1", "host2", 65 * 1024_B);
  const PlannedScenario planned{bench.scenario};
  const TrafficPlan plan = plan_traffic(planned.input());
  REQUIRE(plan.demands.size() == 2);
  CHECK(plan.demands[0] == WireLoad{Bytes{65 * 1106 + 16}, 0_B, 0_B});
  CHECK(plan.demands[1] == WireLoad{0_B, Bytes{2 * 86}, 0_B});
  CHECK(plan.routes[0].size() == 2);
  compare(bench.scenario);
}

TEST_CASE("an incast that pauses its senders loads every link as planned") {
  Clos bench;
  for (int h = 2; h <= 8; ++h) bench.flow("host" + std::to_string(h), "host1", 300'001_B);
  const Outcome outcome = compare(bench.scenario);
  CHECK(outcome.exact == outcome.directions);
}

TEST_CASE("ring all-reduces of 2 to 8 ranks load every link as planned") {
  for (std::size_t ranks = 2; ranks <= 8; ++ranks) {
    for (const int slots : {1, 4}) {
      CAPTURE(ranks);
      CAPTURE(slots);
      Clos bench;
      AllReduceConfig job;
      job.name = "ring";
      job.hosts = bench.ranks(ranks);
      job.size = 1'000'003_B;
      job.repeat = 2;
      job.ring.slice = 64_KiB;
      job.ring.slots = slots;
      bench.scenario.jobs.emplace_back(job);
      // With one slot a clear-to-send follows a slice; with four they come together and share acknowledges, four of
      // them at most: the fifth is for a slot that the first has opened, whose acknowledge left before the slice did.
      const Outcome outcome = compare(bench.scenario, slots);
      if (slots == 1) CHECK(outcome.exact == outcome.directions);
      CHECK(outcome.control > 0_B);
    }
  }
}

TEST_CASE("two steps of data-parallel training load every link as planned") {
  for (const int slots : {1, 4}) {
    Clos bench;
    DdpConfig job;
    job.name = "ddp";
    job.hosts = bench.ranks(8);
    for (const std::int64_t elements : {100'001, 300'000, 7, 50'000}) job.tensors.push_back({"t", elements, {}});
    job.first_bucket = 256_KiB;
    job.bucket = 1_MiB;
    job.forward = 100_us;
    job.backward = 200_us;
    job.optimiser = 10_us;
    job.steps = 2;
    job.ring.slots = slots;
    bench.scenario.jobs.emplace_back(job);
    const Outcome outcome = compare(bench.scenario, slots);
    if (slots == 1) CHECK(outcome.exact == outcome.directions);
    CHECK(outcome.control > 0_B);
  }
}

TEST_CASE("perftest's four programs load every link as planned") {
  for (const PerftestTest test :
       {PerftestTest::write_bw, PerftestTest::write_lat, PerftestTest::read_bw, PerftestTest::send_bw}) {
    CAPTURE(perftest_name(test));
    Clos bench;
    PerftestConfig job;
    job.name = "perftest";
    job.test = test;
    job.client = bench.host_id("host1");
    job.server = bench.host_id("host8");
    job.sizes = {{64_B, 1}, {1024_B, 1}, {100'000_B, 1}};
    job.iterations = 50;
    job.tx_depth = is_latency(test) ? 1 : 16;
    job.qps = is_latency(test) ? 1 : 3;
    bench.scenario.jobs.emplace_back(job);
    const Outcome outcome = compare(bench.scenario);
    CHECK(outcome.exact == outcome.directions);
  }
}

TEST_CASE("a permutation whose hosts both send and receive loads every link as planned") {
  // 256 packets each, the 64th of each four asks: 70 kB lie between two asks, and no acknowledge waits so long.
  for (const int shift : {1, 3, 5}) {
    Clos bench;
    for (int h = 1; h <= 8; ++h) {
      bench.flow("host" + std::to_string(h), "host" + std::to_string((h + shift - 1) % 8 + 1), 256 * 1024_B);
    }
    const Outcome outcome = compare(bench.scenario);
    CHECK(outcome.exact == outcome.directions);
  }
}

TEST_CASE("VLAN tags, IPv6, jumbo packets and an acknowledge for each packet load every link as planned") {
  for (const Bytes mtu : {256_B, 1024_B, 4096_B}) {
    for (const bool long_headers : {false, true}) {
      for (const int ack_every : {1, 2, 64}) {
        CAPTURE(mtu.count());
        CAPTURE(long_headers);
        CAPTURE(ack_every);
        Clos bench;
        bench.scenario.frame.mtu = mtu;
        bench.scenario.frame.vlan = long_headers;
        if (long_headers) bench.scenario.frame.ip = IpVersion::v6;
        for (NicConfig& nic : bench.scenario.nics) nic.ack_every = ack_every;
        // From the four odd hosts to the even ones: nobody does both.
        for (int h = 1; h <= 7; h += 2) {
          bench.flow("host" + std::to_string(h), "host" + std::to_string((h + 2) % 8 + 1),
                     Bytes{100 * mtu.count() + h});
        }
        const Outcome outcome = compare(bench.scenario, 1);
        CHECK(outcome.loaded > 0);
        if (!long_headers) CHECK(outcome.exact == outcome.directions);
      }
    }
  }
}

TEST_CASE("several jobs at once: where hosts send and receive, acknowledges may be saved, and nothing else") {
  Clos bench;
  for (int h = 1; h <= 8; ++h) {
    bench.flow("host" + std::to_string(h), "host" + std::to_string(h % 8 + 1), 65 * 1024_B).messages = 4;
  }
  const Outcome outcome = compare(bench.scenario);
  CHECK(outcome.exact < outcome.directions);
}
