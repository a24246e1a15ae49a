// Dragonfly, torus, ring, rails and sites: counts, diameter and bisection by the textbook's formulas.
#include <doctest/doctest.h>

#include "topology/families.hpp"
#include "unit/topology/network_measure.hpp"

using namespace soya;
using namespace soya::literals;
using namespace soya::test;

namespace {

TopologyConfig family_made_by(const FamilyConfig& config) {
  TopologyConfig topology;
  add_family(topology, config);
  const TopologySize size = family_size(config);
  CHECK(topology.nodes.size() == static_cast<std::size_t>(size.nodes));
  CHECK(topology.links.size() == static_cast<std::size_t>(size.links));
  return topology;
}

std::size_t counted(int number) {
  return static_cast<std::size_t>(number);
}

/// Links between two groups of a dragonfly, the fewest and the most.
std::pair<std::size_t, std::size_t> links_between_groups(const TopologyConfig& topology,
                                                         const DragonflyConfig& config) {
  const std::size_t hosts = count_kind(topology, NodeKind::host);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> links;
  const auto groups = counted(config.groups);
  for (std::size_t i = 0; i < groups; ++i) {
    for (std::size_t j = i + 1; j < groups; ++j) links[{i, j}] = 0;
  }
  for (const LinkConfig& link : topology.links) {
    if (link.a.index() < hosts) continue;
    const auto group = [&](NodeId node) { return (node.index() - hosts) / counted(config.routers_per_group); };
    if (group(link.a) != group(link.b)) ++links[std::minmax(group(link.a), group(link.b))];
  }
  std::pair<std::size_t, std::size_t> out{links.begin()->second, links.begin()->second};
  for (const auto& [pair, count] : links) out = {std::min(out.first, count), std::max(out.second, count)};
  return out;
}

}  // namespace

TEST_CASE("a dragonfly has a p g hosts, every two groups joined alike, and diameter 5") {
  struct Size {
    int groups, a, p, h;
  };
  for (const auto& [groups, a, p, h] :
       {Size{9, 4, 2, 2}, Size{3, 2, 1, 1}, Size{33, 8, 4, 4}, Size{5, 4, 2, 2}, Size{19, 6, 3, 3}, Size{2, 3, 1, 2}}) {
    CAPTURE(groups);
    const DragonflyConfig config{
        .groups = groups, .routers_per_group = a, .hosts_per_router = p, .global_links_per_router = h};
    const TopologyConfig topology = family_made_by(config);
    CHECK(count_kind(topology, NodeKind::host) == counted(groups * a * p));
    CHECK(count_tier(topology, 1) == counted(groups * a));
    const int per_pair = a * h / (groups - 1);
    CHECK(links_between_groups(topology, config) == std::pair{counted(per_pair), counted(per_pair)});
    // No router has more than p hosts, a - 1 neighbours in its group and h global links.
    const auto [least, most] = ports_of_tier(topology, 1);
    CHECK(most == counted(p + a - 1 + h));
    if (per_pair * (groups - 1) == a * h) CHECK(least == most);
    // A link of each host, one inside the first group, one between groups, one inside the last. With as many links
    // between two groups as a group has routers, no first or last one is needed.
    if (groups == a * h + 1) CHECK(diameter(topology) == 5);
    CHECK(diameter(topology) <= 5);
  }
}

TEST_CASE("between the halves of a full dragonfly lie g^2/4 global links") {
  // Even numbers of groups g = a h + 1. The cut between halves of the groups has (g/2)^2 links, one for every two; the
  // routers' own links could only be fewer where a group's way out is narrow: it has a h = g - 1 links for g/2 others.
  struct Size {
    int a, h;
  };
  for (const auto& [a, h] : {Size{1, 1}, Size{3, 1}, Size{5, 1}, Size{3, 3}, Size{7, 1}}) {
    const int g = a * h + 1;
    CAPTURE(g);
    const DragonflyConfig config{
        .groups = g, .routers_per_group = a, .hosts_per_router = h, .global_links_per_router = h};
    CHECK(switch_bisection(family_made_by(config)) == g * g / 4);
  }
}

