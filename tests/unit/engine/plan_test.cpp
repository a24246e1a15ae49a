#include "engine/plan.hpp"

#include <doctest/doctest.h>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Two hosts on a switch each, 100 Gbps and 15 ns to the host, 400 Gbps and 150 ns between the switches.
struct TwoLeaves : FabricBench {
  TwoLeaves() {
    for (const char* side : {"a", "b"}) {
      const std::string leaf = std::string{"leaf-"} + side;
      add_switch(leaf);
      for (const char* number : {"1", "2"}) {
        host(side + std::string{number});
        rate = 100_Gbps;
        delay = 15_ns;
        link(side + std::string{number}, leaf);
      }
    }
    rate = 400_Gbps;
    delay = 150_ns;
    link("leaf-a", "leaf-b");
  }
  DdpConfig& training(int ranks) {
    DdpConfig job;
    job.name = "ddp";
    for (int h = 0; h < ranks; ++h) job.hosts.emplace_back(static_cast<std::size_t>(h));
    job.tensors = {{"t", 1'000'000, std::nullopt}};
    job.backward = 1_ms;
    scenario.jobs.emplace_back(job);
    return std::get<DdpConfig>(scenario.jobs.back());
  }
};

}  // namespace

TEST_CASE("the plan of a training job is known without running, and is the one that a result shows") {
  TwoLeaves bench;
  bench.training(4);
  const Simulation built{bench.scenario};
  const Plan plan = plan_of(built);
  REQUIRE(plan.training.size() == 1);
  CHECK(plan.training[0].job == "ddp");
  CHECK(plan.training[0].backward == 1_ms);
  // 2 x 3/4 x 4 000 000 B at 80 ps, and x 4178 / 4096 with headers.
  CHECK(plan.training[0].step.condition.communication == Duration{6'000'000 * 80});
  CHECK(plan.training[0].step.on_wire == Duration{(6'000'000LL * 4178 + 4095) / 4096 * 80});
  const RunResults results = bench.run();
  const double exposed_ms = static_cast<double>(plan.training[0].step.exposed.picoseconds()) / 1e9;
  CHECK(results.steps.at(0).plan_exposed_ms == doctest::Approx(exposed_ms));
  CHECK(results.steps.at(0).exposed_ms == doctest::Approx(exposed_ms).epsilon(0.01));
}

TEST_CASE("ports with the same budget are one kind under the first name, the largest budget first") {
  TwoLeaves bench;
  bench.flow("a1", "b1", 1_MB);
  const Plan plan = plan_of(Simulation{bench.scenario});
  CHECK(plan.training.empty());
  REQUIRE(plan.headroom.size() == 2);
  // No response time. Between the switches 400 Gbps x 300 ns = 15 000 B, to the hosts 100 Gbps x 30 ns = 375 B; a
  // SEND's largest frame is 4158 B, 4178 B on the wire.
  CHECK(plan.headroom[0].node == "leaf-a");
  CHECK(plan.headroom[0].port == "leaf-b");
  CHECK(plan.headroom[0].ports == 2);
  CHECK(plan.headroom[0].budget.automatic == Bytes{15'000 + 4178 + 84 + 2 * 4158});
  CHECK(plan.headroom[1].node == "leaf-a");
  CHECK(plan.headroom[1].port == "a1");
  CHECK(plan.headroom[1].ports == 4);
  CHECK(plan.headroom[1].budget.automatic == Bytes{375 + 4178 + 84 + 2 * 4158});
  CHECK(plan.headroom[1].configured == plan.headroom[1].budget.automatic);
}

TEST_CASE("a switch with headroom of its own is a kind of its own, and lossy fabrics have none") {
  TwoLeaves bench;
  bench.flow("a1", "b1", 1_MB);
  bench.scenario.switches[1].headroom.size = 20_KB;
  const Plan plan = plan_of(Simulation{bench.scenario});
  REQUIRE(plan.headroom.size() == 4);
  CHECK(plan.headroom[1].node == "leaf-b");
  CHECK(plan.headroom[1].configured == 20_KB);
  CHECK(plan.headroom[3].node == "leaf-b");
  CHECK(plan.headroom[3].ports == 2);
  bench.scenario.pfc.priorities = PrioritySet{};
  CHECK(plan_of(Simulation{bench.scenario}).headroom.empty());
}
