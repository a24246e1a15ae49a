#include "topology/graphml.hpp"

#include <doctest/doctest.h>

#include "support/graphml_text.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// "line:column: message" of what is wrong with `text`; "" where nothing is.
std::string fault(const std::string& text, const std::optional<std::string>& graph = {}) {
  try {
    (void)read_graphml(text, graph);
    return {};
  } catch (const ForeignFault& error) {
    const std::string line = std::to_string(error.place().line) + ':' + std::to_string(error.place().column);
    return (error.place().line == 0 ? "" : line + ": ") + error.what();
  }
}

const std::string two_nodes = "<node id=\"a\"/><node id=\"b\"/>";

}  // namespace

TEST_CASE("nodes and edges come with their attributes, in the order of the file") {
  const ForeignGraph graph = read_graphml(odd_graphml);
  REQUIRE(graph.nodes.size() == 4);
  CHECK(graph.nodes[1].id == "1");
  CHECK(attribute(graph.nodes[1].attributes, "label") == "None");
  CHECK(graph.nodes[3].place.line == 6);
  CHECK(graph.nodes[3].place.column == 1);
  REQUIRE(graph.edges.size() == 4);  // parallel edges and loops are as they are
  CHECK(attribute(graph.edges[1].attributes, "linkspeedraw") == "2500000000.0");
  CHECK(graph.edges[2].from == graph.edges[2].to);
  CHECK(graph.edges[3].place.line == 10);
}

TEST_CASE("edges may stand before nodes, and a node may say nothing") {
  const ForeignGraph graph = read_graphml(graphml("<edge source=\"b\" target=\"a\"/>" + two_nodes));
  REQUIRE(graph.edges.size() == 1);
  CHECK(graph.nodes[graph.edges[0].from].id == "b");
  CHECK(graph.nodes[0].attributes.empty());
}

TEST_CASE("a byte order mark, CRLF, comments, CDATA and prefixes change nothing but lines") {
  std::string text =
      "\xEF\xBB\xBF<?xml version=\"1.0\"?>\r\n<!-- <node id=\"x\"> -->\r\n<g:graphml>\r\n"
      "<g:key id='k' for='all' attr.name='Label'/>\r\n<g:graph id='G'>\r\n"
      "<g:node id='a'><g:data key='k'><![CDATA[ <node> & ]]></g:data></g:node>\r\n"
      "<g:node id='b>\"'/>\r\n<g:edge source='a' target='b>\"'/></g:graph></g:graphml>\r\n";
  const ForeignGraph graph = read_graphml(text);
  CHECK(graph.name == "G");
  REQUIRE(graph.nodes.size() == 2);
  CHECK(attribute(graph.nodes[0].attributes, "label") == "<node> &");
  CHECK(graph.nodes[1].place.line == 7);
  CHECK(graph.edges[0].place.line == 8);
  CHECK(graph.edges[0].place.column == 1);
}

TEST_CASE("a key's default is the value of those that give none") {
  const ForeignGraph graph = read_graphml(
      "<graphml><key id=\"r\" for=\"edge\" attr.name=\"rate\"><default>400Gbps</default></key><graph>" + two_nodes +
      "<edge source=\"a\" target=\"b\"/><edge source=\"a\" target=\"b\"><data key=\"r\">1Tbps</data></edge>"
      "</graph></graphml>");
  CHECK(attribute(graph.edges[0].attributes, "rate") == "400Gbps");
  CHECK(attribute(graph.edges[1].attributes, "rate") == "1Tbps");
  CHECK(graph.nodes[0].attributes.empty());
}

TEST_CASE("a label may lie inside a drawing, as yEd has it") {
  const ForeignGraph graph = read_graphml(
      "<graphml><key id=\"d6\" for=\"node\" yfiles.type=\"nodegraphics\"/><graph><node id=\"n0\"><data key=\"d6\">"
      "<y:ShapeNode><y:Geometry/><y:NodeLabel>Tokyo</y:NodeLabel></y:ShapeNode></data></node></graph></graphml>");
  CHECK(attribute(graph.nodes[0].attributes, "label") == "Tokyo");
}

