#include "fabric/path_choice.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/units_io.hpp"

using namespace soya;

namespace {

/// h1 - l1, from there by `ways` spines to l2 - h2 and l3 - h3.
struct Ways {
  explicit Ways(std::size_t ways) {
    for (const char* name : {"h1", "h2", "h3"}) topology.nodes.push_back({name, NodeKind::host, {}});
    for (const char* name : {"l1", "l2", "l3"}) topology.nodes.push_back({name, NodeKind::switch_, {}});
    for (std::size_t host = 0; host < 3; ++host) join(host, 3 + host);
    for (std::size_t way = 0; way < ways; ++way) {
      topology.nodes.push_back({"s" + std::to_string(way), NodeKind::switch_, {}});
      for (std::size_t leaf = 3; leaf < 6; ++leaf) join(leaf, 6 + way);
    }
  }
  void join(std::size_t a, std::size_t b) {
    LinkConfig link;
    link.a = NodeId{a};
    link.b = NodeId{b};
    topology.links.push_back(link);
  }
  [[nodiscard]] Routing routing() const {
    return Routing{topology, std::vector<std::uint64_t>(topology.nodes.size() - 3, 7)};
  }
  TopologyConfig topology;
};

Packet packet_of(std::uint64_t flow, std::size_t to = 1) {
  Packet packet;
  packet.flow_hash = flow;
  packet.destination = HostId{to};
  return packet;
}

const auto no_queue = [](PortId) { return 0_B; };
constexpr SwitchId leaf{0U};

}  // namespace

TEST_CASE("round robin takes the ports in turn, each set of ports by itself") {
  const Routing routing = Ways{4}.routing();
  const RoutingTable& table = routing.table(leaf);
  PathChoice choice{{.policy = RoutingPolicy::spray}, RandomStream{1}};
  std::vector<PortId> seen;
  for (std::uint64_t i = 0; i < 12; ++i) seen.push_back(choice.choose(table, packet_of(i), Time{0}, no_queue));
  for (std::size_t i = 0; i + 4 < seen.size(); ++i) CHECK(seen[i] == seen[i + 4]);
  CHECK(std::set<PortId>(seen.begin(), seen.begin() + 4).size() == 4);
  // Both leaves are reached by the same set, so that frames for one and the other go on with one turn.
  CHECK(choice.choose(table, packet_of(1, 2), Time{0}, no_queue) == seen[0]);
  CHECK(choice.choose(table, packet_of(1, 1), Time{0}, no_queue) == seen[1]);
  // One's own host has a port of its own, and takes no turn.
  CHECK(choice.choose(table, packet_of(1, 0), Time{0}, no_queue) == table.candidates(HostId{0U})[0]);
  CHECK(choice.choose(table, packet_of(1, 1), Time{0}, no_queue) == seen[2]);
}

TEST_CASE("switches start their turns at different ports") {
  const Routing routing = Ways{4}.routing();
  std::set<PortId> starts;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PathChoice choice{{.policy = RoutingPolicy::spray}, RandomStream{seed}};
    starts.insert(choice.choose(routing.table(leaf), packet_of(1), Time{0}, no_queue));
  }
  CHECK(starts.size() == 4);  // all four are missed by one of 40 with a chance below 4 x (3/4)^40 = 4e-5
}

