// GraphML as the tests write it: the frame that every file shares around nodes and edges.
// Simplifies: the keys of Topology Zoo that Soya reads, and one that it does not.
// Source: GraphML 1.0. Validated by the tests that use it.
#pragma once

#include <string>

namespace soya::test {

inline const std::string graphml_keys =
    "<key attr.name=\"label\" attr.type=\"string\" for=\"node\" id=\"l\"/>"
    "<key attr.name=\"Latitude\" attr.type=\"double\" for=\"node\" id=\"la\"/>"
    "<key attr.name=\"Longitude\" attr.type=\"double\" for=\"node\" id=\"lo\"/>"
    "<key attr.name=\"Country\" attr.type=\"string\" for=\"node\" id=\"c\"/>"
    "<key attr.name=\"LinkSpeedRaw\" attr.type=\"double\" for=\"edge\" id=\"s\"/>"
    "<key attr.name=\"LinkLabel\" attr.type=\"string\" for=\"edge\" id=\"el\"/>"
    "<key attr.name=\"length\" attr.type=\"string\" for=\"edge\" id=\"len\"/>";

/// `inner` as the one graph of a file; its first line is line 3.
inline std::string graphml(const std::string& inner, const std::string& graph = "edgedefault=\"undirected\"") {
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?><graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">" +
         graphml_keys + "\n<graph " + graph + ">\n" + inner + "</graph></graphml>\n";
}

/// Four nodes, of which two are called None; a pair of parallel edges, a loop, and an edge whose speed is a range.
inline const std::string odd_graphml = graphml(
    "<node id=\"0\"><data key=\"l\">Tokyo</data></node>\n"
    "<node id=\"1\"><data key=\"l\">None</data></node>\n"
    "<node id=\"2\"><data key=\"l\">None</data></node>\n"
    "<node id=\"3\"><data key=\"l\">Osaka</data></node>\n"
    "<edge source=\"0\" target=\"1\"><data key=\"s\">10000000000.0</data></edge>\n"
    "<edge source=\"0\" target=\"1\"><data key=\"s\">2500000000.0</data></edge>\n"
    "<edge source=\"2\" target=\"2\"/>\n"
    "<edge source=\"2\" target=\"3\"><data key=\"el\">10-20Gbps</data></edge>\n");

}  // namespace soya::test
