#include "scenario/topology_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "scenario/quantity.hpp"
#include "scenario/read.hpp"
#include "scenario/read_links.hpp"
#include "scenario/section.hpp"

namespace soya {

namespace {

using reading::Dimension;
using reading::format_number;

/// A key and its value, as a scenario spells it.
using Words = std::vector<std::pair<std::string, std::string>>;

std::string rate_text(Rate rate) {
  return format_number(rate.bits_per_second(), Dimension::rate);
}
std::string length_text(Length length) {
  return format_number(length.millimetres(), Dimension::length);
}
std::string time_words(Duration time) {
  return format_number(time.picoseconds(), Dimension::duration);
}

/// By node, what it says of the server that it is part of.
std::vector<Words> server_words(const TopologyConfig& topology) {
  std::vector<Words> out(topology.nodes.size());
  const auto name = [&](NodeId node) { return topology.nodes[node.index()].name; };
  for (const ServerConfig& server : topology.servers) {
    for (std::size_t gpu = 0; gpu < server.gpus.size(); ++gpu) {
      const NodeId host = server.gpus[gpu];
      Words& words = out[host.index()];
      words.emplace_back("server", server.name);
      if (server.nics[gpu] != host) words.emplace_back("nic", name(server.nics[gpu]));
      if (server.local_ports.empty() || server.local_ports[gpu] == host) continue;
      out[server.local_ports[gpu].index()].emplace_back("local_port_of", name(host));
    }
    if (!server.local_switch.is_none()) out[server.local_switch.index()].emplace_back("local_switch_of", server.name);
  }
  return out;
}

const AcceleratorConfig* accelerator_at(const TopologyConfig& topology, NodeId node) {
  for (const AcceleratorConfig& one : topology.accelerators) {
    if (one.node == node) return &one;
  }
  return nullptr;
}

/// What makes the node what it is, but for its name and place; `of_server` is what it says of its server.
Words node_words(const TopologyConfig& topology, NodeId id, const Words& of_server) {
  static constexpr const char* kinds[] = {"host", "switch", "wan_accelerator"};
  const NodeConfig& node = topology.nodes[id.index()];
  Words words{{"kind", kinds[static_cast<std::size_t>(node.kind)]}};
  if (node.tier && node.kind != NodeKind::host) words.emplace_back("tier", std::to_string(*node.tier));
  if (const AcceleratorConfig* one = accelerator_at(topology, id)) {
    words.emplace_back("buffer", format_number(one->buffer.count(), Dimension::size));
    // One of the two names the other.
    if (id < one->partner) words.emplace_back("partner", topology.nodes[one->partner.index()].name);
  }
  words.insert(words.end(), of_server.begin(), of_server.end());
  return words;
}

Words link_words(const LinkConfig& link) {
  const LinkConfig standard;
  Words words{{"rate", rate_text(link.rate)}};
  if (link.reverse_rate) words.emplace_back("reverse_rate", rate_text(*link.reverse_rate));
  words.emplace_back("length", length_text(link.length));
  if (link.reverse_length) words.emplace_back("reverse_length", length_text(*link.reverse_length));
  if (link.per_kilometre != standard.per_kilometre) {
    words.emplace_back("per_kilometre", time_words(link.per_kilometre));
  }
  if (link.delay != standard.delay) words.emplace_back("delay", time_words(link.delay));
  if (link.reverse_delay) words.emplace_back("reverse_delay", time_words(*link.reverse_delay));
  if (link.loss) words.emplace_back("loss", reading::loss_text(*link.loss));
  return words;
}

/// Of a mapping in braces; a loss is a mapping already.
std::string yaml_words(const Words& words) {
  std::string out;
  for (const auto& [key, value] : words) {
    out += (out.empty() ? "" : ", ") + key + ": " + (key == "loss" ? value : reading::yaml_text(value));
  }
  return out;
}

std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

constexpr const char* node_keys[] = {"label",   "kind",   "tier", "latitude",      "longitude",      "buffer",
                                     "partner", "server", "nic",  "local_port_of", "local_switch_of"};
constexpr std::string_view switch_keys{"topology.switches"};
constexpr const char* edge_keys[] = {"rate",          "reverse_rate", "length",        "reverse_length",
                                     "per_kilometre", "delay",        "reverse_delay", "loss"};

std::string data(const char* domain, const std::string& key, const std::string& value) {
  return fmt::format("<data key=\"{}.{}\">{}</data>", domain, key, xml_text(value));
}

Words with_place(Words words, const NodeConfig& node) {
  if (!node.place) return words;
  words.emplace_back("latitude", fmt::format("{}", node.place->latitude));
  words.emplace_back("longitude", fmt::format("{}", node.place->longitude));
  return words;
}

/// Whether reading takes a label for the node's name.
bool is_plain_label(const std::string& name) {
  return name != "None" && name != "?" && !name.empty() && name.front() != ' ' && name.back() != ' ';
}

std::string dot_words(const Words& words) {
  std::string out;
  for (const auto& [key, value] : words) out += (out.empty() ? "" : ", ") + key + '=' + dot_quoted(value);
  return " [" + out + "];\n";
}

}  // namespace

std::string topology_yaml(const TopologyConfig& topology) {
  const auto name = [&](NodeId node) { return reading::yaml_text(topology.nodes[node.index()].name); };
  const std::vector<Words> of_servers = server_words(topology);
  std::string out = "name: " + reading::yaml_text(topology.name) + "\nnodes:\n";
  for (std::size_t n = 0; n < topology.nodes.size(); ++n) {
    std::string words = yaml_words(node_words(topology, NodeId{n}, of_servers[n]));
    if (const auto& place = topology.nodes[n].place) {
      words += fmt::format(", place: [{}, {}]", place->latitude, place->longitude);
    }
    out += "  " + name(NodeId{n}) + ": {" + words + "}\n";
  }
  out += topology.links.empty() ? "links: []\n" : "links:\n";
  for (const LinkConfig& link : topology.links) {
    out += "  - {between: [" + name(link.a) + ", " + name(link.b) + "], " + yaml_words(link_words(link)) + "}\n";
  }
  if (!topology.routes.empty()) out += "routes:\n";
  for (const StaticRoute& route : topology.routes) {
    std::string to;
    for (const NodeId host : route.to) to += (to.empty() ? "" : ", ") + name(host);
    out += "  - {at: " + name(route.at) + ", to: [" + to + "], via: " + name(route.via) + "}\n";
  }
  return out;
}

std::string topology_graphml(const TopologyConfig& topology) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  for (const char* key : node_keys) {
    out += fmt::format("  <key id=\"node.{0}\" for=\"node\" attr.name=\"{0}\" attr.type=\"string\"/>\n", key);
  }
  for (const char* key : edge_keys) {
    out += fmt::format("  <key id=\"edge.{0}\" for=\"edge\" attr.name=\"{0}\" attr.type=\"string\"/>\n", key);
  }
  const std::vector<Words> of_servers = server_words(topology);
  out += "  <graph id=\"" + xml_text(topology.name) + "\" edgedefault=\"undirected\">\n";
  for (std::size_t n = 0; n < topology.nodes.size(); ++n) {
    const NodeConfig& node = topology.nodes[n];
    out += "    <node id=\"" + xml_text(node.name) + "\">";
    if (is_plain_label(node.name)) out += data("node", "label", node.name);
    const Words words = with_place(node_words(topology, NodeId{n}, of_servers[n]), node);
    for (const auto& [key, value] : words) out += data("node", key, value);
    out += "</node>\n";
  }
  for (const LinkConfig& link : topology.links) {
    out += "    <edge source=\"" + xml_text(topology.nodes[link.a.index()].name) + "\" target=\"" +
           xml_text(topology.nodes[link.b.index()].name) + "\">";
    for (const auto& [key, value] : link_words(link)) out += data("edge", key, value);
    out += "</edge>\n";
  }
  return out + "  </graph>\n</graphml>\n";
}

