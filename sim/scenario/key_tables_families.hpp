// The tables behind keys.hpp: the families of `topology.parts`.
// Simplifies: see keys.hpp. What a family makes of its numbers is told in topology/families_config.hpp.
// Source: each row's own. Validated by tests/unit/scenario/keys_test.cpp.
#pragma once

#include <array>
#include <span>

#include "scenario/key_tables.hpp"

namespace soya::reading {

namespace family_key {

constexpr Key prefix(std::string_view meaning) {
  return {
      .name = "prefix", .kind = Kind::text, .standard = "\"\"", .source = "one family needs none", .meaning = meaning};
}

struct Standard {
  std::string_view value;
  std::string_view source;
};
struct Range {
  Int128 least;
  Int128 most;
};

constexpr Key count(std::string_view name, const Standard& standard, const Range& range, std::string_view meaning) {
  return {.name = name,
          .kind = Kind::integer,
          .standard = standard.value,
          .source = standard.source,
          .least = range.least,
          .most = range.most,
          .meaning = meaning};
}

constexpr Key link(std::string_view name, std::string_view example, std::string_view meaning) {
  return {.name = name,
          .kind = Kind::structured,
          .forms = one(SectionId::link) | one(Kind::text),
          .example = example,
          .meaning = meaning};
}

constexpr Key host_link() {
  return link("host_link", "{rate: 100Gbps, length: 3m}",
              "name of a link type, or link keys; rate is from the host, reverse_rate to it");
}
constexpr Key fabric_link() {
  return link("fabric_link", "{rate: 400Gbps, length: 30m}",
              "name of a link type, or link keys; rate is upwards, reverse_rate downwards");
}

constexpr Key family(std::string_view name, SectionId section, std::string_view meaning) {
  return {.name = name, .kind = Kind::section, .forms = one(section), .meaning = meaning};
}

inline constexpr Range many{1, 100'000};

}  // namespace family_key

inline constexpr std::array<Key, 8> part_keys{{
    family_key::family("leaf_spine", SectionId::leaf_spine, "a two-tier Clos: every leaf has links to every spine"),
    family_key::family("fat_tree", SectionId::fat_tree, "three tiers of switches with k ports, in k pods"),
    family_key::family("clos", SectionId::clos, "a folded Clos of switches with one radix, in any number of tiers"),
    family_key::family("rail_optimized", SectionId::rail_optimized,
                       "servers of several GPUs; GPU i of each server of a block hangs off rail switch i"),
    family_key::family("dragonfly", SectionId::dragonfly,
                       "groups of routers: all joined inside a group, and every two groups joined"),
    family_key::family("torus", SectionId::torus, "a grid of switches that closes on itself"),
    family_key::family("ring", SectionId::ring_topology, "switches in a circle"),
    family_key::family("multi_site", SectionId::multi_site, "sites of any other family, joined by long links"),
}};
/// Those that a site may be.
inline constexpr std::span<const Key> family_keys = std::span{part_keys}.first(7);

inline constexpr std::array<Key, 8> leaf_spine_keys{{
    family_key::prefix("put before host1, leaf1, spine1"),
    family_key::count("leaves", {"2", "the smallest with a choice"}, family_key::many, "number of leaf switches"),
    family_key::count("spines", {"2", "the smallest with a choice"}, family_key::many, "number of spine switches"),
    family_key::count("hosts_per_leaf", {"2", "the smallest with a neighbour"}, family_key::many, "hosts on each leaf"),
    family_key::count("links_per_pair", {"1", "one cable"}, {1, 10'000}, "parallel links between each leaf and spine"),
    {.name = "oversubscription",
     .kind = Kind::ratio,
     .standard = "none",
     .source = "it follows from spines and links_per_pair",
     .most = 10'000,
     .word = "none",
     .meaning = "rate of a leaf's hosts over that of its uplinks, as 3 or 3/2; sets spines, or links_per_pair where "
                "spines is given"},
    family_key::host_link(),
    family_key::fabric_link(),
}};

inline constexpr std::array<Key, 5> fat_tree_keys{{
    family_key::prefix("put before host1, pod1-edge1, pod1-aggregation1, core1"),
    family_key::count("k", {"4", "the smallest with a choice"}, {2, 256},
                      "ports of each switch, even: k^3/4 hosts in k pods"),
    family_key::host_link(),
    family_key::link("fabric_link", "{rate: 400Gbps, length: 30m}",
                     "edge to aggregation: name of a link type, or link keys; rate is upwards, reverse_rate downwards"),
    {.name = "core_link",
     .kind = Kind::structured,
     .standard = "same",
     .source = "a fat tree has links of one rate",
     .word = "same",
     .forms = one(SectionId::link) | one(Kind::text),
     .example = "{rate: 400Gbps, length: 100m}",
     .meaning = "aggregation to core: same as fabric_link, name of a link type, or link keys"},
}};

inline constexpr std::array<Key, 7> clos_keys{{
    family_key::prefix("put before host1, leaf1, tier2-switch1, spine1"),
    family_key::count("tiers", {"3", "leaves, switches between and spines"}, {1, 5},
                      "switches between a host and the top, both counted"),
    family_key::count("radix", {"64", "a switch of 64 ports"}, {2, 1024}, "ports of each switch; even where tiers > 2"),
    {.name = "oversubscription",
     .kind = Kind::ratio,
     .standard = "1",
     .source = "full bisection",
     .most = 1023,
     .meaning = "ports of a leaf for hosts over those for uplinks"},
    {.name = "hosts",
     .kind = Kind::integer,
     .standard = "full",
     .source = "every port is used",
     .least = 1,
     .most = limits::many,
     .word = "full",
     .meaning = "number of hosts; fewer than full fill leaf after leaf, and leaves without hosts are not built"},
    family_key::host_link(),
    family_key::fabric_link(),
}};

inline constexpr std::array<Key, 10> rail_optimized_keys{{
    family_key::prefix("put before server1-gpu1, block1-rail1, spine1"),
    family_key::count("servers", {"4", "a small block"}, family_key::many, "number of servers"),
    family_key::count("gpus_per_server", {"8", "a server of 8 GPUs, as DGX and HGX are"}, {1, 1024},
                      "GPUs of a server, each with a NIC, and so rails"),
    {.name = "servers_per_block",
     .kind = Kind::integer,
     .standard = "all",
     .source = "one block",
     .least = 1,
     .most = 100'000,
     .word = "all",
     .meaning = "servers whose GPUs i share a rail switch"},
    {.name = "spines",
     .kind = Kind::integer,
     .standard = "auto",
     .source = "full bisection at equal rates",
     .least = 1,
     .most = 100'000,
     .word = "auto",
     .meaning = "spine switches above all rails, or, with rail_only, above each rail; auto: as many as a block has "
                "servers, none where a rail is one switch"},
    family_key::count("links_per_pair", {"1", "one cable"}, {1, 10'000},
                      "parallel links between each rail switch and spine"),
    {.name = "rail_only",
     .kind = Kind::flag,
     .standard = "false",
     .source = "NCCL's tree and all-to-all cross rails",
     .meaning = "no path between rails: a spine joins the switches of one rail"},
    family_key::host_link(),
    family_key::fabric_link(),
    {.name = "local",
     .kind = Kind::structured,
     .standard = "none",
     .source = "servers talk over the network",
     .word = "none",
     .forms = one(SectionId::link) | one(Kind::text),
     .example = "{rate: 3600Gbps, length: 1m}",
     .meaning = "link of each GPU inside its server (NVLink): name of a link type, or link keys"},
}};

inline constexpr std::array<Key, 8> dragonfly_keys{{
    family_key::prefix("put before host1, group1-router1"),
    {.name = "groups",
     .kind = Kind::integer,
     .standard = "full",
     .source = "the largest: a h + 1 groups, one link between every two",
     .least = 1,
     .most = 100'000,
     .word = "full",
     .meaning = "number of groups, up to a h + 1; fewer have more links between every two"},
    family_key::count("routers_per_group", {"4", "a = 2 h, as the paper balances"}, {1, 10'000},
                      "a: routers of a group, all joined"),
    family_key::count("hosts_per_router", {"2", "p = h, as the paper balances"}, {1, 10'000},
                      "p: hosts on each router"),
    family_key::count("global_links_per_router", {"2", "the smallest with a choice"}, {1, 10'000},
                      "h: ports of a router for links to other groups"),
    family_key::host_link(),
    family_key::link("group_link", "{rate: 400Gbps, length: 5m}", "inside a group: name of a link type, or link keys"),
    family_key::link("global_link", "{rate: 400Gbps, length: 50m}",
                     "between groups: name of a link type, or link keys"),
}};

inline constexpr std::array<Key, 5> torus_keys{{
    family_key::prefix("put before host1, switch1-1-1"),
    {.name = "dimensions",
     .kind = Kind::structured,
     .standard = "[4, 4]",
     .source = "the smallest whose way round is no double link",
     .least = 1,
     .most = 100'000,
     .forms = list_of(Kind::integer),
     .meaning = "switches along each dimension; 2 make one link, not two"},
    family_key::count("hosts_per_switch", {"1", "a node of a torus"}, {0, 10'000}, "hosts on each switch"),
    family_key::host_link(),
    family_key::link("fabric_link", "{rate: 400Gbps, length: 30m}",
                     "name of a link type, or link keys; rate is towards the next switch, reverse_rate back"),
}};

inline constexpr std::array<Key, 5> ring_topology_keys{{
    family_key::prefix("put before host1, switch1"),
    family_key::count("switches", {"4", "the smallest with two shortest paths"}, family_key::many,
                      "switches of the circle; two have one link"),
    family_key::count("hosts_per_switch", {"1", "a node of a ring"}, {0, 10'000}, "hosts on each switch"),
    family_key::host_link(),
    family_key::link("fabric_link", "{rate: 400Gbps, length: 30m}",
                     "name of a link type, or link keys; rate is towards the next switch, reverse_rate back"),
}};

inline constexpr std::array<Key, 7> multi_site_keys{{
    family_key::prefix("put before the names of sites"),
    {.name = "sites",
     .kind = Kind::structured,
     .required = true,
     .forms = list_of(SectionId::site),
     .example = "[{name: a, leaf_spine: {}}, {name: b, leaf_spine: {}}]",
     .meaning = "list of two sites or more, each a name and one family"},
    {.name = "shape",
     .kind = Kind::choice,
     .standard = "full",
     .source = "every two sites joined",
     .choices = "full|ring|chain|hub",
     .meaning = "which sites have long links: every two (full), each and the next (chain), and the last and the first "
                "(ring), the first and each (hub)"},
    {.name = "dci",
     .kind = Kind::flag,
     .standard = "true",
     .source = "long links end at switches of their own",
     .meaning = "each site has a switch {site}-dci for long links; false: the k-th gateways of two sites are joined"},
    family_key::count("links_per_pair", {"1", "one fibre pair"}, {1, 10'000}, "parallel long links"),
    family_key::link("long_link", "{rate: 100Gbps, length: 300km}",
                     "between sites: name of a link type, or link keys; rate is from the earlier site"),
    family_key::link("gateway_link", "{rate: 400Gbps, length: 30m}",
                     "between a gateway and its site's DCI switch: name of a link type, or link keys"),
}};

inline constexpr std::array<Key, 2> site_keys{{
    {.name = "name",
     .kind = Kind::text,
     .required = true,
     .meaning = "put before the names of its nodes, with a hyphen; beside it stands one family that is no multi_site"},
    {.name = "gateways",
     .kind = Kind::structured,
     .standard = "[]",
     .source = "the switches of its highest tier",
     .forms = list_of(Kind::text),
     .example = "[spine1]",
     .meaning = "switches of the site, named without the site, that lead to its long links"},
}};

}  // namespace soya::reading
