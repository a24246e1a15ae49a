#include "scenario/read_parts.hpp"

#include "topology/families.hpp"

namespace soya::reading {

namespace {

/// Beyond these a slip of the keyboard is likelier than a fabric: a line of YAML can ask for 10^15 links.
constexpr std::int64_t most_nodes = 1'000'000;
constexpr std::int64_t most_links = 10'000'000;

}  // namespace

bool fits(Section& section, const TopologyConfig& topology, const TopologySize& more) {
  const Int128 nodes = more.nodes + static_cast<Int128>(topology.nodes.size());
  const Int128 links = more.links + static_cast<Int128>(topology.links.size());
  if (nodes <= most_nodes && links <= most_links) return true;
  section.error("makes a topology of " + format_number(nodes, Dimension::none) + " nodes and " +
                format_number(links, Dimension::none) + " links; allowed: " + std::to_string(most_nodes) +
                " nodes and " + std::to_string(most_links) + " links");
  return false;
}

bool read_part(Reading& reading, const LinkTypes& types, const Node& node, const Path& path, TopologyConfig& out) {
  const std::size_t errors_before = reading.errors.size();
  Section part{reading, &node, path, SectionId::part};
  const Node* given = part.given("leaf_spine");
  if (!given) {
    part.error("expected a family: leaf_spine");
    return false;
  }
  const Path family_path = part.at("leaf_spine");
  Section section{reading, given, family_path, SectionId::leaf_spine};
  LeafSpineConfig config;
  bool whole = section.read("prefix", config.prefix);
  whole = section.read("leaves", config.leaves) && whole;
  whole = section.read("spines", config.spines) && whole;
  whole = section.read("hosts_per_leaf", config.hosts_per_leaf) && whole;
  whole = section.read("links_per_pair", config.links_per_pair) && whole;
  // With a key that nobody knows it may have other nodes than are made here.
  const bool meant = reading.errors.size() == errors_before;
  config.host_link = types.read_kind(section, "host_link");
  config.fabric_link = types.read_kind(section, "fabric_link");
  config.where = section.where();
  if (!whole) return false;
  const std::int64_t hosts = std::int64_t{config.leaves} * config.hosts_per_leaf;
  const Int128 links = static_cast<Int128>(config.leaves) * config.spines * config.links_per_pair + hosts;
  if (!fits(section, out, {hosts + config.leaves + config.spines, links})) return false;
  add_leaf_spine(out, config);
  return meant;
}

}  // namespace soya::reading
