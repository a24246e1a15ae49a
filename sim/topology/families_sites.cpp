// Sites of any family, joined by long links.
#include <algorithm>
#include <array>
#include <utility>

#include "core/check.hpp"
#include "topology/families.hpp"
#include "topology/family_builder.hpp"

namespace soya {
namespace {

[[noreturn]] void refuse(const SiteConfig& site, std::string message) {
  throw ScenarioError{{{site.where, std::move(message)}}};
}

/// A site as it was built.
struct Site {
  NodeRun nodes;
  std::vector<NodeId> gateways;
  NodeId dci{};
};

std::string site_prefix(const MultiSiteConfig& config, const SiteConfig& site) {
  return config.prefix + site.name + '-';
}

std::vector<NodeId> highest_tier(const TopologyConfig& topology, const NodeRun& nodes) {
  std::uint8_t highest = 0;
  std::vector<NodeId> out;
  for (std::size_t k = 0; k < nodes.count; ++k) {
    const NodeConfig& node = topology.nodes[nodes.at(k).index()];
    if (!node.tier || *node.tier < highest) continue;
    if (*node.tier > highest) out.clear();
    highest = *node.tier;
    out.push_back(nodes.at(k));
  }
  return out;
}

std::vector<NodeId> gateways_of(const TopologyConfig& topology, const NodeRun& nodes, const std::string& prefix,
                                const SiteConfig& site) {
  if (site.gateways.empty()) return highest_tier(topology, nodes);
  std::vector<NodeId> out;
  for (const std::string& name : site.gateways) {
    NodeId found{};
    for (std::size_t k = 0; k < nodes.count && found.is_none(); ++k) {
      const NodeConfig& node = topology.nodes[nodes.at(k).index()];
      if (node.kind == NodeKind::switch_ && node.name == prefix + name) found = nodes.at(k);
    }
    if (found.is_none()) {
      refuse(site, "gateway \"" + name + "\": site \"" + site.name + "\" has no switch \"" + prefix + name +
                       "\"; a gateway is named without the site's \"" + prefix + '"');
    }
    if (std::ranges::find(out, found) != out.end()) refuse(site, "gateway \"" + name + "\" is listed twice");
    out.push_back(found);
  }
  return out;
}

Site add_site(TopologyConfig& topology, const MultiSiteConfig& config, const SiteConfig& site) {
  const std::string prefix = site_prefix(config, site);
  FamilyConfig family = site.family;
  std::visit([&](auto& c) { c.prefix = prefix + c.prefix; }, family);
  Site out{{topology.nodes.size(), 0}, {}, {}};
  add_family(topology, family);
  out.nodes.count = topology.nodes.size() - out.nodes.first;
  out.gateways = gateways_of(topology, out.nodes, prefix, site);
  if (!config.dci) return out;
  std::size_t tier = 0;
  for (const NodeId gateway : out.gateways) {
    tier = std::max<std::size_t>(tier, topology.nodes[gateway.index()].tier.value_or(1));
  }
  out.dci = FamilyBuilder{topology, prefix, site.where}.switch_("dci", tier + 1);
  return out;
}

std::vector<std::pair<std::size_t, std::size_t>> joined_sites(const MultiSiteConfig& config) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const std::size_t n = config.sites.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const bool is_next = j == i + 1;
      const bool closes = i == 0 && j + 1 == n;
      const bool joined = config.shape == SiteShape::full || (config.shape == SiteShape::hub && i == 0) ||
                          (config.shape == SiteShape::chain && is_next) ||
                          (config.shape == SiteShape::ring && (is_next || closes));
      if (joined) out.emplace_back(i, j);
    }
  }
  return out;
}

Int128 pair_count(const MultiSiteConfig& config) {
  const auto n = static_cast<Int128>(config.sites.size());
  if (config.shape == SiteShape::full) return n * (n - 1) / 2;
  return config.shape == SiteShape::ring && n > 2 ? n : n - 1;
}

/// How many switches a family has at most in its highest tier: all of its nodes are enough to bound the links.
Int128 most_gateways(const SiteConfig& site) {
  return site.gateways.empty() ? family_size(site.family).nodes : static_cast<Int128>(site.gateways.size());
}

}  // namespace

TopologySize family_size(const MultiSiteConfig& config) {
  TopologySize size;
  Int128 gateways = 0;
  for (const SiteConfig& site : config.sites) {
    const TopologySize one = family_size(site.family);
    size.nodes += one.nodes + (config.dci ? 1 : 0);
    size.links += one.links;
    gateways = std::max(gateways, most_gateways(site));
    if (config.dci) size.links += most_gateways(site);
  }
  size.links += pair_count(config) * config.links_per_pair * (config.dci ? 1 : gateways);
  return size;
}

void add_multi_site(TopologyConfig& topology, const MultiSiteConfig& config) {
  SOYA_CHECK(!config.sites.empty() && config.links_per_pair >= 1, "there is a site");
  std::vector<Site> sites;
  for (const SiteConfig& site : config.sites) sites.push_back(add_site(topology, config, site));
  FamilyBuilder build{topology, config.prefix, config.where};
  for (const Site& site : sites) {
    if (!config.dci) break;
    for (const NodeId gateway : site.gateways) build.link(config.gateway_link, {gateway, site.dci});
  }
  for (const auto& [i, j] : joined_sites(config)) {
    const std::vector<NodeId> from = config.dci ? std::vector{sites[i].dci} : sites[i].gateways;
    const std::vector<NodeId> to = config.dci ? std::vector{sites[j].dci} : sites[j].gateways;
    if (from.size() != to.size()) {
      refuse(config.sites[j], "site \"" + config.sites[j].name + "\" has " + std::to_string(to.size()) +
                                  " gateways and site \"" + config.sites[i].name + "\" has " +
                                  std::to_string(from.size()) +
                                  "; without dci the k-th of one has long links to the k-th of the other");
    }
    for (std::size_t k = 0; k < from.size(); ++k) {
      for (int link = 0; link < config.links_per_pair; ++link) build.link(config.long_link, {from[k], to[k]});
    }
  }
}

}  // namespace soya
