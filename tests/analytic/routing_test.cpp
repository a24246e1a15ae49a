// What each routing policy does to a whole fabric: how loads spread, how long transfers take, what stays in order.
#include "topology/routing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/hash.hpp"
#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

constexpr Duration packet{1082 * 80};  ///< payload 1000 by SEND, with headers, preamble and gap, at 100G

/// NICs of a fabric that sprays.
NicConfig patient() {
  NicConfig nic;
  nic.retransmission = Retransmission::selective_repeat;
  nic.reorder_timeout = 100_us;
  return nic;
}

/// a on l1 and z on l2, with hosts links of `host_rate` and `spines` ways of 100G between the leaves.
struct TwoLeaves : FabricBench {
  TwoLeaves(int spines, Rate host_rate, RoutingPolicy policy) {
    scenario.frame.mtu = 1000_B;
    nic = patient();
    defaults.routing.policy = policy;
    defaults.buffer.threshold = StaticThreshold{1'000'000_B};
    for (const char* name : {"l1", "l2"}) add_switch(name);
    host("a");
    host("z");
    rate = host_rate;
    link("a", "l1");
    link("z", "l2");
    rate = 100_Gbps;
    for (int s = 1; s <= spines; ++s) {
      const std::string name = "s" + std::to_string(s);
      add_switch(name);
      link("l1", name);
      link(name, "l2");
    }
  }
};

std::int64_t wire_bytes(const RunResults& results, const std::string& from, const std::string& to) {
  return link_of(results, from, to)->wire_bytes;
}

}  // namespace

TEST_CASE("spraying uses all ways alike, and one flow gets the sum of their rates") {
  // 400G hosts, four ways of 100G: 10 000 packets of 1082 B leave in turn, 2500 on each way, so that they take as long
  // as one link of 400G: 10 000 x 1082 B x 8 / 400G = 216.4 us, and the last one's way.
  TwoLeaves bench{4, 400_Gbps, RoutingPolicy::spray};
  bench.flow("a", "z", 10'000'000_B);
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.transfers.retransmitted_packets == 0);
  for (const char* spine : {"s1", "s2", "s3", "s4"}) CHECK(wire_bytes(results, "l1", spine) == 2500 * 1082);
  const Duration wire = serialisation(10'000 * 1082_B, 400_Gbps);
  const Duration ways = 4 * 1_us + 4 * 1_us;  // there and back
  const Duration took = finish_of(results, "a") - Time{0};
  CHECK(took > wire + ways);
  CHECK(took < wire + ways + 10 * packet);
  // By one way it would have taken four times as long: the ideal knows that the ways work together.
  CHECK(results.transfer_rows.at(0).slowdown.value() >= 1);
  CHECK(results.transfer_rows.at(0).slowdown.value() < 1.01);
}

TEST_CASE("random spraying uses all ways alike to their binomial spread") {
  TwoLeaves bench{4, 400_Gbps, RoutingPolicy::spray};
  for (SwitchConfig& config : bench.scenario.switches) config.routing.spray = SprayOrder::random;
  bench.flow("a", "z", 10'000'000_B);
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(results.transfers.retransmitted_packets == 0);
  for (const char* spine : {"s1", "s2", "s3", "s4"}) {
    // 2500 packets expected, sigma sqrt(10 000 x 1/4 x 3/4) = 43.3.
    CHECK(std::abs(wire_bytes(results, "l1", spine) / 1082 - 2500) < 217);
  }
}

