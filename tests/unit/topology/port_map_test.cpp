#include "topology/port_map.hpp"

#include <doctest/doctest.h>

#include "core/check.hpp"
#include "small_topology.hpp"

using namespace soya;
using soya::test::SmallTopology;

TEST_CASE("a node's ports are its links in link order, and each names its far end") {
  SmallTopology t;
  t.host("h1").switch_("s1").host("h2").switch_("s2");
  t.link("h1", "s1").link("s1", "s2").link("s2", "s1").link("h2", "s2");
  const PortMap ports = build_ports(t.config);

  const auto s1 = ports.ports_of(t.id("s1"));
  REQUIRE(s1.size() == 3);
  CHECK(s1[0] == PortLink{LinkId{0U}, t.id("h1"), PortId{0U}});
  CHECK(s1[1] == PortLink{LinkId{1U}, t.id("s2"), PortId{0U}});
  CHECK(s1[2] == PortLink{LinkId{2U}, t.id("s2"), PortId{1U}});
  CHECK(ports.at({t.id("s2"), PortId{2U}}) == PortLink{LinkId{3U}, t.id("h2"), PortId{0U}});
  CHECK(ports.port_on(LinkId{2U}, t.id("s2")) == PortId{1U});
  CHECK(ports.port_on(LinkId{2U}, t.id("s1")) == PortId{2U});
  for (std::size_t link = 0; link < t.config.links.size(); ++link) {
    const LinkPorts& ends = ports.ends_of(LinkId{link});
    CHECK(ports.at(ends.a) == PortLink{LinkId{link}, ends.b.node, ends.b.port});
    CHECK(ports.at(ends.b) == PortLink{LinkId{link}, ends.a.node, ends.a.port});
  }
}

TEST_CASE("hosts and switches are numbered among themselves in node order") {
  SmallTopology t;
  t.switch_("s1").host("h1").host("h2").switch_("s2").host("h3");
  const PortMap ports = build_ports(t.config);

  CHECK(ports.host_count() == 3);
  CHECK(ports.switch_count() == 2);
  CHECK(ports.node_of(HostId{2U}) == t.id("h3"));
  CHECK(ports.node_of(SwitchId{1U}) == t.id("s2"));
  CHECK(ports.host_at(t.id("h2")) == HostId{1U});
  CHECK(ports.switch_at(t.id("s2")) == SwitchId{1U});
  CHECK(ports.is_host(t.id("h1")));
  CHECK_FALSE(ports.is_host(t.id("s1")));
  CHECK(ports.ports_of(t.id("h3")).empty());
}

TEST_CASE("a link from a node to itself is a defect by the time ports are built") {
  SmallTopology t;
  t.switch_("s1").link("s1", "s1");
  CHECK_THROWS_AS((void)build_ports(t.config), InternalError);
}
