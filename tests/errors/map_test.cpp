// topology.map: what a map's file and its options can get wrong, verbatim.
#include <doctest/doctest.h>

#include <string>

#include "engine/simulation.hpp"
#include "support/graphml_text.hpp"
#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Map {
  ScenarioFolder folder;

  /// Topology `keys` over map `text`.
  Map(const std::string& text, const std::string& keys, const std::string& more = "") {
    folder.write("m.graphml", text);
    folder.write("s.yaml", "topology: {map: m.graphml" + keys + "}\n" + more);
  }
  [[nodiscard]] std::string errors() const { return folder.errors("s.yaml"); }
  [[nodiscard]] std::string warnings() const { return folder.warnings("s.yaml"); }
  [[nodiscard]] Scenario scenario() const { return folder.read("s.yaml"); }
};

const std::string defaults = ", default_rate: 40Gbps, default_length: 10km";

std::string names(const Scenario& scenario) {
  std::string out;
  for (const NodeConfig& node : scenario.topology.nodes) out += (out.empty() ? "" : " ") + node.name;
  return out;
}

}  // namespace

TEST_CASE("an edge without a rate or length needs a default, and each is listed") {
  CHECK(Map{odd_graphml, ""}.errors() ==
        "m.graphml: each of the 3 edges has no length, and its ends have no coordinates; set topology.default_length, "
        "such as 10km\n"
        "m.graphml:10:1: edge node2 -- Osaka (label \"10-20Gbps\") has no rate, LinkSpeedRaw, or LinkSpeed "
        "with LinkSpeedUnits; set topology.default_rate, such as 100Gbps");
  CHECK(Map{odd_graphml, defaults}.warnings() ==
        "workload: is empty: nothing will be sent\n"
        "m.graphml: 1 of 3 edges have no rate and get the default 40Gbps: node2 -- Osaka (label \"10-20Gbps\") "
        "(line 10)\n"
        "m.graphml: none of 3 edges has a length, so each gets the default 10km\n"
        "m.graphml: left out edges from a node to itself: node2 -- node2 (line 9)");
}

