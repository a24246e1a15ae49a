#include "topology/buffer_cycles.hpp"

#include <doctest/doctest.h>

#include <string>

#include "topology/families.hpp"

using namespace soya;

namespace {

/// `switches` in a ring, h1 on s1 and so on.
TopologyConfig ring(std::size_t switches) {
  TopologyConfig topology;
  for (std::size_t i = 1; i <= switches; ++i) {
    topology.nodes.push_back({"h" + std::to_string(i), NodeKind::host});
    topology.nodes.push_back({"s" + std::to_string(i), NodeKind::switch_});
  }
  for (std::size_t i = 0; i < switches; ++i) {
    LinkConfig access;
    access.a = NodeId{2 * i};
    access.b = NodeId{2 * i + 1};
    topology.links.push_back(access);
    LinkConfig link;
    link.a = NodeId{2 * i + 1};
    link.b = NodeId{(2 * i + 3) % (2 * switches)};
    topology.links.push_back(link);
  }
  return topology;
}

Routing routing_of(const TopologyConfig& topology) {
  const std::vector<std::uint64_t> seeds(build_ports(topology).forwarder_count(), 0);
  return Routing{topology, seeds};
}

std::string names(const TopologyConfig& topology, const BufferCycle& cycle) {
  std::string out;
  for (const PortRef& port : cycle.ports) out += topology.nodes[port.node.index()].name + ' ';
  return out;
}

}  // namespace

TEST_CASE("a ring of three switches has no path over a third one, so nothing waits in a circle") {
  CHECK(buffer_cycles(routing_of(ring(3))).empty());
}

TEST_CASE("a ring of four or more can wait in a circle, each way round") {
  for (const std::size_t switches : {4U, 5U, 8U}) {
    CAPTURE(switches);
    const TopologyConfig topology = ring(switches);
    const auto cycles = buffer_cycles(routing_of(topology));
    REQUIRE(cycles.size() == 2);
    for (const BufferCycle& cycle : cycles) {
      CHECK(cycle.ports.size() == switches);  // a cycle takes all links of a direction
      CHECK(cycle.links == switches);
    }
  }
  const TopologyConfig four = ring(4);
  CHECK(names(four, buffer_cycles(routing_of(four))[0]) == "s1 s2 s3 s4 ");
}

TEST_CASE("a ring whose hosts are all on two neighbours cannot") {
  TopologyConfig topology = ring(4);
  // Only s1 and s2 keep hosts, which are one link apart.
  std::erase_if(topology.links, [](const LinkConfig& link) { return link.a == NodeId{4U} || link.a == NodeId{6U}; });
  CHECK(buffer_cycles(routing_of(topology)).empty());
}

TEST_CASE("up and down a leaf-spine nothing waits in a circle") {
  TopologyConfig topology;
  LeafSpineConfig config;
  config.leaves = 4;
  config.spines = 3;
  config.links_per_pair = 2;
  add_leaf_spine(topology, config);
  CHECK(buffer_cycles(routing_of(topology)).empty());
}

TEST_CASE("static routes that bounce off a leaf make a circle") {
  TopologyConfig topology;
  LeafSpineConfig config;
  config.leaves = 3;
  add_leaf_spine(topology, config);
  // host3, on leaf2: leaf1 -> spine1 -> leaf3 -> spine2 -> leaf2. host1, on leaf1: leaf3 -> spine2 -> leaf2 -> spine1.
  // host5, on leaf3, as ever: leaf2 -> spine1 -> leaf3. So spine1 -> leaf3 -> spine2 -> leaf2 -> spine1.
  const auto node = [&](const std::string& name) {
    for (std::size_t n = 0; n < topology.nodes.size(); ++n) {
      if (topology.nodes[n].name == name) return NodeId{n};
    }
    FAIL("no ", name);
    return NodeId{};
  };
  topology.routes = {
      {node("leaf1"), {node("host3")}, node("spine1"), {}}, {node("spine1"), {node("host3")}, node("leaf3"), {}},
      {node("leaf3"), {node("host3")}, node("spine2"), {}}, {node("leaf3"), {node("host1")}, node("spine2"), {}},
      {node("spine2"), {node("host1")}, node("leaf2"), {}}, {node("leaf2"), {node("host1")}, node("spine1"), {}}};
  const auto cycles = buffer_cycles(routing_of(topology));
  REQUIRE(cycles.size() == 1);
  CHECK(cycles[0].ports.size() == 4);
}