std::string dot_quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool last = i + 1 == text.size();
    if (text[i] == '\\' && (last || text[i + 1] == '"' || text[i + 1] == '\\')) {
      throw ScenarioError({Diagnostic{{},
                                      "\"" + text +
                                          "\": DOT has no way to write this backslash; choose another "
                                          "format"}});
    }
    if (text[i] == '"') out += '\\';
    out += text[i];
  }
  return out + '"';
}

std::string topology_dot(const TopologyConfig& topology) {
  std::string out = "graph " + dot_quoted(topology.name) + " {\n  rankdir=BT;\n  node [shape=box];\n";
  const std::vector<Words> of_servers = server_words(topology);
  for (std::size_t n = 0; n < topology.nodes.size(); ++n) {
    const NodeConfig& node = topology.nodes[n];
    out += "  " + dot_quoted(node.name) + dot_words(with_place(node_words(topology, NodeId{n}, of_servers[n]), node));
  }
  for (const LinkConfig& link : topology.links) {
    out += "  " + dot_quoted(topology.nodes[link.a.index()].name) + " -- " +
           dot_quoted(topology.nodes[link.b.index()].name) + dot_words(link_words(link));
  }
  return out + "}\n";
}

std::string topology_yaml(const Scenario& scenario) {
  return topology_yaml(scenario.topology) + effective_yaml_under(scenario, switch_keys);
}

std::vector<std::string> left_out_of_graphs(const Scenario& scenario) {
  std::vector<std::string> out;
  const std::size_t routes = scenario.topology.routes.size();
  if (routes > 0) out.push_back(fmt::format("{} static {}", routes, routes == 1 ? "route" : "routes"));
  if (!effective_yaml_under(scenario, switch_keys).empty()) out.emplace_back("the keys of topology.switches");
  return out;
}

}  // namespace soya
