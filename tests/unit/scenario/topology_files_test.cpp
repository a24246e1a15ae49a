// Writing a topology and reading it back: the same nodes and links, whatever the format.
#include "scenario/topology_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "support/scenario_folder.hpp"
#include "topology/families.hpp"
#include "topology/servers.hpp"

using namespace soya;
using namespace soya::test;

namespace {

std::string words(const std::optional<std::int64_t>& value) {
  return value ? std::to_string(*value) : "-";
}

/// Everything of a link but its ends.
std::string link_facts(const LinkConfig& link) {
  const auto rate = [](const std::optional<Rate>& r) { return r ? words(r->bits_per_second()) : "-"; };
  std::string out = ' ' + rate(link.rate) + ' ' + rate(link.reverse_rate) + ' ' + words(link.length.millimetres()) +
                    ' ' + (link.reverse_length ? words(link.reverse_length->millimetres()) : "-") + ' ' +
                    words(link.per_kilometre.picoseconds()) + ' ' + words(link.delay.picoseconds()) + ' ' +
                    (link.reverse_delay ? words(link.reverse_delay->picoseconds()) : "-");
  if (link.loss) {
    out += " loss " + std::to_string(link.loss->packets.value) + ' ' + std::to_string(link.loss->burst.numerator) +
           (link.loss->control ? " control" : "");
  }
  return out;
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
    out += name(link.a) + " to " + name(link.b) + link_facts(link) + '\n';
  }
  for (const ServerConfig& server : topology.servers) {
    out += "server " + server.name;
    for (std::size_t gpu = 0; gpu < server.gpus.size(); ++gpu) {
      out += ", " + name(server.gpus[gpu]) + " by " + name(server.nics[gpu]);
      if (!server.local_ports.empty()) out += " inside " + name(server.local_ports[gpu]);
    }
    if (!server.local_switch.is_none()) out += " on " + name(server.local_switch);
    if (server.local) out += " local" + link_facts(*server.local);
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
  Scenario scenario;
  scenario.topology = topology;
  CHECK(left_out_of_graphs(scenario) == std::vector<std::string>{"1 static route"});
  scenario.topology.routes.push_back({NodeId{5U}, {NodeId{0U}}, NodeId{6U}, {}});
  CHECK(left_out_of_graphs(scenario) == std::vector<std::string>{"2 static routes"});
}

TEST_CASE("keys of a topology's switches come back from YAML, and graphs say that they leave them out") {
  const ScenarioFolder folder;
  folder.write("a.yaml",
               "parts: [{leaf_spine: {}}]\nroutes: [{at: leaf2, to: [host1, host2], via: spine2}]\n"
               "switches: {leaf1: {latency: 800ns, buffer: {size: 8MiB, alpha: 1/8}}, \"spine1\": {ecmp_seed: 7, "
               "routing: {policy: spray}}}\n");
  const Scenario first = read_topology_file(folder.path("a.yaml"));
  folder.write("b.yaml", topology_yaml(first));
  const Scenario second = read_topology_file(folder.path("b.yaml"));
  CHECK(facts(second.topology) == facts(first.topology));
  CHECK(second.topology.routes.size() == 1);
  CHECK(topology_yaml(second) == topology_yaml(first));
  const std::string keys = effective_yaml_under(second, "topology.switches");
  CHECK(keys == effective_yaml_under(first, "topology.switches"));
  CHECK(keys.starts_with("switches:\n  leaf1:\n    buffer:\n      size: 8MiB\n"));
  REQUIRE(second.switches.size() == first.switches.size());
  CHECK(second.switches[0].latency == Duration{800'000});
  CHECK(second.switches[1].latency == first.switches[1].latency);
  CHECK(second.switches[0].buffer.size == Bytes{8 * 1024 * 1024});
  CHECK(second.switches[2].ecmp_seed == 7);
  CHECK(left_out_of_graphs(first) == std::vector<std::string>{"1 static route", "the keys of topology.switches"});
  CHECK(left_out_of_graphs(scenario_of(two_hosts)).empty());
}

TEST_CASE("servers come back from every format with their GPUs, NICs and ports") {
  const std::string links = "links: [{between: [h, s]}, {between: [w-gpu1, s]}, {between: [w-gpu3, s]}";
  const std::string odd_link = "{rate: 400Gbps, reverse_rate: 200Gbps, length: 1m, delay: 30ns, loss: 1e-6}";
  const std::vector<std::string> all{
      "nodes: {h: host, w: {kind: server, gpus: 3}, s: switch}\n" + links + ", {between: [s, w-gpu2]}]\n",
      "nodes: {w: {kind: server, gpus: 3, local: " + odd_link + "}, h: host, s: switch}\n" + links +
          ", {between: [s, w-gpu2]}]\n",
      "nodes: {w: {kind: server, gpus: 4, nics: 2, local: " + odd_link + "}, h: host, s: switch}\n" + links + "]\n",
      // Two servers, one after the other, and switches between their GPUs.
      "nodes: {\"no: 1\": {kind: server, gpus: 2, nics: 1, local: {}}, s: switch, w: {kind: server, gpus: 3, local: "
      "{}}, "
      "h: host}\n" +
          links + ", {between: [s, w-gpu2]}, {between: [\"no: 1-gpu1\", s]}]\n",
      "parts: [{rail_optimized: {servers: 3, gpus_per_server: 2, local: " + odd_link + "}}]\n",
      // Links of a family stand before those inside servers, and those before links given one by one.
      "parts: [{rail_optimized: {servers: 2, gpus_per_server: 2, prefix: a-, local: {length: 1m}}}]\nnodes: {w: {kind: "
      "server, gpus: 2, nics: 1, local: {}}}\nlinks: [{between: [w-gpu1, a-spine1]}]\n",
      "parts: [{multi_site: {sites: [{name: x, rail_optimized: {servers: 2, gpus_per_server: 2, local: {}}}, {name: y, "
      "leaf_spine: {}}, {name: z, rail_optimized: {servers: 1, gpus_per_server: 2}}], long_link: {length: 50km}}}]\n"};
  for (const std::string& text : all) {
    CAPTURE(text);
    const ScenarioFolder folder;
    folder.write("t.yaml", text);
    const TopologyConfig topology = read_topology_file(folder.path("t.yaml")).topology;
    REQUIRE(!topology.servers.empty());
    check_formats(topology);
  }
}

TEST_CASE("servers come back whatever their nodes are called") {
  RailOptimizedConfig rails{.servers = 2, .gpus_per_server = 2, .servers_per_block = 2, .spines = 1};
  rails.local.emplace();
  TopologyConfig topology;
  topology.name = "odd";
  add_rail_optimized(topology, rails);
  add_local_links(topology);
  std::size_t n = 0;
  for (NodeConfig& node : topology.nodes) node.name = "n <" + std::to_string(++n) + ">, \"稚内\"";
  topology.servers[1].name = "true: {x}";
  check_formats(topology);
}

TEST_CASE("ports inside servers are no hosts of a workload after reading back, and stand behind all other nodes") {
  const ScenarioFolder folder;
  RailOptimizedConfig rails{.servers = 2, .gpus_per_server = 2, .servers_per_block = 2, .spines = 1};
  rails.local.emplace();
  TopologyConfig topology;
  add_rail_optimized(topology, rails);
  add_local_links(topology);
  folder.write("t.dot", topology_dot(topology));
  folder.write(
      "s.yaml",
      "topology: {map: t.dot, hosts_per_node: 1, host_link: {length: 3m}, nodes: {h: host}, links: [{between: [h, "
      "spine1]}]}\nworkload: [{all_reduce: {hosts: all, size: 1MB}}]\n");
  const Scenario scenario = folder.read("s.yaml");
  // 4 GPUs, 2 rail switches and a spine with a host each but none on a server's switch, and h; behind them 2 switches
  // and 4 ports inside.
  CHECK(std::get<AllReduceConfig>(scenario.jobs.front()).hosts.size() == 4 + 3 + 1);
  CHECK(scenario.topology.nodes.size() == 4 + 3 + 3 + 1 + 2 + 4);
  CHECK(scenario.topology.nodes[11].name == "server1-local");
  CHECK(scenario.topology.servers[1].local_ports[1] == NodeId{16U});
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
  CHECK(left_out_of_graphs(folder.read("s.yaml")).empty());
}
