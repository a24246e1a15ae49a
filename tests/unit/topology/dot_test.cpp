#include "topology/dot.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace soya;

namespace {

std::string edges_of(const ForeignGraph& graph) {
  std::string out;
  for (const ForeignEdge& edge : graph.edges) {
    out += (out.empty() ? "" : " ") + graph.nodes[edge.from].id + '-' + graph.nodes[edge.to].id;
  }
  return out;
}

std::string nodes_of(const ForeignGraph& graph) {
  std::string out;
  for (const ForeignNode& node : graph.nodes) out += (out.empty() ? "" : " ") + node.id;
  return out;
}

std::string fault(const std::string& text, const std::optional<std::string>& graph = {}) {
  try {
    (void)read_dot(text, graph);
    return {};
  } catch (const ForeignFault& error) {
    const std::string line = std::to_string(error.place().line) + ':' + std::to_string(error.place().column);
    return (error.place().line == 0 ? "" : line + ": ") + error.what();
  }
}

}  // namespace

TEST_CASE("nodes stand in order of first mention, and a chain is an edge for each step") {
  const ForeignGraph graph = read_dot("graph g {\n  b; a -- b -- c -- a\n  a -- b;\n}\n");
  CHECK(graph.name == "g");
  CHECK(nodes_of(graph) == "b a c");
  CHECK(edges_of(graph) == "a-b b-c c-a a-b");
  CHECK(graph.edges[3].place.line == 3);
  CHECK(graph.edges[3].place.column == 3);
}

TEST_CASE("names may be words, numbers, and texts in quotes that are joined or broken over lines") {
  const ForeignGraph graph = read_dot(
      "graph \"東 京\" { 東京 -- -1.5; \"a \\\"b\\\"\" -- \"one\" + \" two\" -- \"long\\\nname\"; \"back\\\\slash\" }");
  CHECK(graph.name == "東 京");
  REQUIRE(graph.nodes.size() == 6);
  CHECK(graph.nodes[1].id == "-1.5");
  CHECK(graph.nodes[2].id == "a \"b\"");
  CHECK(graph.nodes[3].id == "one two");
  CHECK(graph.nodes[4].id == "longname");
  CHECK(graph.nodes[5].id == "back\\\\slash");  // as Graphviz keeps it
}

TEST_CASE("defaults are those in force where a node or edge is first mentioned") {
  const ForeignGraph graph = read_dot(
      "graph { early; node [kind=host, Tier=\"1\"]; edge [rate=\"100Gbps\"]\n"
      "a -- b [length=\"3m\"; rate=1Gbps][delay=x]\n"
      "subgraph cluster_x { node [kind=switch]; c }\n"
      "d -- c; early [kind=switch] }");
  CHECK(attribute(graph.nodes[0].attributes, "kind") == "switch");
  CHECK(attribute(graph.nodes[0].attributes, "tier") == "");
  CHECK(attribute(graph.nodes[1].attributes, "kind") == "host");
  CHECK(attribute(graph.nodes[3].attributes, "kind") == "switch");
  CHECK(attribute(graph.nodes[3].attributes, "tier") == "1");
  CHECK(attribute(graph.nodes[4].attributes, "kind") == "host");
  CHECK(attribute(graph.edges[0].attributes, "rate") == "1Gbps");
  CHECK(attribute(graph.edges[0].attributes, "length") == "3m");
  CHECK(attribute(graph.edges[0].attributes, "delay") == "x");
  CHECK(attribute(graph.edges[1].attributes, "rate") == "100Gbps");
}

TEST_CASE("an edge to a subgraph is one to each of its nodes") {
  CHECK(edges_of(read_dot("graph { s1 -- {a b c} }")) == "s1-a s1-b s1-c");
  CHECK(edges_of(read_dot("graph { {l1 l2} -- subgraph spines {s1; s2} }")) == "l1-s1 l1-s2 l2-s1 l2-s2");
}

TEST_CASE("comments, ports, HTML and attributes of the graph are read over") {
  const ForeignGraph graph = read_dot(
      "# 1 \"made by a preprocessor\"\n/* a\n -> */ graph { rankdir=LR; label=<a <b>c</b> d>;\n"
      "graph [splines=line] // -> \n a:p1:n -- b:p2 [label=<x>]\r\n}");
  CHECK(edges_of(graph) == "a-b");
  CHECK(graph.edges[0].place.line == 5);
}

TEST_CASE("in a strict graph one edge joins two nodes, else each by itself") {
  CHECK(edges_of(read_dot("graph { a -- b; b -- a; a -- a }")) == "a-b b-a a-a");
  const ForeignGraph graph = read_dot("strict graph { a -- b [rate=x]; b -- a [length=y] }");
  CHECK(edges_of(graph) == "a-b");
  CHECK(attribute(graph.edges[0].attributes, "length") == "y");
}

TEST_CASE("of several graphs in DOT one is chosen by its name") {
  CHECK(fault("graph one {a} graph {b}") ==
        "holds 2 graphs (\"one\", one without name); choose one by its name: {map: FILE, graph: NAME}");
  CHECK(fault("graph one {a}", "two") == "holds no graph \"two\"; it holds: \"one\"");
  CHECK(nodes_of(read_dot("graph one {a} graph two {b}", "two")) == "b");
}

TEST_CASE("what is no undirected DOT graph is refused with its place") {
  const std::string both = ", and a link joins its ends both ways; write graph and --";
  CHECK(fault("\ndigraph { a -> b }") == "2:1: is directed (digraph)" + both);
  CHECK(fault("graph {\n  a -> b\n}") == "2:5: is directed (->)" + both);
  CHECK(fault("") == "holds no graph");
  CHECK(fault("graph { }") == "the graph has no nodes");
  CHECK(fault("network { a }") == "1:1: is no DOT: expected graph { … }, got \"network\"");
  CHECK(fault("graph { a -- }") == "1:14: is no DOT: expected a node, an edge or \"}\", got \"}\"");
  CHECK(fault("graph { a -- b") == "1:15: is no DOT: expected a node, an edge or \"}\", got the end of the file");
  CHECK(fault("graph { a [rate= ] }") == "1:18: is no DOT: expected a value, got \"]\"");
  CHECK(fault("graph {\n\"a }") == "2:1: is no DOT: this text in quotes does not end");
  CHECK(fault("graph { /* a }") == "1:9: this comment does not end");
  CHECK(fault("graph { <a }") == "1:9: is no DOT: this HTML text does not end");
  CHECK(fault("graph { a ! }") == "1:11: is no DOT: unexpected '!'");
  std::string deep = "graph {";
  for (int i = 0; i < 100'000; ++i) deep += "{";
  CHECK(fault(deep) == "1:72: subgraphs nest deeper than 64 levels");
}