TEST_CASE("a dragonfly's n-th global port leads to the n-th other group") {
  // a h = 4 ports and 4 other groups: group 1's are 2, 3, 4, 5 and group 3's are 1, 2, 4, 5; two ports to a router.
  const TopologyConfig topology = family_made_by(
      DragonflyConfig{.groups = 5, .routers_per_group = 2, .hosts_per_router = 1, .global_links_per_router = 2});
  const auto pairs = links_by_pair(topology);
  const auto joined = [&](const std::string& a, const std::string& b) {
    return pairs.contains(std::minmax(node_at(topology, a), node_at(topology, b)));
  };
  CHECK(joined("group1-router1", "group2-router1"));
  CHECK(joined("group1-router1", "group3-router1"));
  CHECK(joined("group1-router2", "group4-router1"));
  CHECK(joined("group3-router1", "group2-router1"));
  CHECK(joined("group3-router2", "group4-router2"));
  CHECK(joined("group3-router2", "group5-router2"));
}

TEST_CASE("a torus has a link per switch and dimension, half as many where it is 2 long, and diameter 2 + sum of d/2") {
  struct Size {
    std::vector<int> dimensions;
    std::size_t links;
    std::size_t diameter;
    std::int64_t bisection;  ///< 2 x N/d across the first dimension d, which is even and the longest; N/d where it is 2
  };
  for (const Size& size : {Size{{4}, 4, 2 + 2, 2}, Size{{4, 4}, 2 * 16, 2 + 4, 8}, Size{{4, 4, 4}, 3 * 64, 2 + 6, 32},
                           Size{{2, 2, 2}, 12, 2 + 3, 4}, Size{{6, 3}, 2 * 18, 2 + 3 + 1, 6},
                           Size{{4, 2}, 8 + 4, 2 + 2 + 1, 4}, Size{{8, 5, 1}, 2 * 40, 2 + 4 + 2, 10}}) {
    std::size_t switches = 1;
    for (const int d : size.dimensions) switches *= counted(d);
    CAPTURE(switches);
    const TopologyConfig topology = family_made_by(TorusConfig{.dimensions = size.dimensions});
    CHECK(count_kind(topology, NodeKind::host) == switches);
    CHECK(count_tier(topology, 1) == switches);
    CHECK(topology.links.size() == switches + size.links);
    for (const auto& [pair, links] : links_by_pair(topology)) CHECK(links == 1);
    CHECK(diameter(topology) == size.diameter);
    CHECK(switch_bisection(topology) == size.bisection);
  }
}

TEST_CASE("a torus counts its last coordinate first, and hangs hosts on switches in that order") {
  const TopologyConfig topology = family_made_by(TorusConfig{.prefix = "t-", .dimensions = {2, 3}, .hosts_per_switch = 2});
  CHECK(topology.nodes[12].name == "t-switch1-1");
  CHECK(topology.nodes[13].name == "t-switch1-2");
  CHECK(topology.nodes[17].name == "t-switch2-3");
  CHECK(topology.links[3].a.index() == 3);
  CHECK(topology.links[3].b.index() == 13);
  const auto pairs = links_by_pair(topology);
  CHECK(pairs.contains({12, 15}));  // 1-1 and 2-1
  CHECK(pairs.contains({12, 13}));  // 1-1 and 1-2
  CHECK(pairs.contains({12, 14}));  // 1-1 and 1-3: round the circle
}

