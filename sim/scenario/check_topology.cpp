#include <unordered_map>

#include "scenario/decode.hpp"

namespace soya::reading {

namespace {

std::string place_text(const Where& where) {
  return where.file + (where.line > 0 ? ':' + std::to_string(where.line) : "") + " (" + where.path + ')';
}

/// Where a node or link of the topology is declared, as a place that sorts behind its file's other errors.
void complain(Reading& reading, const Section& root, const Where& where, std::string message) {
  Place place = root.place("topology");
  place.line = where.line;
  place.column = where.column;
  reading.errors.add(place, Diagnostic{where, std::move(message)});
}

void check_names(const TopologyConfig& topology, Section& root) {
  std::unordered_map<std::string_view, const Where*> first;
  const Where* last_complaint = nullptr;
  const auto check = [&](const char* what, const std::string& name, const Where& where) {
    const auto [entry, is_new] = first.emplace(name, &where);
    // A family made twice with one prefix repeats all its names: one of them says it.
    const bool told = last_complaint && last_complaint->path == where.path;
    if (is_new || told) return;
    last_complaint = &where;
    complain(root.reading(), root, where,
             std::string{what} + " \"" + name + "\" exists already, from " + place_text(*entry->second) +
                 "; give one of them another name or prefix");
  };
  for (const NodeConfig& node : topology.nodes) check("node", node.name, node.where);
  // A list of hosts names servers and nodes alike.
  for (const ServerConfig& server : topology.servers) check("server", server.name, server.where);
}

void check_host_links(const TopologyConfig& topology, Section& root) {
  std::vector<std::int64_t> degree(topology.nodes.size(), 0);
  for (const LinkConfig& link : topology.links) {
    ++degree[link.a.index()];
    ++degree[link.b.index()];
  }
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    const NodeConfig& node = topology.nodes[i];
    if (node.kind != NodeKind::host || degree[i] == 1) continue;
    const std::string has = degree[i] == 0 ? "no link" : std::to_string(degree[i]) + " links";
    complain(root.reading(), root, node.where,
             "host \"" + node.name + "\" has " + has + "; a host has one NIC with one port, so exactly one link");
  }
}

/// What is wrong with the two links of an accelerator; empty where nothing is.
std::string accelerator_fault(const TopologyConfig& topology, const AcceleratorConfig& accelerator) {
  const auto name = [&](NodeId node) { return '"' + topology.nodes[node.index()].name + '"'; };
  std::int64_t links = 0;
  std::int64_t to_partner = 0;
  for (const LinkConfig& link : topology.links) {
    if (link.a != accelerator.node && link.b != accelerator.node) continue;
    ++links;
    if (link.peer_of(accelerator.node) == accelerator.partner) ++to_partner;
  }
  const std::string what = "wan_accelerator " + name(accelerator.node);
  const std::string needs = "; it takes two, one to its partner and one to its site";
  if (accelerator.partner.is_none()) {
    return what +
           " has no partner; name the one at the far end of its long link: {kind: wan_accelerator, partner: NAME}";
  }
  if (links != 2) {
    return what + " has " + (links == 0 ? "no link" : std::to_string(links) + (links == 1 ? " link" : " links")) +
           needs;
  }
  if (to_partner == 2) return what + " has both links to its partner " + name(accelerator.partner) + needs;
  if (to_partner == 0) {
    return "no link joins " + what + " and its partner " + name(accelerator.partner) +
           "; add it to topology.links: {between: [" + topology.nodes[accelerator.node.index()].name + ", " +
           topology.nodes[accelerator.partner.index()].name + "]}";
  }
  return "";
}

void check_accelerators(const TopologyConfig& topology, Section& root) {
  for (const AcceleratorConfig& accelerator : topology.accelerators) {
    std::string fault = accelerator_fault(topology, accelerator);
    if (!fault.empty()) complain(root.reading(), root, accelerator.where, std::move(fault));
  }
}

}  // namespace

void check_topology(const TopologyConfig& topology, Section& root) {
  if (topology.nodes.empty() && root.reading().errors.empty()) {
    root.error("topology", "has no nodes; give it parts or nodes");
  }
  check_names(topology, root);
  // A link that could not be read would make its hosts look unconnected.
  if (!root.reading().errors.empty()) return;
  check_host_links(topology, root);
  check_accelerators(topology, root);
}

}  // namespace soya::reading
