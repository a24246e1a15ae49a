// The JSON of `soya topology`: stable keys, units in the names, every list whole.
#include <nlohmann/json.hpp>

#include "topology_text.hpp"

namespace soya::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string node_name(const TopologyConfig& topology, NodeId node) {
  return topology.nodes[node.index()].name;
}

Json pair_json(const TopologyConfig& topology, const NodePair& ends) {
  return {node_name(topology, ends.from), node_name(topology, ends.to)};
}

Json groups_json(const TopologyDescription& figures) {
  Json out = Json::array();
  for (const LinkGroup& group : figures.groups) {
    out.push_back({{"lower_tier", group.lower},
                   {"upper_tier", group.upper},
                   {"links", group.count},
                   {"up_bps", group.up.bits_per_second()},
                   {"down_bps", group.down.bits_per_second()},
                   {"length_min_mm", group.shortest.millimetres()},
                   {"length_max_mm", group.longest.millimetres()},
                   {"one_way_min_ps", group.nearest.picoseconds()},
                   {"one_way_max_ps", group.farthest.picoseconds()}});
  }
  return out;
}

Json oversubscription_json(const DescribedTopology& described) {
  Json out = Json::array();
  for (const Oversubscription& of : described.figures.oversubscription) {
    out.push_back({{"tier", of.tier},
                   {"switches", of.switches},
                   {"down_bps", of.down.bits_per_second()},
                   {"up_bps", of.up.bits_per_second()},
                   {"worst", node_name(described.topology, of.worst)},
                   {"worst_down_bps", of.worst_down.bits_per_second()},
                   {"worst_up_bps", of.worst_up.bits_per_second()}});
  }
  return out;
}

Json cycles_json(const DescribedTopology& described) {
  Json out = Json::array();
  for (const BufferCycle& cycle : described.cycles) {
    Json nodes = Json::array();
    for (const PortRef& port : cycle.ports) nodes.push_back(node_name(described.topology, port.node));
    out.push_back({{"nodes", nodes}, {"waiting_link_directions", cycle.links}});
  }
  return out;
}

}  // namespace

std::string topology_json(const DescribedTopology& described) {
  const TopologyDescription& figures = described.figures;
  Json out{{"name", described.topology.name},
           {"hosts", figures.hosts},
           {"switches", figures.switches},
           {"wan_accelerators", figures.accelerators},
           {"servers", described.topology.servers.size()},
           {"links", figures.links},
           {"parts", figures.components}};
  out["tiers"] = Json::array();
  for (const TierCount& tier : figures.tiers) out["tiers"].push_back({{"tier", tier.tier}, {"nodes", tier.nodes}});
  out["link_groups"] = groups_json(figures);
  out["bisection"] = nullptr;
  if (const auto& cut = figures.bisection) {
    out["bisection"] = {{"there_bps", cut->there.bits_per_second()},
                        {"back_bps", cut->back.bits_per_second()},
                        {"hosts_of_a_half", cut->hosts}};
  }
  out["diameter"] = nullptr;
  if (const auto& far = figures.diameter) {
    out["diameter"] = {{"links", far->links}, {"between", pair_json(described.topology, far->ends)}};
  }
  out["longest_way"] = nullptr;
  if (const auto& far = figures.farthest) {
    out["longest_way"] = {{"one_way_ps", far->one_way.picoseconds()},
                          {"between", pair_json(described.topology, far->ends)}};
  }
  out["equal_cost_paths"] = nullptr;
  if (const auto& paths = figures.paths) {
    out["equal_cost_paths"] = {
        {"min", paths->least}, {"median", paths->median}, {"max", paths->most}, {"switch_pairs", paths->pairs}};
  }
  out["oversubscription"] = oversubscription_json(described);
  out["without_twin"] = Json::array();
  for (const LinkId id : figures.bridges) {
    const LinkConfig& link = described.topology.links[id.index()];
    out["without_twin"].push_back(pair_json(described.topology, {link.a, link.b}));
  }
  out["buffer_cycles"] = cycles_json(described);
  return out.dump(2) + '\n';
}

}  // namespace soya::cli