TEST_CASE("a ring of n switches has n links, diameter 2 + n/2 and is parted by 2") {
  for (const int n : {1, 2, 3, 4, 7, 32}) {
    CAPTURE(n);
    const TopologyConfig topology = family_made_by(RingTopologyConfig{.switches = n, .hosts_per_switch = 2});
    CHECK(count_kind(topology, NodeKind::host) == counted(2 * n));
    CHECK(topology.links.size() == counted(2 * n + (n > 2 ? n : n - 1)));
    CHECK(diameter(topology) == counted(2 + n / 2));
    if (n > 1) CHECK(switch_bisection(topology) == (n > 2 ? 2 : 1));
  }
  CHECK(family_made_by(RingTopologyConfig{}).nodes.back().name == "switch4");
}

TEST_CASE("rails: GPU i of a block's servers shares switch i, spines join the rails, and counts follow") {
  struct Size {
    int servers, gpus, in_block, spines, links;
  };
  for (const auto& [servers, gpus, in_block, spines, links] :
       {Size{4, 8, 4, 4, 1}, Size{8, 2, 4, 4, 1}, Size{6, 4, 2, 1, 2}, Size{4, 4, 2, 2, 1}, Size{2, 1, 1, 1, 1}}) {
    CAPTURE(servers);
    const RailOptimizedConfig config{.servers = servers,
                                     .gpus_per_server = gpus,
                                     .servers_per_block = in_block,
                                     .spines = spines,
                                     .links_per_pair = links};
    const TopologyConfig topology = family_made_by(config);
    const int blocks = (servers + in_block - 1) / in_block;
    CHECK(count_kind(topology, NodeKind::host) == counted(servers * gpus));
    CHECK(count_tier(topology, 1) == counted(blocks * gpus));
    CHECK(count_tier(topology, 2) == counted(spines));
    CHECK(topology.links.size() == counted(servers * gpus + blocks * gpus * spines * links));
    CHECK(topology.servers.size() == counted(servers));
    CHECK(diameter(topology) == (blocks * gpus > 1 ? 4 : 2));
    // Halves of the servers: with one block a rail switch serves both, with more the uplinks of half the blocks do.
    const int half_hosts = servers * gpus / 2;
    const int uplinks = blocks * gpus / 2 * spines * links;
    if (blocks % 2 == 0 && servers % in_block == 0) CHECK(bisection(topology) == std::min(half_hosts, uplinks));
    if (blocks == 1) CHECK(bisection(topology) == half_hosts);
  }
}

TEST_CASE("rails have the names of servers, GPUs, blocks and rails") {
  const TopologyConfig topology = family_made_by(
      RailOptimizedConfig{.prefix = "p-", .servers = 3, .gpus_per_server = 2, .servers_per_block = 2, .spines = 1});
  const auto pairs = links_by_pair(topology);
  const auto joined = [&](const std::string& a, const std::string& b) {
    return pairs.contains(std::minmax(node_at(topology, a), node_at(topology, b)));
  };
  CHECK(topology.nodes[0].name == "p-server1-gpu1");
  CHECK(joined("p-server1-gpu2", "p-block1-rail2"));
  CHECK(joined("p-server2-gpu1", "p-block1-rail1"));
  CHECK(joined("p-server3-gpu1", "p-block2-rail1"));
  CHECK(joined("p-block2-rail2", "p-spine1"));
  REQUIRE(topology.servers.size() == 3);
  CHECK(topology.servers[2].name == "p-server3");
  CHECK(topology.servers[2].gpus == std::vector<NodeId>{NodeId{4U}, NodeId{5U}});
  CHECK(topology.servers[2].nics == topology.servers[2].gpus);
}

