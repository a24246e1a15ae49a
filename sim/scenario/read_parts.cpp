#include "scenario/read_parts.hpp"

#include <algorithm>

#include "scenario/key_tables_families.hpp"
#include "scenario/read_families.hpp"
#include "topology/families.hpp"

namespace soya::reading {

namespace {

/// Beyond these a slip of the keyboard is likelier than a fabric: a line of YAML can ask for 10^15 links.

std::string names_of(std::span<const Key> families) {
  std::string out;
  for (const Key& key : families) out += (out.empty() ? "" : ", ") + std::string{key.name};
  return out;
}

/// The one family that `section` gives, of `families`; reports where there is none, or another one.
const Key* family_of(Section& section, std::span<const Key> families) {
  const Key* found = nullptr;
  for (const Key& key : families) {
    if (!section.given(key.name)) continue;
    if (found) {
      section.error("expected one family, got " + std::string{found->name} + " and " + std::string{key.name});
      return nullptr;
    }
    found = &key;
  }
  if (!found) section.error("expected a family: " + names_of(families));
  return found;
}

struct PartScope {
  Reading& reading;
  const LinkTypes& types;
};

std::optional<SiteConfig> read_site(PartScope& scope, const Node& node, const Path& path) {
  Section section{scope.reading, &node, path, SectionId::site};
  SiteConfig site;
  bool whole = section.read("name", site.name);
  if (whole && site.name.empty()) {
    section.error("name", "the name is empty");
    whole = false;
  }
  site.where = section.where();
  const Node* gateways = section.given("gateways");
  if (gateways && !gateways->is_list()) {
    section.error("gateways", "expected a list of names such as [spine1], got " + shown(*gateways));
    whole = false;
  } else if (gateways) {
    const Path list = section.at("gateways");
    std::string noted;
    for (std::size_t i = 0; i < gateways->children.size(); ++i) {
      const Node& name = gateways->children[i];
      if (!name.is_scalar()) {
        scope.reading.errors.add(name.place, list.item(i).text(), "expected the name of a switch, got " + shown(name));
        whole = false;
      }
      site.gateways.push_back(name.text);
      noted += (noted.empty() ? "" : ", ") + yaml_text(name.text);
    }
    section.note("gateways", '[' + noted + ']');
  } else {
    section.note("gateways", "[]");
  }
  const Key* family = family_of(section, family_keys);
  if (!family) return std::nullopt;
  const Path family_path = section.at(family->name);
  const auto config = read_family(scope.reading, scope.types, family->name, *section.given(family->name), family_path);
  if (!config || !whole) return std::nullopt;
  site.family = *config;
  return site;
}

std::optional<MultiSiteConfig> read_multi_site(PartScope& scope, Section& section) {
  MultiSiteConfig config;
  bool whole = section.read("prefix", config.prefix);
  whole = section.read("shape", config.shape) && whole;
  whole = section.read("dci", config.dci) && whole;
  whole = section.read("links_per_pair", config.links_per_pair) && whole;
  config.long_link = scope.types.read_kind(section, "long_link");
  if (config.dci) {
    config.gateway_link = scope.types.read_kind(section, "gateway_link");
  } else if (section.given("gateway_link")) {
    section.error("gateway_link", "leads to a DCI switch, and with dci: false there is none; leave it out");
    whole = false;
  }
  config.where = section.where();
  const Node* sites = section.given("sites");
  if (!sites || !sites->is_list() || sites->children.size() < 2) {
    section.error("sites",
                  "expected a list of two sites or more, such as [{name: a, leaf_spine: {}}, {name: b, "
                  "leaf_spine: {}}]" +
                      (sites ? ", got " + shown(*sites) : std::string{}));
    return std::nullopt;
  }
  const Path list = section.at("sites");
  for (std::size_t i = 0; i < sites->children.size(); ++i) {
    const Path path = list.item(i);
    auto site = read_site(scope, sites->children[i], path);
    if (site && std::ranges::find(config.sites, site->name, &SiteConfig::name) != config.sites.end()) {
      scope.reading.errors.add(sites->children[i].find("name")->place, path.key("name").text(),
                               "another site is named \"" + site->name + '"');
      whole = false;
    } else if (site)
      config.sites.push_back(std::move(*site));
    else
      whole = false;
  }
  if (!whole) return std::nullopt;
  return config;
}

}  // namespace

bool fits(Reading& reading, const Place& place, const Path& path, const TopologyConfig& topology,
          const TopologySize& more) {
  const Int128 nodes = more.nodes + static_cast<Int128>(topology.nodes.size());
  const Int128 links = more.links + static_cast<Int128>(topology.links.size());
  if (nodes <= most_nodes && links <= most_links) return true;
  reading.errors.add(place, path.text(),
                     "makes a topology of " + format_number(nodes, Dimension::none) + " nodes and " +
                         format_number(links, Dimension::none) + " links; allowed: " + std::to_string(most_nodes) +
                         " nodes and " + std::to_string(most_links) + " links");
  return false;
}

bool read_part(Reading& reading, const LinkTypes& types, const Node& node, const Path& path, TopologyConfig& out) {
  // With a key that nobody knows a family may have other nodes than are made here.
  const std::size_t errors_before = reading.errors.size();
  PartScope scope{reading, types};
  Section part{reading, &node, path, SectionId::part};
  const Key* family = family_of(part, part_keys);
  if (!family) return false;
  const Node& given = *part.given(family->name);
  const Path family_path = part.at(family->name);
  if (family->name == "multi_site") {
    Section section{reading, &given, family_path, SectionId::multi_site};
    const auto config = read_multi_site(scope, section);
    if (!config || !fits(reading, given.place, family_path, out, family_size(*config))) return false;
    try {
      add_multi_site(out, *config);
    } catch (const ScenarioError& error) {
      for (const Diagnostic& diagnostic : error.diagnostics()) reading.errors.add(section.place("sites"), diagnostic);
    }
  } else {
    const auto config = read_family(reading, types, family->name, given, family_path);
    if (!config) return false;
    if (!fits(reading, given.place, family_path, out, family_size(*config))) return false;
    add_family(out, *config);
  }
  return reading.errors.size() == errors_before;
}

}  // namespace soya::reading