TEST_CASE("adaptive routing goes round a way that is held, ECMP waits for it") {
  // 1000 frames at the rate of one way, 86.56 us, and one of the two ways is held for the first millisecond.
  constexpr std::int64_t frame = 1082;
  const Duration all = 1000 * packet;
  const Duration ways = 4 * (packet + 1_us) + 4 * (packet + 1_us);  // there and back, at most
  const auto run_with = [](RoutingPolicy policy, const std::string& held) {
    TwoLeaves bench{2, 100_Gbps, policy};
    for (NicConfig& nic : bench.scenario.nics) nic.reorder_timeout = 10_ms;  // a held frame is not lost
    bench.hold("l1", held, Time{0}, Time{0} + 1_ms);
    bench.flow("a", "z", 1'000'000_B);
    return bench.run();
  };
  int waited = 0;
  int overtaken = 0;
  for (const std::string held : {"s1", "s2"}) {
    CAPTURE(held);
    const RunResults hashed = run_with(RoutingPolicy::ecmp, held);
    const Duration ecmp = finish_of(hashed, "a") - Time{0};
    waited += ecmp > 1_ms ? 1 : 0;
    CHECK(ecmp >
          (ecmp > 1_ms ? 1_ms + all - 70 * packet : all));  // some 60 frames wait in the host's and leaf's queues
    CHECK(ecmp < (ecmp > 1_ms ? 1_ms : 0_us) + all + ways);

    const RunResults results = run_with(RoutingPolicy::adaptive, held);
    CHECK(results.sound);
    CHECK(results.transfers.retransmitted_packets == 0);
    // A frame comes when the one before has begun to leave, so that nothing waits on the free way: the held one gets
    // a frame if it comes first by the hash, and has the longer queue from then on.
    const std::int64_t there = wire_bytes(results, "l1", held);
    CHECK((there == 0 || there == frame));
    CHECK(wire_bytes(results, "l1", held == "s1" ? "s2" : "s1") == 1000 * frame - there);
    overtaken += there > 0 ? 1 : 0;
    const Duration finish = finish_of(results, "a") - Time{0};
    if (there == 0) CHECK(finish < all + ways);
    if (there > 0) CHECK(finish > 1_ms);  // the one frame that waited
    CHECK(finish < 1_ms + ways);
  }
  CHECK(waited == 1);
  CHECK(overtaken == 1);
}

