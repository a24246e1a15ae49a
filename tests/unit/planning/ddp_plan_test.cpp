#include "planning/ddp_plan.hpp"

#include <doctest/doctest.h>

using namespace soya;
using namespace soya::literals;

namespace {

/// JANOG55's model: 10^9 parameters of float32 in 40 equal tensors, on `ranks` hosts.
DdpConfig janog(std::size_t ranks, Duration backward) {
  DdpConfig config;
  for (std::size_t i = 0; i < ranks; ++i) config.hosts.emplace_back(i);
  config.tensors.assign(40, TensorConfig{"", 25'000'000, {}});
  config.forward = Duration{450'000'000'000};
  config.backward = backward;
  config.optimiser = Duration{7'000'000'000};
  return config;
}

RingNetwork network_of(std::size_t ranks) {
  const std::vector<PathHop> hops{{100_Gbps, 15_ns, 0_ps}, {400_Gbps, 150_ns, 500_ns}, {100_Gbps, 15_ns, 500_ns}};
  return {.edges = std::vector<RingEdge>(ranks, RingEdge{hops, hops})};
}

Duration milliseconds(std::int64_t count) {
  return Duration{count * 1'000'000'000};
}

}  // namespace

TEST_CASE("with a long backward pass only the last bucket's all-reduce sticks out") {
  const DdpConfig config = janog(4, milliseconds(900));
  const DdpPlan plan = plan_ddp(config, network_of(4));
  // 40 buckets of 10^8 B, one every 22.5 ms; each takes 1.5 x 10^8 B x 80 ps x 1.02 = 12.24 ms.
  REQUIRE(plan.buckets.size() == 40);
  const Duration one = ring_all_reduce_time({100_MB, 4_B}, config.ring, network_of(4));
  for (std::size_t k = 0; k < 40; ++k) {
    CHECK(plan.buckets[k].ready == Duration{22'500'000'000} * static_cast<std::int64_t>(k + 1));
    CHECK(plan.buckets[k].start == plan.buckets[k].ready);
    CHECK(plan.buckets[k].end == plan.buckets[k].start + one);
  }
  CHECK(plan.exposed == one);
  CHECK(plan.communication == 39 * Duration{22'500'000'000} + one);
  CHECK(plan.step_time == milliseconds(450 + 900 + 7) + one);
  CHECK(plan.condition.holds);
}

TEST_CASE("with a short backward pass buckets queue behind each other and the rest is exposed") {
  const DdpConfig config = janog(4, milliseconds(300));
  const DdpPlan plan = plan_ddp(config, network_of(4));
  const Duration one = ring_all_reduce_time({100_MB, 4_B}, config.ring, network_of(4));
  REQUIRE(plan.buckets.size() == 40);
  // The first is ready after 7.5 ms; each takes longer than the 7.5 ms to the next, so the network never rests.
  CHECK(plan.buckets.front().start == Duration{7'500'000'000});
  for (std::size_t k = 1; k < 40; ++k) CHECK(plan.buckets[k].start == plan.buckets[k - 1].end);
  CHECK(plan.buckets.back().end == Duration{7'500'000'000} + 40 * one);
  CHECK(plan.exposed == Duration{7'500'000'000} + 40 * one - milliseconds(300));
  CHECK(plan.communication == 40 * one);
  CHECK(plan.step_time == milliseconds(450 + 7) + plan.buckets.back().end);
  // 7.5 + 480 x 4178 / 4096 - 300 = 197.1 ms, and some microseconds of latency per bucket.
  CHECK(plan.exposed.seconds() == doctest::Approx(0.1971).epsilon(0.01));
  CHECK_FALSE(plan.condition.holds);
}

TEST_CASE("the talk's condition: 2(N - 1)/N x 4 P x 8 / R beside backward") {
  const DdpCondition condition = ddp_condition(janog(4, milliseconds(481)), 100_Gbps);
  CHECK(condition.data == Bytes{6'000'000'000});
  CHECK(condition.communication == milliseconds(480));
  CHECK(condition.holds);
  CHECK_FALSE(ddp_condition(janog(4, milliseconds(480)), 100_Gbps).holds);
  CHECK(ddp_condition(janog(4, milliseconds(480)), 400_Gbps).communication == milliseconds(120));
  CHECK(ddp_condition(janog(2, milliseconds(480)), 100_Gbps).communication == milliseconds(320));
}

TEST_CASE("headers lengthen the condition's data by 82 B per packet") {
  // 6 GB at mtu 4096: x 4178 / 4096 = 6 120 117 187.5 B; at 1024 and with a VLAN tag x 1110 / 1024 = 6 503 906 250 B.
  RingNetwork network = network_of(4);
  CHECK(plan_ddp(janog(4, milliseconds(480)), network).on_wire == serialisation(Bytes{6'120'117'188}, 100_Gbps));
  network.frame = {.mtu = 1024_B, .vlan = true};
  CHECK(plan_ddp(janog(4, milliseconds(480)), network).on_wire == serialisation(Bytes{6'503'906'250}, 100_Gbps));
}

TEST_CASE("one rank computes and communicates nothing") {
  const DdpPlan plan = plan_ddp(janog(1, milliseconds(300)), RingNetwork{});
  CHECK(plan.exposed == Duration{0});
  CHECK(plan.communication == 39 * Duration{7'500'000'000});
  CHECK(plan.step_time == milliseconds(450 + 300 + 7));
  CHECK(plan.condition.communication == Duration{0});
  CHECK(plan.on_wire == Duration{0});
  CHECK(plan.condition.holds);
}

TEST_CASE("no compute: all communication is exposed") {
  DdpConfig config = janog(4, Duration{0});
  config.forward = Duration{0};
  config.optimiser = Duration{0};
  const DdpPlan plan = plan_ddp(config, network_of(4));
  CHECK(plan.exposed == plan.communication);
  CHECK(plan.step_time == plan.communication);
  CHECK(plan.communication == 40 * ring_all_reduce_time({100_MB, 4_B}, config.ring, network_of(4)));
}

TEST_CASE("a step without gradients is compute alone") {
  DdpConfig config = janog(4, milliseconds(300));
  config.tensors.clear();
  const DdpPlan plan = plan_ddp(config, network_of(4));
  CHECK(plan.buckets.empty());
  CHECK(plan.exposed == Duration{0});
  CHECK(plan.step_time == milliseconds(757));
}