TEST_CASE("with rail-only no path leads from one rail to another, and spines join a rail's switches") {
  for (const int in_block : {4, 2}) {
    CAPTURE(in_block);
    const int spines = in_block == 4 ? 0 : 3;
    const TopologyConfig topology = family_made_by(RailOptimizedConfig{
        .servers = 4, .gpus_per_server = 3, .servers_per_block = in_block, .spines = spines, .rail_only = true});
    CHECK(count_tier(topology, 2) == counted(3 * spines));
    const auto neighbours = neighbours_of(topology);
    for (std::size_t host = 0; host < 12; ++host) {
      const auto distance = distances_from(topology, neighbours, host);
      for (std::size_t other = 0; other < 12; ++other) {
        if (other == host) continue;
        const bool same_rail = other % 3 == host % 3;
        const bool same_block =
            counted(in_block) * 3 > std::max(host, other) || in_block == 4 ||
            std::min(host, other) / 3 / counted(in_block) == std::max(host, other) / 3 / counted(in_block);
        CHECK((distance[other] < 100) == same_rail);
        if (same_rail) CHECK(distance[other] == (same_block ? 2 : 4));
      }
    }
  }
}

TEST_CASE("sites are joined in their shape: full n(n-1)/2, ring n, chain and hub n-1 long links") {
  for (const std::size_t n : {2U, 3U, 4U, 5U, 6U}) {
    CAPTURE(n);
    MultiSiteConfig config{.prefix = "jp-"};
    for (std::size_t s = 1; s <= n; ++s) {
      config.sites.push_back({"s" + std::to_string(s), LeafSpineConfig{.spines = 3}, {}, {}});
    }
    config.long_link.length = 300_km;
    const std::size_t full = n * (n - 1) / 2;
    const std::size_t around = n > 2 ? n : 1;
    const std::pair<SiteShape, std::size_t> expected[] = {
        {SiteShape::full, full}, {SiteShape::ring, around}, {SiteShape::chain, n - 1}, {SiteShape::hub, n - 1}};
    for (const auto& [shape, pairs] : expected) {
      config.shape = shape;
      config.links_per_pair = 2;
      TopologyConfig topology;
      add_multi_site(topology, config);
      const auto is_long = [](const LinkConfig& link) { return link.length == 300_km; };
      CHECK(counted(static_cast<int>(std::ranges::count_if(topology.links, is_long))) == 2 * pairs);
      CHECK(count_tier(topology, 3) == n);
      // 4 host links, 2 leaves x 3 spines and 3 gateways to a site.
      CHECK(topology.links.size() == n * (4 + 6 + 3) + 2 * pairs);
      CHECK(node_at(topology, "jp-s1-dci") < topology.nodes.size());
      // Host, leaf, spine, DCI, and the same way down: 6 links, and long links as the shape has them on the way.
      const std::size_t longest = shape == SiteShape::full   ? 1
                                  : shape == SiteShape::ring ? n / 2
                                  : shape == SiteShape::hub  ? std::min<std::size_t>(n - 1, 2)
                                                             : n - 1;
      CHECK(diameter(topology) == 6 + longest);
    }
  }
}

TEST_CASE("without DCI switches the k-th gateways of two sites are joined") {
  MultiSiteConfig config;
  config.dci = false;
  config.sites.push_back({"a", RingTopologyConfig{.prefix = "r-", .switches = 3}, {"r-switch3", "r-switch1"}, {}});
  config.sites.push_back({"b", LeafSpineConfig{}, {}, {}});
  TopologyConfig topology;
  add_multi_site(topology, config);
  const auto pairs = links_by_pair(topology);
  CHECK(pairs.contains({node_at(topology, "a-r-switch3"), node_at(topology, "b-spine1")}));
  CHECK(pairs.contains({node_at(topology, "a-r-switch1"), node_at(topology, "b-spine2")}));
  CHECK(count_tier(topology, 3) == 0);
}

TEST_CASE("the table of families tells each with its formulas") {
  CHECK(family_table().size() == std::variant_size_v<FamilyConfig> + 1);
  for (const FamilyInfo& family : family_table()) {
    CHECK_FALSE(family.parameters.empty());
    CHECK_FALSE(family.shape.empty());
    CHECK_FALSE(family.formulas.empty());
    CHECK_FALSE(family.source.empty());
  }
}
