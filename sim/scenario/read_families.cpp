#include "scenario/read_families.hpp"

#include <algorithm>
#include <numeric>

#include "scenario/key_tables.hpp"
#include "topology/families.hpp"

namespace soya::reading {

namespace {

struct FamilyScope {
  Reading& reading;
  const LinkTypes& types;
  const Node& node;
  const Path& path;
};

std::string number_text(Int128 number) {
  return format_number(number, Dimension::none);
}

Ratio reduced(Int128 numerator, Int128 denominator) {
  Int128 a = numerator;
  for (Int128 b = denominator; b != 0;) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return {static_cast<std::int64_t>(numerator / a), static_cast<std::int64_t>(denominator / a)};
}

/// Rates of a leaf's hosts, and of its uplinks: oversubscription is one over the other.
struct LeafRates {
  Int128 down;  ///< of all hosts
  Int128 link;  ///< of an uplink

  [[nodiscard]] Ratio with(Int128 uplinks) const { return reduced(down, link * uplinks); }
  [[nodiscard]] std::string text(Int128 uplinks) const {
    return format_ratio(with(uplinks)) + " (" + number_text(uplinks) + (uplinks == 1 ? " uplink)" : " uplinks)");
  }
};

/// "16 hosts of 100Gbps".
std::string hosts_text(const LeafSpineConfig& config) {
  return number_text(config.hosts_per_leaf) + (config.hosts_per_leaf == 1 ? " host of " : " hosts of ") +
         format_number(config.host_link.rate.bits_per_second(), Dimension::rate);
}

/// Spines and links that make the oversubscription asked for; what is not given follows.
bool apply_oversubscription(Section& section, Ratio wanted, LeafSpineConfig& config) {
  const LeafRates rates{Int128{config.host_link.rate.bits_per_second()} * config.hosts_per_leaf,
                        config.fabric_link.rate.bits_per_second()};
  const std::string of_links = format_number(config.fabric_link.rate.bits_per_second(), Dimension::rate);
  const bool has_spines = section.given("spines") != nullptr;
  const bool has_links = section.given("links_per_pair") != nullptr;
  const auto refuse = [&](const std::string& message) {
    section.error("oversubscription", message);
    return false;
  };
  if (has_spines && has_links) {
    const Int128 uplinks = static_cast<Int128>(config.spines) * config.links_per_pair;
    const Ratio is = rates.with(uplinks);
    if (is == wanted) return true;
    return refuse(format_ratio(wanted) + " contradicts " + std::to_string(config.spines) + " spines with " +
                  std::to_string(config.links_per_pair) + (config.links_per_pair == 1 ? " link" : " links") +
                  " per pair: " + hosts_text(config) + " over " + number_text(uplinks) + " uplinks of " + of_links +
                  " are " + format_ratio(is) + "; leave one of the three out");
  }
  const Int128 above = rates.down * wanted.denominator;
  const Int128 below = rates.link * wanted.numerator;
  const Int128 uplinks = above / below;
  if (above % below != 0) {
    return refuse(format_ratio(wanted) + " takes no whole number of uplinks of " + of_links + " for " +
                  hosts_text(config) + "; nearest: " + (uplinks > 0 ? rates.text(uplinks) + " or " : "") +
                  rates.text(uplinks + 1));
  }
  int& follows = has_spines ? config.links_per_pair : config.spines;
  const int given = has_spines ? config.spines : config.links_per_pair;
  const Int128 most = has_spines ? 10'000 : 100'000;
  if (uplinks % given != 0 || uplinks / given > most) {
    return refuse(format_ratio(wanted) + " takes " + number_text(uplinks) + " uplinks on each leaf, which " +
                  std::to_string(given) + (has_spines ? " spines" : " links per pair") +
                  " do not divide; leave spines or links_per_pair out");
  }
  follows = static_cast<int>(uplinks / given);
  return true;
}

std::optional<FamilyConfig> read_leaf_spine(FamilyScope& scope) {
  Section section{scope.reading, &scope.node, scope.path, SectionId::leaf_spine};
  LeafSpineConfig config;
  std::optional<Ratio> oversubscription;
  bool whole = section.read("prefix", config.prefix);
  whole = section.read("leaves", config.leaves) && whole;
  whole = section.read("hosts_per_leaf", config.hosts_per_leaf) && whole;
  whole = section.read("oversubscription", oversubscription) && whole;
  config.host_link = scope.types.read_kind(section, "host_link");
  config.fabric_link = scope.types.read_kind(section, "fabric_link");
  config.where = section.where();
  // Where one follows from the other, it is no default.
  const bool spines_follow = oversubscription && !section.given("spines");
  const bool links_follow = oversubscription && !spines_follow && !section.given("links_per_pair");
  if (!spines_follow) whole = section.read("spines", config.spines) && whole;
  if (!links_follow) whole = section.read("links_per_pair", config.links_per_pair) && whole;
  if (whole && oversubscription) whole = apply_oversubscription(section, *oversubscription, config);
  if (spines_follow) section.note("spines", std::to_string(config.spines), "default: oversubscription");
  if (links_follow) section.note("links_per_pair", std::to_string(config.links_per_pair), "default: oversubscription");
  if (!whole) return std::nullopt;
  return config;
}

std::optional<FamilyConfig> read_fat_tree(FamilyScope& scope) {
  Section section{scope.reading, &scope.node, scope.path, SectionId::fat_tree};
  FatTreeConfig config;
  bool whole = section.read("prefix", config.prefix);
  whole = section.read("k", config.k) && whole;
  if (whole && config.k % 2 != 0) {
    section.error("k", "expected an even number, as half the ports of a switch lead up, got " +
                           std::to_string(config.k) + "; nearest: " + std::to_string(config.k - 1) + " or " +
                           std::to_string(config.k + 1));
    whole = false;
  }
  config.host_link = scope.types.read_kind(section, "host_link");
  config.fabric_link = scope.types.read_kind(section, "fabric_link");
  const Node* core = section.given("core_link");
  if (core && !(core->is_scalar() && core->text == "same")) {
    config.core_link = scope.types.read_kind(section, "core_link");
  } else {
    config.core_link = config.fabric_link;
    section.note("core_link", "same");
  }
  config.where = section.where();
  if (!whole) return std::nullopt;
  return config;
}

/// Ports of a leaf for hosts, those for uplinks being the rest.
bool split_radix(Section& section, Ratio wanted, ClosConfig& config) {
  if (config.tiers > 2 && config.radix % 2 != 0) {
    section.error("radix",
                  "expected an even number, as half the ports of a switch between leaves and spines lead up, "
                  "got " +
                      std::to_string(config.radix) + "; nearest: " + std::to_string(config.radix - 1) + " or " +
                      std::to_string(config.radix + 1));
    return false;
  }
  if (config.tiers == 1) {
    config.down = config.radix;
    if (!section.given("oversubscription") || wanted == Ratio{1, 1}) return true;
    section.error("oversubscription", "a single tier has no uplinks; leave it out, or give tiers: 2");
    return false;
  }
  const Int128 above = static_cast<Int128>(config.radix) * wanted.numerator;
  const Int128 parts = static_cast<Int128>(wanted.numerator) + wanted.denominator;
  const auto down = static_cast<int>(above / parts);
  if (above % parts == 0) {
    config.down = down;
    return true;
  }
  std::string nearest;
  for (const int d : {down, down + 1}) {
    if (d < 1 || d >= config.radix) continue;
    nearest += (nearest.empty() ? "" : " or ") + format_ratio(reduced(d, config.radix - d)) + " (" + std::to_string(d) +
               " down, " + std::to_string(config.radix - d) + " up)";
  }
  section.error("oversubscription", format_ratio(wanted) + " does not split the " + std::to_string(config.radix) +
                                        " ports of a leaf; nearest: " + nearest);
  return false;
}

std::optional<FamilyConfig> read_clos(FamilyScope& scope) {
  Section section{scope.reading, &scope.node, scope.path, SectionId::clos};
  ClosConfig config;
  Ratio oversubscription{1, 1};
  std::optional<std::int64_t> hosts;
  bool whole = section.read("prefix", config.prefix);
  whole = section.read("tiers", config.tiers) && whole;
  whole = section.read("radix", config.radix) && whole;
  whole = section.read("oversubscription", oversubscription) && whole;
  whole = section.read("hosts", hosts) && whole;
  config.host_link = scope.types.read_kind(section, "host_link");
  config.fabric_link = scope.types.read_kind(section, "fabric_link");
  config.where = section.where();
  if (!whole || !split_radix(section, oversubscription, config)) return std::nullopt;
  const Int128 most = most_hosts(config);
  if (hosts && *hosts > most) {
    section.error("hosts", number_text(*hosts) + " do not fit: " + std::to_string(config.tiers) +
                               (config.tiers == 1 ? " tier" : " tiers") + " of radix " + std::to_string(config.radix) +
                               " have room for " + number_text(most) + "; add a tier or ports");
    return std::nullopt;
  }
  config.hosts = hosts.value_or(static_cast<std::int64_t>(most));
  return config;
}

std::optional<LinkConfig> read_local(FamilyScope& scope, Section& section) {
  const Node* node = section.given("local");
  if (node && !(node->is_scalar() && node->text == "none")) return scope.types.read_kind(section, "local");
  section.note("local", "none");
  return std::nullopt;
}

std::optional<FamilyConfig> read_rail_optimized(FamilyScope& scope) {
  Section section{scope.reading, &scope.node, scope.path, SectionId::rail_optimized};
  RailOptimizedConfig config;
  std::optional<int> in_block;
  std::optional<int> spines;
  bool whole = section.read("prefix", config.prefix);
  whole = section.read("servers", config.servers) && whole;
  whole = section.read("gpus_per_server", config.gpus_per_server) && whole;
  whole = section.read("servers_per_block", in_block) && whole;
  whole = section.read("spines", spines) && whole;
  whole = section.read("links_per_pair", config.links_per_pair) && whole;
  whole = section.read("rail_only", config.rail_only) && whole;
  config.host_link = scope.types.read_kind(section, "host_link");
  config.fabric_link = scope.types.read_kind(section, "fabric_link");
  config.local = read_local(scope, section);
  config.where = section.where();
  if (!whole) return std::nullopt;
  config.servers_per_block = std::min(in_block.value_or(config.servers), config.servers);
  const bool one_switch_to_a_rail = config.rail_only && config.servers_per_block == config.servers;
  if (spines && one_switch_to_a_rail) {
    section.error("spines",
                  "with rail_only a spine joins the switches of one rail, and " + std::to_string(config.servers) +
                      " servers in one block have one for each rail; leave it out, or give servers_per_block");
    return std::nullopt;
  }
  config.spines = spines.value_or(one_switch_to_a_rail ? 0 : config.servers_per_block);
  return config;
}

std::optional<FamilyConfig> read_dragonfly(FamilyScope& scope) {
  Section section{scope.reading, &scope.node, scope.path, SectionId::dragonfly};
  DragonflyConfig config;
  std::optional<int> groups;
  bool whole = section.read("prefix", config.prefix);
  whole = section.read("groups", groups) && whole;
  whole = section.read("routers_per_group", config.routers_per_group) && whole;
  whole = section.read("hosts_per_router", config.hosts_per_router) && whole;
  whole = section.read("global_links_per_router", config.global_links_per_router) && whole;
  config.host_link = scope.types.read_kind(section, "host_link");
  config.group_link = scope.types.read_kind(section, "group_link");
  config.global_link = scope.types.read_kind(section, "global_link");
  config.where = section.where();
  if (!whole) return std::nullopt;
  const std::int64_t ports = std::int64_t{config.routers_per_group} * config.global_links_per_router;
  if (groups && *groups > ports + 1) {
    section.error("groups", std::to_string(*groups) + " groups need " + std::to_string(*groups - 1) +
                                " global links each, and " + std::to_string(config.routers_per_group) +
                                " routers with " + std::to_string(config.global_links_per_router) + " have " +
                                std::to_string(ports) + "; allowed: up to " + std::to_string(ports + 1));
    return std::nullopt;
  }
  config.groups = groups.value_or(static_cast<int>(ports + 1));
  if (const std::int64_t free = config.groups > 1 ? ports % (config.groups - 1) : ports; free > 0) {
    section.reading().warnings.add(section.place("groups"), section.at("groups").text(),
                                   number_text(free) + " of the " + number_text(ports) +
                                       " global ports of each group stay free: they do not go round " +
                                       std::to_string(config.groups - 1) + " other groups");
  }
  return config;
}

bool read_dimensions(Section& section, std::vector<int>& dimensions) {
  const Node* node = section.given("dimensions");
  if (!node) {
    section.note("dimensions", "[4, 4]");
    return true;
  }
  if (!node->is_list() || node->children.empty()) {
    section.error("dimensions", "expected a list of lengths such as [4, 4, 4], got " +
                                    (node->is_list() ? std::string{"an empty list"} : shown(*node)));
    return false;
  }
  constexpr int longest = 100'000;
  const Path path = section.at("dimensions");
  dimensions.clear();
  std::string noted;
  for (std::size_t i = 0; i < node->children.size(); ++i) {
    const Node& item = node->children[i];
    const ParsedNumber number = parse_number(item.text, Dimension::none);
    if (!item.is_scalar() || number.fault != NumberFault::none || number.value < 1 || number.value > longest) {
      section.reading().errors.add(
          item.place, path.item(i).text(),
          "expected a whole number; allowed: 1 to " + std::to_string(longest) + ", got " + shown(item));
      continue;
    }
    dimensions.push_back(static_cast<int>(number.value));
    noted += (noted.empty() ? "" : ", ") + number_text(number.value);
  }
  section.note("dimensions", '[' + noted + ']');
  return dimensions.size() == node->children.size();
}

std::optional<FamilyConfig> read_torus(FamilyScope& scope) {
  Section section{scope.reading, &scope.node, scope.path, SectionId::torus};
  TorusConfig config;
  bool whole = section.read("prefix", config.prefix);
  whole = read_dimensions(section, config.dimensions) && whole;
  whole = section.read("hosts_per_switch", config.hosts_per_switch) && whole;
  config.host_link = scope.types.read_kind(section, "host_link");
  config.fabric_link = scope.types.read_kind(section, "fabric_link");
  config.where = section.where();
  if (!whole) return std::nullopt;
  return config;
}

std::optional<FamilyConfig> read_ring_topology(FamilyScope& scope) {
  Section section{scope.reading, &scope.node, scope.path, SectionId::ring_topology};
  RingTopologyConfig config;
  bool whole = section.read("prefix", config.prefix);
  whole = section.read("switches", config.switches) && whole;
  whole = section.read("hosts_per_switch", config.hosts_per_switch) && whole;
  config.host_link = scope.types.read_kind(section, "host_link");
  config.fabric_link = scope.types.read_kind(section, "fabric_link");
  config.where = section.where();
  if (!whole) return std::nullopt;
  return config;
}

}  // namespace

std::optional<FamilyConfig> read_family(Reading& reading, const LinkTypes& types, std::string_view name,
                                        const Node& node, const Path& path) {
  FamilyScope scope{reading, types, node, path};
  if (name == "leaf_spine") return read_leaf_spine(scope);
  if (name == "fat_tree") return read_fat_tree(scope);
  if (name == "clos") return read_clos(scope);
  if (name == "rail_optimized") return read_rail_optimized(scope);
  if (name == "dragonfly") return read_dragonfly(scope);
  if (name == "torus") return read_torus(scope);
  return read_ring_topology(scope);
}

}  // namespace soya::reading