TEST_CASE("a rate may stand as LinkSpeed with its unit, and without one is shown and needs a default") {
  const std::string keys =
      "<key attr.name=\"LinkSpeed\" attr.type=\"string\" for=\"edge\" id=\"n\"/>"
      "<key attr.name=\"LinkSpeedUnits\" attr.type=\"string\" for=\"edge\" id=\"u\"/>";
  const auto map = [&](const std::string& edge) {
    std::string text = graphml(
        "<node id=\"a\"/>\n<node id=\"b\"/>\n"
        "<edge source=\"a\" target=\"b\">" +
        edge + "</edge>\n");
    return text.insert(text.find("<key"), keys);
  };
  const auto rate = [&](const std::string& edge) {
    return Map{map(edge), ", default_length: 10km"}.scenario().topology.links.at(0).rate;
  };
  CHECK(rate("<data key=\"n\">400</data><data key=\"u\">G</data>") == Rate{400'000'000'000});
  CHECK(rate("<data key=\"n\">2.5</data><data key=\"u\">G</data>") == Rate{2'500'000'000});
  CHECK(rate("<data key=\"n\">155</data><data key=\"u\">M</data>") == Rate{155'000'000});
  CHECK(rate("<data key=\"n\">34000</data><data key=\"u\">K</data>") == Rate{34'000'000});
  CHECK(rate("<data key=\"n\">1</data><data key=\"u\">T</data>") == Rate{1'000'000'000'000});
  const std::string lacks =
      "(label \"400\") has no rate, LinkSpeedRaw, or LinkSpeed with LinkSpeedUnits; set topology.default_rate, such as "
      "100Gbps";
  CHECK(Map{map("<data key=\"n\">400</data>"), ", default_length: 10km"}.errors() ==
        "m.graphml:5:1: edge a -- b " + lacks);
  CHECK(Map{map("<data key=\"n\">400</data><data key=\"u\">GB</data>"), ", default_length: 10km"}.errors() ==
        "m.graphml:5:1: edge a -- b " + lacks);
}

TEST_CASE("a node is called by its label where that is its own, else by its id") {
  const Scenario scenario = Map{odd_graphml, defaults}.scenario();
  CHECK(names(scenario) == "Tokyo node1 node2 Osaka");
  REQUIRE(scenario.topology.links.size() == 3);
  CHECK(scenario.topology.links[0].rate == Rate{10'000'000'000});
  CHECK(scenario.topology.links[1].rate == Rate{2'500'000'000});  // the parallel edge is a link of its own
  CHECK(scenario.topology.links[2].rate == Rate{40'000'000'000});
  CHECK(scenario.topology.links[0].where.line == 7);
  CHECK(scenario.topology.name == "m");
}

TEST_CASE("a flow between two parts of a map has no path, and that is said before it starts") {
  const Map map{odd_graphml, defaults + ", hosts_per_node: 1",
                "workload: [{flows: [{from: Tokyo-host1, to: Osaka-host1, size: 1MB}]}]\n"};
  CHECK(names(map.scenario()) == "Tokyo node1 node2 Osaka Tokyo-host1 node1-host1 node2-host1 Osaka-host1");
  try {
    const Simulation simulation{map.scenario()};
    FAIL("it has a path");
  } catch (const ScenarioError& error) {
    CHECK(map.folder.shortened(error.what()) ==
          "s.yaml:2:21: workload[0].flows.list[0]: no path Tokyo-host1 -> Osaka-host1 (components 1, 2)");
  }
}

TEST_CASE("lengths follow from coordinates, in cities of their own or one") {
  const std::string text = graphml(
      "<node id=\"a\"><data key=\"la\">0</data><data key=\"lo\">0</data></node>"
      "<node id=\"b\"><data key=\"la\">0</data><data key=\"lo\">1</data></node>"
      "<node id=\"c\"><data key=\"la\">0</data><data key=\"lo\">1</data></node>"
      "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"/>"
      "<edge source=\"a\" target=\"c\"><data key=\"len\">7km</data></edge>");
  // A degree of the equator: 2 pi 6371 km / 360 = 111.195 km; times 1.5, 166.792 km.
  const Scenario scenario = Map{text, ", default_rate: 10Gbps"}.scenario();
  CHECK(scenario.topology.links[0].length == Length{166'792'000});
  CHECK(scenario.topology.links[1].length == Length{100'000});
  CHECK(scenario.topology.links[2].length == Length{7'000'000});
  REQUIRE(scenario.topology.nodes[1].place);
  CHECK(scenario.topology.nodes[1].place->longitude == 1);
  const Scenario straight = Map{text, ", default_rate: 10Gbps, fibre_factor: 1"}.scenario();
  CHECK(straight.topology.links[0].length == Length{111'195'000});
}

TEST_CASE("nodes, links and types stand on top of a map") {
  const Map map{odd_graphml,
                defaults +
                    ", hosts_per_node: 1, host_link: access, link_types: {access: {rate: 25Gbps, length: 5m}}, "
                    "nodes: {Wakkanai: switch, Osaka: {tier: 2}}, links: [{between: [Wakkanai, Osaka]}]"};
  const Scenario scenario = map.scenario();
  CHECK(names(scenario) == "Tokyo node1 node2 Osaka Tokyo-host1 node1-host1 node2-host1 Osaka-host1 Wakkanai");
  CHECK(scenario.topology.nodes[3].tier == 2);
  REQUIRE(scenario.topology.links.size() == 8);
  CHECK(scenario.topology.links[3].rate == Rate{25'000'000'000});
  CHECK(scenario.topology.links[3].length == Length{5'000});
  CHECK(scenario.topology.links[7].where.file.ends_with("s.yaml"));
}

TEST_CASE("the effective scenario of a map reads back to the same topology") {
  const Map map{odd_graphml, defaults + ", hosts_per_node: 2, host_link: {rate: 25Gbps}"};
  const Scenario scenario = map.scenario();
  map.folder.write("back.yaml", effective_yaml(scenario));
  const Scenario back = map.folder.read("back.yaml");
  CHECK(names(back) == names(scenario));
  CHECK(back.topology.links.size() == scenario.topology.links.size());
  CHECK(effective_yaml(back).size() > 0);
}

TEST_CASE("the ending says that a file is a map, and options may be set on top") {
  ScenarioFolder folder;
  folder.write("maps/m.graphml", odd_graphml);
  folder.write("s.yaml", "topology: maps/m.graphml\n");
  folder.write("t.yaml", "map: maps/m.graphml\ndefault_rate: 1Gbps\n");
  folder.write("u.yaml", "topology: t.yaml\n");
  const ReadOptions options{.sets = {"topology.default_rate=9Gbps", "topology.default_length=1km"}};
  CHECK(folder.read("s.yaml", options).topology.links[2].rate == Rate{9'000'000'000});
  CHECK(folder.read("u.yaml", options).topology.links[2].rate == Rate{9'000'000'000});
  folder.write("v.yaml", "extends: u.yaml\ntopology: {default_length: 2km}\n");
  CHECK(folder.read("v.yaml").topology.links[2].length == Length{2'000'000});
  CHECK(folder.read("v.yaml").topology.links[2].rate == Rate{1'000'000'000});
}

TEST_CASE("options of a map that are wrong are told where they stand") {
  CHECK(Map{odd_graphml, ", default_rate: 40, default_length: 1km"}.errors().starts_with(
      "s.yaml:1:42: topology.default_rate: expected a rate such as "));
  CHECK(Map{odd_graphml, defaults + ", fibre_factor: fast"}.errors() ==
        "s.yaml:1:86: topology.fibre_factor: expected a ratio such as 1.5, got \"fast\"");
  CHECK(Map{odd_graphml, defaults + ", hosts_per_node: -1"}.errors().starts_with(
      "s.yaml:1:88: topology.hosts_per_node: "));
  CHECK(errors_of("topology: {default_rate: 1Gbps, nodes: {s1: switch}}\n") ==
        "s.yaml:1:26: topology.default_rate: says how a map is read, and there is no topology.map");
  CHECK(errors_of("topology: {map: m.txt}\n") ==
        "s.yaml:1:17: topology.map: expected a file that ends in .graphml, .dot or .gv, got \"m.txt\"");
  CHECK(errors_of("topology: m.graphml\n") == "s.yaml:1:11: topology.map: no such file: m.graphml");
  CHECK(Map{"<graphml>\n<graph></graphml>", ""}.errors() ==
        "m.graphml:2:8: is no XML: expected </graph>, got </graphml>");
}

TEST_CASE("attributes of a map that are wrong are told with their line") {
  const auto with_node = [](const std::string& data) {
    return Map{graphml("<node id=\"a\">" + data + "</node>\n"), ""}.errors();
  };
  CHECK(with_node("<data key=\"la\">91</data><data key=\"lo\">1</data>") ==
        "m.graphml:3:1: node \"a\": expected a latitude from -90 to 90 and a longitude from -180 to 180 degrees, got "
        "\"91\" and \"1\"");
  CHECK(with_node("<data key=\"la\">1</data>") ==
        "m.graphml:3:1: node \"a\": expected a latitude from -90 to 90 and a longitude from -180 to 180 degrees, got "
        "\"1\" and \"\"");
  CHECK(Map{graphml("<node id=\"a\"/><node id=\"b\"/>\n<edge source=\"a\" target=\"b\"><data key=\"len\">7</data>"
                    "</edge>"),
            ", default_rate: 1Gbps"}
            .errors()
            .starts_with("m.graphml:4:1: topology.links[0].length: expected a length such as "));
}

TEST_CASE("a node's tier and place are of its kind and within the Earth") {
  const std::string with = "topology: {nodes: {h1: KIND}}\n";
  const auto errors = [&](const std::string& node) {
    std::string text = with;
    return errors_of(text.replace(text.find("KIND"), 4, node));
  };
  CHECK(errors("{kind: host, tier: 1}")
            .starts_with("s.yaml:1:43: topology.nodes.h1.tier: a host stands in tier 0; a switch has this key alone"));
  CHECK(errors("{kind: switch, place: [91, 0]}") ==
        "s.yaml:1:46: topology.nodes.h1.place: expected a latitude from -90 to 90 and a longitude from -180 to 180 "
        "degrees, such as [43.06, 141.35], got a list");
}

TEST_CASE("a graph that does not say so by its name is told what it looks like, without its text") {
  const auto errors = [](const std::string& text) { return errors_of(text + "\n# " + std::string(10'000, 'x')); };
  const std::string named = ", and such a file is told by its name: one that ends in .graphml, .dot or .gv";
  CHECK(errors("<?xml version=\"1.0\"?>\n<graphml/>") == "s.yaml:1:1: looks like GraphML" + named);
  CHECK(errors("\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"/>") ==
        "s.yaml:1:1: looks like GraphML" + named);
  for (const char* dot : {"graph {a -- b}", "graph{a}", "strict graph \"x\" {", "digraph g { a -> b }"}) {
    CHECK(errors(dot) == "s.yaml:1:1: looks like DOT" + named);
  }
  CHECK(errors_of("graphs are drawn").starts_with("s.yaml:1:1: expected a mapping of keys, got \"graphs are drawn\""));
}

TEST_CASE("a value that is too long to read is told by how it begins") {
  CHECK(errors_of("topology: {parts: [{ring: {}}]}\nfabric: " + std::string(300, 'x')) ==
        "s.yaml:2:9: fabric: expected a mapping of keys, got \"" + std::string(200, 'x') + "…\"");
  // 199 bytes, and a character of three bytes that is not cut.
  CHECK(errors_of("fabric: " + std::string(199, 'x') + "駅駅").ends_with("got \"" + std::string(199, 'x') + "…\""));
}

TEST_CASE("nodes of a map that no scenario can have") {
  ScenarioFolder folder;
  const auto errors = [&](const std::string& dot) {
    folder.write("m.dot", dot);
    folder.write("d.yaml", "topology: {map: m.dot}\n");
    return folder.errors("d.yaml");
  };
  CHECK(errors("graph {\n  a [kind=server];\n}\n") ==
        "m.dot:2:3: a node of a map is a host, a switch or a wan_accelerator; draw a server's GPUs as hosts");
  CHECK(errors("graph {\n  \"a\nb\";\n}\n") ==
        "m.dot:2:3: a name holds a line break or control character; no scenario can name such a node");
}

TEST_CASE("a map with more than a topology may have is told once") {
  ScenarioFolder folder;
  std::string dot = "graph {\n";
  for (int k = 0; k <= 1'000'000; ++k) dot += std::to_string(k) + '\n';
  folder.write("m.dot", dot + "0--1[rate=\"1Gbps\"]}");
  folder.write("d.yaml", "topology: {map: m.dot, default_length: 1m}\n");
  CHECK(folder.errors("d.yaml") ==
        "m.dot: the graph has 1000001 nodes and 1 edges; allowed: 1000000 nodes and 10000000 links");
  // 101 switches with 10 000 hosts each: 1 010 101 nodes, however many links.
  std::string hosts = "graph {\n";
  for (int k = 0; k <= 100; ++k) hosts += "s" + std::to_string(k) + " [hosts=10000]\n";
  folder.write("m.dot", hosts + "}\n");
  const std::string errors = folder.errors("d.yaml");
  CHECK(errors.find("allowed: 1000000 nodes") == errors.rfind("allowed: 1000000 nodes"));
  CHECK(errors.find("allowed: 1000000 nodes") != std::string::npos);
}