TEST_CASE("of several graphs one is chosen by its id") {
  const std::string two =
      "<graphml>\n<graph id=\"one\"><node id=\"a\"/></graph>\n"
      "<graph id=\"two\">" +
      two_nodes + "</graph></graphml>";
  CHECK(fault(two) == "1:1: holds 2 graphs (\"one\", \"two\"); choose one by its id: {map: FILE, graph: ID}");
  CHECK(fault(two, "three") == "1:1: holds no graph \"three\"; it holds: \"one\", \"two\"");
  CHECK(read_graphml(two, "two").nodes.size() == 2);
}

TEST_CASE("200 nodes in a chain") {
  std::string inner;
  for (int i = 0; i < 200; ++i) inner += "<node id=\"" + std::to_string(i) + "\"/>\n";
  for (int i = 1; i < 200; ++i) {
    inner += "<edge source=\"" + std::to_string(i - 1) + "\" target=\"" + std::to_string(i) + "\"/>\n";
  }
  const ForeignGraph graph = read_graphml(graphml(inner));
  CHECK(graph.nodes.size() == 200);
  REQUIRE(graph.edges.size() == 199);
  CHECK(graph.edges[198].to == 199);
  CHECK(graph.edges[198].place.line == 2 + 200 + 199);
}

TEST_CASE("what is no undirected graph is refused with its place") {
  CHECK(fault(graphml(two_nodes, "edgedefault=\"directed\"")) ==
        "2:1: is directed (edgedefault=\"directed\"), and a link joins its ends both ways; save it as an undirected "
        "graph");
  CHECK(fault(graphml(two_nodes + "\n<edge source=\"a\" target=\"b\" directed=\"true\"/>")) ==
        "4:1: is directed (directed=\"true\"), and a link joins its ends both ways; save it as an undirected graph");
  CHECK(fault("<graphml/>") == "1:1: holds no graph");
  CHECK(fault(graphml("")) == "2:1: the graph has no nodes");
  CHECK(fault("<gml/>") == "1:1: expected <graphml>, got <gml>");
  CHECK(fault(graphml(two_nodes + "<hyperedge/>")) == "3:29: a hyperedge is no link; write an edge for each");
  CHECK(fault(graphml("<node id=\"g\"><graph/></node>")) == "3:14: node \"g\" holds a graph of its own; ungroup it");
}

TEST_CASE("ids that are missing, doubled or unknown are told") {
  CHECK(fault(graphml("<node/>")) == "3:1: a node needs an id");
  CHECK(fault(graphml("<node id=\"a\"/>\n<node id=\"a\"/>")) == "4:1: node \"a\" is already given at line 3");
  CHECK(fault(graphml(two_nodes + "\n<edge source=\"a\" target=\"z\"/>")) ==
        "4:1: target is node \"z\", which the graph does not have");
  CHECK(fault(graphml(two_nodes + "\n<edge source=\"a\"/>")) == "4:1: an edge needs a target");
  CHECK(fault(graphml("<node id=\"a\"><data key=\"d9\">x</data></node>")) == "3:14: no <key> has the id \"d9\"");
  CHECK(fault("<graphml><key id=\"a\"/><key id=\"a\"/></graphml>") == "1:23: a second <key> has the id \"a\"");
}

TEST_CASE("what is no XML is told with the line where it breaks") {
  CHECK(fault("<graphml>\n<graph>\n</graphml>\n") == "3:1: is no XML: expected </graph>, got </graphml>");
  CHECK(fault("<graphml>\n</graphml></a>\n") == "2:11: is no XML: expected no closing tag, got </a>");
  CHECK(fault("<graphml>\n<graph>\n").starts_with("3:1: is no XML: "));
  CHECK(fault("nodes: {}\n").starts_with("1:1: is no XML: "));
  CHECK(fault("<!-- nothing -->") == "holds no XML element");
  CHECK(fault("<graphml>\n\xff</graphml>") == "2:1: not UTF-8; save the file as UTF-8");
  std::string deep = "<graphml>";
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  CHECK(fault(deep) == "1:199: elements nest deeper than 64 levels");
}
