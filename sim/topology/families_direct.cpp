// Networks whose switches all have hosts: dragonfly, torus, ring.
#include <algorithm>

#include "core/check.hpp"
#include "topology/families.hpp"
#include "topology/family_builder.hpp"

namespace soya {
namespace {

/// Every switch to the next one along each dimension; where that is the last one, to the first.
void join_grid(FamilyBuilder& build, const NodeRun& switches, const std::vector<int>& dimensions,
               const LinkConfig& kind) {
  for (std::size_t i = 0; i < switches.count; ++i) {
    std::size_t stride = switches.count;  // from one switch to the next along the dimension
    for (const int dimension : dimensions) {
      const std::size_t length = counted(dimension);
      stride /= length;
      const std::size_t along = i / stride % length;
      const bool is_last = along + 1 == length;
      if (length == 1 || (length == 2 && is_last)) continue;
      build.link(kind, {switches.at(i), switches.at(is_last ? i - along * stride : i + stride)});
    }
  }
}

}  // namespace

void add_torus(TopologyConfig& topology, const TorusConfig& config) {
  SOYA_CHECK(!config.dimensions.empty() && config.hosts_per_switch >= 0, "a torus has a dimension");
  std::size_t count = 1;
  for (const int d : config.dimensions) {
    SOYA_CHECK(d >= 1, "a dimension is at least 1 long");
    count *= counted(d);
  }
  FamilyBuilder build{topology, config.prefix, config.where};
  const NodeRun hosts = build.hosts(count * counted(config.hosts_per_switch));
  const NodeRun switches{topology.nodes.size(), count};
  for (std::size_t i = 0; i < count; ++i) {
    std::string name = "switch";
    std::size_t stride = count;
    for (const int dimension : config.dimensions) {
      stride /= counted(dimension);
      name += (name == "switch" ? "" : "-") + std::to_string(i / stride % counted(dimension) + 1);
    }
    build.switch_(name, 1);
  }
  build.hang(config.host_link, hosts, switches, counted(config.hosts_per_switch));
  join_grid(build, switches, config.dimensions, config.fabric_link);
}

void add_ring(TopologyConfig& topology, const RingTopologyConfig& config) {
  add_torus(topology, {.prefix = config.prefix,
                       .dimensions = {config.switches},
                       .hosts_per_switch = config.hosts_per_switch,
                       .host_link = config.host_link,
                       .fabric_link = config.fabric_link,
                       .where = config.where});
}

void add_dragonfly(TopologyConfig& topology, const DragonflyConfig& config) {
  const std::size_t groups = counted(config.groups);
  const std::size_t a = counted(config.routers_per_group);
  const std::size_t h = counted(config.global_links_per_router);
  SOYA_CHECK(groups >= 1 && a >= 1 && config.hosts_per_router >= 1, "a dragonfly has groups, routers and hosts");
  SOYA_CHECK(groups <= a * h + 1, "a group has a global port for every other group");
  FamilyBuilder build{topology, config.prefix, config.where};
  const NodeRun hosts = build.hosts(groups * a * counted(config.hosts_per_router));
  const NodeRun routers = build.grouped("group", "router", groups, a, 1);

  build.hang(config.host_link, hosts, routers, counted(config.hosts_per_router));
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t i = 0; i < a; ++i) {
      for (std::size_t j = i + 1; j < a; ++j) {
        build.link(config.group_link, {routers.at(group * a + i), routers.at(group * a + j)});
      }
    }
  }
  if (groups == 1) return;
  const std::size_t others = groups - 1;
  const std::size_t links_per_pair = a * h / others;
  // Where the n-th global port of a group leads to its n-th other group: seen from `low`, `high` is the (high - 1)-th,
  // and seen from `high`, `low` is the low-th, both from 0.
  for (std::size_t low = 0; low < groups; ++low) {
    for (std::size_t high = low + 1; high < groups; ++high) {
      for (std::size_t k = 0; k < links_per_pair; ++k) {
        const std::size_t at_low = (k * others + high - 1) / h;
        const std::size_t at_high = (k * others + low) / h;
        build.link(config.global_link, {routers.at(low * a + at_low), routers.at(high * a + at_high)});
      }
    }
  }
}

}  // namespace soya
