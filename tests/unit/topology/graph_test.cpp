#include "topology/graph.hpp"

#include <doctest/doctest.h>

#include "small_topology.hpp"

using namespace soya;
using soya::test::SmallTopology;

TEST_CASE("components are numbered from 1 in the order of their first nodes") {
  SmallTopology t;
  t.host("h1").switch_("s1").host("alone").switch_("s2").host("h2");
  t.link("s2", "h2").link("h1", "s1");
  const Components components = find_components(t.config);

  CHECK(components.count == 3);
  CHECK(components.of_node == std::vector<std::uint32_t>{1, 1, 2, 3, 3});
}

TEST_CASE("an empty topology has no component") {
  CHECK(find_components(TopologyConfig{}).count == 0);
}

TEST_CASE("a need whose ends lie in two components is named with both") {
  SmallTopology t;
  for (int k = 1; k <= 9; ++k) t.host("h" + std::to_string(k));
  t.switch_("s1").switch_("s2").switch_("s3").switch_("s4");
  // h1 to h3 on s1; h4 and h5 on s2; h6 on s3; h7 to h9 on s4: four components, by first host 1, 4, 6 and 7.
  for (const char* h : {"h1", "h2", "h3"}) t.link(h, "s1");
  for (const char* h : {"h4", "h5"}) t.link(h, "s2");
  t.link("h6", "s3");
  for (const char* h : {"h7", "h8", "h9"}) t.link(h, "s4");

  const Where where{"flows.yaml", 12, 7, "workload[0].flows[0]"};
  const std::vector<PathNeed> needs{{HostId{2U}, HostId{8U}, where}, {HostId{0U}, HostId{2U}, where}};
  const std::vector<Diagnostic> complaints = missing_paths(t.config, needs);
  REQUIRE(complaints.size() == 1);
  CHECK(complaints[0].text() == "flows.yaml:12:7: workload[0].flows[0]: no path h3 -> h9 (components 1, 4)");
}

TEST_CASE("a connected topology has every path") {
  SmallTopology t;
  t.host("h1").switch_("s1").host("h2").link("h1", "s1").link("s1", "h2");
  const std::vector<PathNeed> needs{{HostId{0U}, HostId{1U}, {}}};
  CHECK(missing_paths(t.config, needs).empty());
}

TEST_CASE("distances count links between switches, and never lead through a host") {
  SmallTopology t;
  t.switch_("s0").switch_("s1").switch_("s2").switch_("s3").switch_("island").host("h");
  t.link("s0", "s1").link("s1", "s2").link("s2", "s3").link("s0", "s2");
  // The host joins s0 and s3: a path of two links that no packet may take.
  t.link("s0", "h").link("h", "s3");
  const PortMap ports = build_ports(t.config);
  const SwitchGraph graph{t.config, ports};

  const auto distances = graph.distances_to(SwitchId{0U});
  REQUIRE(distances.size() == 5);
  CHECK(distances[0] == 0U);
  CHECK(distances[1] == 1U);
  CHECK(distances[2] == 1U);
  CHECK(distances[3] == 2U);
  CHECK_FALSE(distances[4].has_value());
}
