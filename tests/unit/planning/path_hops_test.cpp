#include "planning/path_hops.hpp"

#include <doctest/doctest.h>

#include <array>

#include "topology/families.hpp"

using namespace soya;
using namespace soya::literals;

TEST_CASE("a route's hops carry each direction's rate, the cable's delay and the switch's latency") {
  LeafSpineConfig config{.leaves = 2, .spines = 1, .hosts_per_leaf = 1};
  config.host_link.rate = 100_Gbps;
  config.host_link.reverse_rate = 25_Gbps;  // from leaf to host
  config.host_link.length = 3_m;
  config.fabric_link.rate = 400_Gbps;
  config.fabric_link.length = 30_m;
  config.fabric_link.delay = 1_us;
  TopologyConfig topology;
  add_leaf_spine(topology, config);
  const Routing routing{topology, std::array<std::uint64_t, 3>{1, 2, 3}};
  const std::array<Duration, 3> latencies{500_ns, 600_ns, 700_ns};  // leaf1, leaf2, spine1

  const auto route = routing.path({HostId{0U}, HostId{1U}}, 42);
  const std::vector<PathHop> expected{
      {100_Gbps, 15_ns, 0_ps}, {400_Gbps, 1150_ns, 500_ns}, {400_Gbps, 1150_ns, 700_ns}, {25_Gbps, 15_ns, 600_ns}};
  CHECK(path_hops(topology, routing.ports(), route, latencies) == expected);
  CHECK(path_hops(topology, routing.ports(), {}, latencies).empty());
}

TEST_CASE("what the links of a route lose adds up, by packet and by bit") {
  LeafSpineConfig config{.leaves = 2, .spines = 1, .hosts_per_leaf = 1};
  config.host_link.loss = LossConfig{.bits = {1e-9}};
  config.fabric_link.loss = LossConfig{.packets = {0.01}, .burst = {4, 1}};
  TopologyConfig topology;
  add_leaf_spine(topology, config);
  const Routing routing{topology, std::array<std::uint64_t, 3>{1, 2, 3}};
  const auto route = routing.path({HostId{0U}, HostId{1U}}, 42);
  const PathLoss loss = path_loss(topology, routing.ports(), route, Bytes{1250});
  // 10 000 bits, each wrong with 1e-9, on two links; 1 % on two others, in bursts of four.
  CHECK(1 - loss.loss == doctest::Approx(0.99 * 0.99 * (1 - 2 * 10'000 * 1e-9)).epsilon(1e-8));
  CHECK(loss.burst == 4);
  CHECK(path_loss(topology, routing.ports(), {}, Bytes{1250}).loss == 0);
}