TEST_CASE("random spraying is even") {
  // 40 000 frames on four ports: 10 000 each, sigma sqrt(40 000 x 1/4 x 3/4) = 86.6; five of them are 433.
  const Routing routing = Ways{4}.routing();
  PathChoice choice{{.policy = RoutingPolicy::spray, .spray = SprayOrder::random}, RandomStream{5}};
  std::map<PortId, int> frames;
  for (int i = 0; i < 40'000; ++i) ++frames[choice.choose(routing.table(leaf), packet_of(9), Time{0}, no_queue)];
  CHECK(frames.size() == 4);
  for (const auto& [port, count] : frames) CHECK(std::abs(count - 10'000) < 433);
}

TEST_CASE("adaptive takes the port with the fewest bytes, and the flow's hash decides among equal ones") {
  const Routing routing = Ways{4}.routing();
  const RoutingTable& table = routing.table(leaf);
  const auto ports = table.candidates(HostId{1U});
  PathChoice choice{{.policy = RoutingPolicy::adaptive}, RandomStream{5}};
  std::map<PortId, Bytes> bytes{{ports[0], 30_B}, {ports[1], 20_B}, {ports[2], 10_B}, {ports[3], 20_B}};
  const auto queued = [&](PortId port) { return bytes.at(port); };
  for (std::uint64_t flow = 0; flow < 20; ++flow)
    CHECK(choice.choose(table, packet_of(flow), Time{0}, queued) == ports[2]);
  bytes[ports[2]] = 20_B;
  std::set<PortId> seen;
  for (std::uint64_t flow = 0; flow < 60; ++flow) {
    const PortId first = choice.choose(table, packet_of(flow), Time{0}, queued);
    CHECK(choice.choose(table, packet_of(flow), Time{1}, queued) == first);
    seen.insert(first);
  }
  CHECK(seen == std::set{ports[1], ports[2], ports[3]});
}

TEST_CASE("a flow keeps its way until it has been silent for the gap") {
  const Routing routing = Ways{8}.routing();
  const RoutingTable& table = routing.table(leaf);
  PathChoice choice{{.policy = RoutingPolicy::flowlet, .flowlet_gap = 10_us}, RandomStream{3}};
  Time now{0};
  const PortId first = choice.choose(table, packet_of(1), now, no_queue);
  for (int i = 0; i < 100; ++i) {  // each frame comes less than the gap after the one before
    now += 10_us - Duration{1};
    CHECK(choice.choose(table, packet_of(1), now, no_queue) == first);
  }
  std::set<PortId> seen;
  for (int i = 0; i < 200; ++i) {
    now += 10_us;
    seen.insert(choice.choose(table, packet_of(1), now, no_queue));
  }
  CHECK(seen.size() == 8);  // one of eight is missed by 200 with a chance below 8 x (7/8)^200 = 2e-11
}

TEST_CASE("flowlets of a thousand flows do not mix") {
  const Routing routing = Ways{8}.routing();
  const RoutingTable& table = routing.table(leaf);
  PathChoice choice{{.policy = RoutingPolicy::flowlet, .flowlet_gap = 10_us}, RandomStream{3}};
  std::map<std::uint64_t, PortId> ways;
  for (std::uint64_t flow = 0; flow < 1000; ++flow)
    ways[flow] = choice.choose(table, packet_of(flow), Time{0}, no_queue);
  for (std::uint64_t flow = 0; flow < 1000; ++flow)
    CHECK(choice.choose(table, packet_of(flow), Time{1}, no_queue) == ways[flow]);
  // 125 expected on each; sigma sqrt(1000 x 1/8 x 7/8) = 10.5.
  std::map<PortId, int> flows;
  for (const auto& [flow, port] : ways) ++flows[port];
  for (const auto& [port, count] : flows) CHECK(std::abs(count - 125) < 53);
}

TEST_CASE("a flow that may move goes where the fewest bytes wait, if that is asked for") {
  const Routing routing = Ways{3}.routing();
  const RoutingTable& table = routing.table(leaf);
  const auto ports = table.candidates(HostId{1U});
  PathChoice choice{{.policy = RoutingPolicy::flowlet, .flowlet_gap = 10_us, .flowlet = FlowletChoice::least_queued},
                    RandomStream{3}};
  PortId empty = ports[1];
  const auto queued = [&](PortId port) { return port == empty ? 0_B : 100_B; };
  CHECK(choice.choose(table, packet_of(1), Time{0}, queued) == ports[1]);
  empty = ports[2];
  CHECK(choice.choose(table, packet_of(1), Time{0} + 9_us, queued) == ports[1]);
  CHECK(choice.choose(table, packet_of(1), Time{0} + 19_us, queued) == ports[2]);
}

TEST_CASE("a flow whose way is gone takes another at once, and none where none is left") {
  const Ways ways{2};
  const Routing whole = ways.routing();
  PathChoice choice{{.policy = RoutingPolicy::flowlet}, RandomStream{3}};
  const PortId first = choice.choose(whole.table(leaf), packet_of(1), Time{0}, no_queue);
  std::vector<bool> dead(ways.topology.links.size());
  dead[whole.ports().at({whole.ports().node_of(leaf), first}).link.index()] = true;
  const std::vector<std::uint64_t> seeds(5, 7);
  const Routing without{ways.topology, seeds, {.dead = dead}};
  choice.rerouted();
  const PortId second = choice.choose(without.table(leaf), packet_of(1), Time{1}, no_queue);
  CHECK(second != first);
  CHECK_FALSE(second.is_none());
  dead[whole.ports().at({whole.ports().node_of(leaf), second}).link.index()] = true;
  const Routing none{ways.topology, seeds, {.dead = dead}};
  choice.rerouted();
  CHECK(choice.choose(none.table(leaf), packet_of(1), Time{2}, no_queue).is_none());
}
