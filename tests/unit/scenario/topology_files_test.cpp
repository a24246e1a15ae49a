// Writing a topology and reading it back: the same nodes and links, whatever the format.
#include "scenario/topology_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "support/scenario_folder.hpp"
#include "topology/families.hpp"

using namespace soya;
using namespace soya::test;

namespace {

std::string words(const std::optional<std::int64_t>& value) {
  return value ? std::to_string(*value) : "-";
}

/// Everything of a topology that a file has to keep.
std::string facts(const TopologyConfig& topology) {
  const auto name = [&](NodeId node) { return topology.nodes[node.index()].name; };
  std::string out = topology.name + '\n';
  for (const NodeConfig& node : topology.nodes) {
    out += node.name + " kind " + std::to_string(static_cast<int>(node.kind));
    if (node.tier && node.kind != NodeKind::host) out += " tier " + std::to_string(*node.tier);
    if (node.place) out += ' ' + std::to_string(node.place->latitude) + ' ' + std::to_string(node.place->longitude);
    out += '\n';
  }
  for (const LinkConfig& link : topology.links) {
    const auto rate = [](const std::optional<Rate>& r) { return r ? words(r->bits_per_second()) : "-"; };
    out += name(link.a) + " to " + name(link.b) + ' ' + rate(link.rate) + ' ' + rate(link.reverse_rate) + ' ' +
           words(link.length.millimetres()) + ' ' +
           (link.reverse_length ? words(link.reverse_length->millimetres()) : "-") + ' ' +
           words(link.per_kilometre.picoseconds()) + ' ' + words(link.delay.picoseconds()) + ' ' +
           (link.reverse_delay ? words(link.reverse_delay->picoseconds()) : "-");
    if (link.loss) {
      out += " loss " + std::to_string(link.loss->packets.value) + ' ' + std::to_string(link.loss->burst.numerator) +
             (link.loss->control ? " control" : "");
    }
    out += '\n';
  }
  for (const AcceleratorConfig& one : topology.accelerators) {
    out += name(one.node) + " with " + name(one.partner) + ' ' + std::to_string(one.buffer.count()) + '\n';
  }
  return out;
}

/// The topology of file `text` after reading it under the name `file`.
std::string read_back(const std::string& file, const std::string& text) {
  const ScenarioFolder folder;
  folder.write(file, text);
  return facts(read_topology_file(folder.path(file)).topology);
}

void check_formats(const TopologyConfig& topology) {
  const std::string expected = facts(topology);
  CHECK(read_back("t.yaml", topology_yaml(topology)) == expected);
  CHECK(read_back("t.graphml", topology_graphml(topology)) == expected);
  CHECK(read_back("t.dot", topology_dot(topology)) == expected);
}

/// Switches in any shape, hosts on them, and everything that a link can say.
TopologyConfig random_topology(unsigned seed) {
  std::mt19937 dice{seed};
  const auto roll = [&](std::int64_t sides) { return static_cast<std::int64_t>(dice()) % sides; };
  static const char* const odd_names[] = {"稚内", "None", "?",     "42",  "a b",   "x \"y\"", "<&>'",
                                          "- no", "true", "node1", "{z}", "graph", "a: b",    "c\\d"};
  TopologyConfig topology;
  topology.name = "random-" + std::to_string(seed);
  const auto switches = static_cast<std::size_t>(2 + roll(6));
  const auto some_switch = [&] { return NodeId{static_cast<std::size_t>(roll(static_cast<std::int64_t>(switches)))}; };
  for (std::size_t s = 0; s < switches; ++s) {
    NodeConfig node{s < std::size(odd_names) && roll(2) == 0 ? odd_names[(s + seed) % std::size(odd_names)]
                                                             : "s" + std::to_string(s),
                    NodeKind::switch_};
    if (roll(2) == 0) node.tier = static_cast<std::uint8_t>(1 + roll(3));
    if (roll(3) == 0)
      node.place = Coordinates{static_cast<double>(roll(180)) - 89.75, static_cast<double>(roll(360)) - 179.5};
    topology.nodes.push_back(node);
  }
  const auto add_link = [&](NodeId a, NodeId b) {
    LinkConfig link;
    link.a = a;
    link.b = b;
    link.rate = Rate{(1 + roll(400)) * 1'000'000'000};
    if (roll(3) == 0) link.reverse_rate = Rate{(1 + roll(400)) * 1'000'000};
    link.length = Length{1 + roll(1'000'000'000)};
    if (roll(4) == 0) link.reverse_length = Length{1 + roll(1'000'000)};
    if (roll(4) == 0) link.per_kilometre = Duration{4'900'000};
    if (roll(4) == 0) link.delay = Duration{roll(1'000'000'000)};
    if (roll(4) == 0) link.reverse_delay = Duration{roll(1'000)};
    if (roll(4) == 0) link.loss = LossConfig{{0.125}, {}, {4, 1}, roll(2) == 0};
    topology.links.push_back(link);
  };
  for (std::size_t i = 0; i < 2 * switches; ++i) {
    const NodeId a = some_switch();
    const NodeId b = some_switch();
    if (a != b) add_link(a, b);
    if (a != b && roll(3) == 0) add_link(b, a);
  }
  for (std::int64_t h = 0; h < 1 + roll(5); ++h) {
    topology.nodes.push_back({"host-" + std::to_string(h), NodeKind::host});
    add_link(NodeId{topology.nodes.size() - 1}, some_switch());
  }
  return topology;
}

}  // namespace

TEST_CASE("random topologies come back from every format as they were") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    check_formats(random_topology(seed));
  }
}

TEST_CASE("families come back from every format as they were") {
  ClosConfig clos;
  clos.radix = 4;
  clos.down = 2;
  clos.hosts = 8;
  const std::vector<FamilyConfig> families{LeafSpineConfig{},     FatTreeConfig{},   clos,
                                           RailOptimizedConfig{}, DragonflyConfig{}, TorusConfig{},
                                           RingTopologyConfig{}};
  for (const FamilyConfig& family : families) {
    CAPTURE(family.index());
    TopologyConfig topology;
    topology.name = "family";
    add_family(topology, family);
    REQUIRE(topology.nodes.size() > 2);
    check_formats(topology);
  }
}

TEST_CASE("accelerators come back with their partners and buffers") {
  TopologyConfig topology;
  topology.name = "far";
  const std::vector<NodeKind> kinds{
      NodeKind::host,    NodeKind::switch_, NodeKind::wan_accelerator, NodeKind::wan_accelerator,
      NodeKind::switch_, NodeKind::host};
  for (std::size_t n = 0; n < kinds.size(); ++n) topology.nodes.push_back({"n" + std::to_string(n), kinds[n]});
  for (std::size_t n = 0; n + 1 < kinds.size(); ++n) {
    LinkConfig link;
    link.a = NodeId{n};
    link.b = NodeId{n + 1};
    topology.links.push_back(link);
  }
  topology.accelerators = {{NodeId{2U}, NodeId{3U}, Bytes{1'000'000}, {}},
                           {NodeId{3U}, NodeId{2U}, Bytes{2'000'000}, {}}};
  check_formats(topology);
}

TEST_CASE("routes come back from YAML, and graphs say that they leave them out") {
  TopologyConfig topology;
  topology.name = "routed";
  add_leaf_spine(topology, {});
  topology.routes = {{NodeId{4U}, {NodeId{2U}, NodeId{3U}}, NodeId{6U}, {}}};
  const ScenarioFolder folder;
  folder.write("t.yaml", topology_yaml(topology));
  const TopologyConfig back = read_topology_file(folder.path("t.yaml")).topology;
  REQUIRE(back.routes.size() == 1);
  CHECK(back.routes[0].at == NodeId{4U});
  CHECK(back.routes[0].to == std::vector<NodeId>{NodeId{2U}, NodeId{3U}});
  CHECK(back.routes[0].via == NodeId{6U});
  CHECK(left_out_of_graphs(topology) == std::vector<std::string>{"1 static routes"});
}

TEST_CASE("a name that DOT cannot write is refused") {
  TopologyConfig topology;
  topology.nodes.push_back({"a\\", NodeKind::switch_});
  CHECK_THROWS_WITH_AS((void)topology_dot(topology),
                       "\"a\\\": DOT has no way to write this backslash; choose another format", ScenarioError);
  CHECK(dot_quoted("a\\b \"c\"") == "\"a\\b \\\"c\\\"\"");
}

TEST_CASE("servers come back from YAML as servers, with what each GPU has") {
  const ScenarioFolder folder;
  folder.write("s.yaml",
               "topology:\n"
               "  parts: [{rail_optimized: {prefix: r-, servers: 2, gpus_per_server: 2, local: {rate: 900Gbps}}}]\n"
               "  nodes:\n"
               "    w: {kind: server, gpus: 4, nics: 2, local: {rate: 400Gbps, reverse_rate: 200Gbps, length: 2m}}\n"
               "    v: {kind: server, gpus: 1}\n"
               "    s: switch\n"
               "  links:\n"
               "    - {between: [w-gpu1, s]}\n"
               "    - {between: [s, w-gpu3]}\n"
               "    - {between: [v-gpu1, s]}\n"
               "    - {between: [s, w-local], length: 9m}\n"
               "    - {between: [s, r-block1-rail1]}\n");
  const TopologyConfig topology = folder.read("s.yaml").topology;
  folder.write("t.yaml", topology_yaml(topology));
  const TopologyConfig back = read_topology_file(folder.path("t.yaml")).topology;
  const auto lines = [](const TopologyConfig& of) {
    std::vector<std::string> sorted;
    std::istringstream text{facts(of)};
    for (std::string line; std::getline(text, line);) sorted.push_back(line);
    std::ranges::sort(sorted);
    return sorted;
  };
  CHECK(lines(back) == lines(topology));
  CHECK(topology_yaml(back) == topology_yaml(topology));
  REQUIRE(back.servers.size() == 4);
  for (std::size_t s = 0; s < 4; ++s) {
    CHECK(back.servers[s].name == topology.servers[s].name);
    CHECK(back.servers[s].gpus == topology.servers[s].gpus);
    CHECK(back.servers[s].nics == topology.servers[s].nics);
    CHECK(back.servers[s].local_ports == topology.servers[s].local_ports);
  }
  CHECK(left_out_of_graphs(topology) == std::vector<std::string>{"which GPUs belong to which of 4 servers"});
}