TEST_CASE("flowlets keep the order where the gap is longer than the ways differ, and move between bursts") {
  // 40 messages of 10 packets, 50 us apart. Ways differ by less than a frame. With a gap of 20 us each message is a
  // flowlet; 40 choose among four ways: all four are used but for a chance of 4 x (3/4)^40 = 4e-5.
  TwoLeaves bench{4, 100_Gbps, RoutingPolicy::flowlet};
  for (SwitchConfig& config : bench.scenario.switches) config.routing.flowlet_gap = 20_us;
  for (NicConfig& nic : bench.scenario.nics) nic.reorder_timeout.reset();  // a gap would be told of at once
  for (int i = 0; i < 40; ++i) {
    FlowConfig& flow = bench.flow("a", "z", 10'000_B);
    flow.start = Time{0} + i * 50_us;
    flow.name = "burst";
  }
  auto& flows = std::get<FlowsConfig>(bench.scenario.jobs.front()).flows;
  FlowConfig series = flows.front();
  flows.assign(40, series);
  for (int i = 0; i < 40; ++i) {
    flows[static_cast<std::size_t>(i)].start = Time{0} + i * 50_us;
    flows[static_cast<std::size_t>(i)].name = "burst" + std::to_string(i);
  }
  const RunResults results = bench.run();
  CHECK(results.sound);
  CHECK(host_of(results, "z")->gaps == 0);
  CHECK(results.transfers.retransmitted_packets == 0);
  std::int64_t ways = 0;
  for (const char* spine : {"s1", "s2", "s3", "s4"}) {
    const std::int64_t bytes = wire_bytes(results, "l1", spine);
    ways += bytes > 0 ? 1 : 0;
    CHECK(bytes % (10 * 1082) == 0);  // whole bursts
  }
  CHECK(ways == 4);
}

TEST_CASE("two tiers with the same hash use 4 of 16 paths, with a hash of their own all 16") {
  // l1 with four aggs, each of which has four cores of its own; on the other side l2 likewise. 1000 flows.
  TopologyConfig topology;
  const auto node = [&](const std::string& name, NodeKind kind) {
    topology.nodes.push_back({name, kind, {}});
    return NodeId{topology.nodes.size() - 1};
  };
  const auto link = [&](NodeId a, NodeId b) {
    LinkConfig config;
    config.a = a;
    config.b = b;
    topology.links.push_back(config);
  };
  const NodeId a = node("a", NodeKind::host);
  const NodeId z = node("z", NodeKind::host);
  const NodeId l1 = node("l1", NodeKind::switch_);
  const NodeId l2 = node("l2", NodeKind::switch_);
  link(a, l1);
  link(z, l2);
  for (int i = 0; i < 4; ++i) {
    const NodeId left = node("agg" + std::to_string(i), NodeKind::switch_);
    const NodeId right = node("gga" + std::to_string(i), NodeKind::switch_);
    link(l1, left);
    link(right, l2);
    for (int c = 0; c < 4; ++c) {
      const NodeId core = node("core" + std::to_string(4 * i + c), NodeKind::switch_);
      link(left, core);
      link(core, right);
    }
  }
  const auto loads = [&](HashSeeds kind) {
    std::vector<std::uint64_t> seeds;
    for (const NodeConfig& one : topology.nodes) {
      if (one.kind != NodeKind::switch_) continue;
      seeds.push_back(ecmp_hash_seed(1, kind == HashSeeds::same ? std::string{} : one.name, 0));
    }
    const Routing routing{topology, seeds};
    std::map<std::string, int> of_core;
    for (std::uint64_t flow = 0; flow < 1000; ++flow) {
      const auto path = routing.path({HostId{0U}, HostId{1U}}, mix(flow));
      ++of_core[topology.nodes[path.at(3).node.index()].name];
    }
    return of_core;
  };
  CHECK(loads(HashSeeds::same).size() == 4);
  const auto spread = loads(HashSeeds::per_switch);
  CHECK(spread.size() == 16);
  const auto most = std::ranges::max_element(spread, {}, [](const auto& one) { return one.second; })->second;
  CHECK(most < 1.5 * 1000 / 16);
}

TEST_CASE("of the sixteen paths between two pods of a fat tree 1000 flows use 4 with one hash, all with a hash each") {
  // k = 8: an edge switch has four aggregations, each of which has four cores. From one host to another pod's.
  TopologyConfig topology;
  FatTreeConfig family;
  family.k = 8;
  add_fat_tree(topology, family);
  const PortMap ports = build_ports(topology);
  const auto host = [&](const char* name) {
    return ports.host_at(NodeId{
        static_cast<std::size_t>(std::ranges::find(topology.nodes, name, &NodeConfig::name) - topology.nodes.begin())});
  };
  const HostPair ends{host("host1"), host("host65")};  // 16 hosts a pod: the first ones of pods 1 and 5
  const auto paths_of = [&](HashSeeds kind, std::uint64_t seed) {
    std::vector<std::uint64_t> seeds;
    for (const NodeConfig& one : topology.nodes) {
      if (one.kind != NodeKind::switch_) continue;
      seeds.push_back(ecmp_hash_seed(seed, kind == HashSeeds::same ? std::string{} : one.name, 0));
    }
    const Routing routing{topology, seeds};
    std::map<std::vector<std::uint32_t>, int> flows_on;
    for (std::uint64_t flow = 0; flow < 1000; ++flow) {
      std::vector<std::uint32_t> nodes;
      for (const PortRef& hop : routing.path(ends, mix(flow))) nodes.push_back(hop.node.value());
      CHECK(nodes.size() == 6);  // host, edge, aggregation, core, aggregation, edge
      ++flows_on[nodes];
    }
    return flows_on;
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CHECK(paths_of(HashSeeds::same, seed).size() == 4);
    const auto spread = paths_of(HashSeeds::per_switch, seed);
    CHECK(spread.size() == 16);
    int most = 0;
    for (const auto& [path, flows] : spread) most = std::max(most, flows);
    CHECK(most < 1.5 * 1000 / 16);  // 62.5 expected, sigma 7.7: four sigma are 93
  }
}
