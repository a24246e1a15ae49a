#include "engine/outages.hpp"

#include <doctest/doctest.h>

#include "support/fabric_bench.hpp"

using namespace soya;
using namespace soya::test;

namespace {

/// Two leaves with a host each and two spines; times are in ms, switches learn of a change 10 ms after it.
struct Fabric : FabricBench {
  Fabric() {
    scenario.routing.reconvergence = 10_ms;
    for (const char* name : {"l1", "l2", "s1", "s2"}) add_switch(name);
    for (const char* name : {"h1", "h2"}) host(name);
    link("h1", "l1");
    link("h2", "l2");
    for (const char* spine : {"s1", "s2"}) {
      link("l1", spine);
      link(spine, "l2");
    }
  }
  void down(const char* one, const char* other, int from, std::optional<int> to = std::nullopt) {
    scenario.faults.emplace_back(LinkDownFault{link_between(one, other), at(from), time(to), {}});
  }
  void down(const char* name, int from, std::optional<int> to = std::nullopt) {
    scenario.faults.emplace_back(SwitchDownFault{node(name), at(from), time(to), {}});
  }
  static Time at(int milliseconds) { return Time{0} + milliseconds * 1_ms; }
  static std::optional<Time> time(std::optional<int> milliseconds) {
    return milliseconds ? std::optional{at(*milliseconds)} : std::nullopt;
  }
  /// "10 without link l1 - s1, …" of all.
  [[nodiscard]] std::vector<std::string> told() const {
    std::vector<std::string> lines;
    for (const Reconvergence& one : reconvergences_of(scenario)) {
      lines.push_back(std::to_string((one.at - Time{0}).picoseconds() / 1'000'000'000) + " " + one.what);
    }
    return lines;
  }
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("switches learn of a failure and of its repair a reconvergence later each") {
  Fabric fabric;
  fabric.down("l1", "s1", 100, 200);
  fabric.down("s2", "l2", 150);
  CHECK(fabric.told() == Lines{"110 without link l1 - s1", "160 without link l2 - s2", "210 with link l1 - s1 again"});
  const auto all = reconvergences_of(fabric.scenario);
  const LinkId first = fabric.link_between("l1", "s1");
  const LinkId second = fabric.link_between("s2", "l2");
  CHECK(all[0].dead[first.index()]);
  CHECK_FALSE(all[0].dead[second.index()]);
  CHECK(all[1].dead[first.index()]);
  CHECK_FALSE(all[2].dead[first.index()]);
  CHECK(all[2].dead[second.index()]);
  CHECK(dead_links_at_last(fabric.scenario) == all[2].dead);
}

TEST_CASE("what has changed back within the reconvergence goes unnoticed") {
  Fabric fabric;
  fabric.down("l1", "s1", 100, 110);
  CHECK(fabric.told().empty());
  fabric.down("l1", "s2", 100, 111);
  CHECK(fabric.told() == Lines{"110 without link l1 - s2", "121 with link l1 - s2 again"});
}

TEST_CASE("a link that is up too briefly between two failures stays dead") {
  Fabric fabric;
  fabric.down("l1", "s1", 100, 150);
  fabric.down("l1", "s1", 155, 200);
  CHECK(fabric.told() == Lines{"110 without link l1 - s1", "210 with link l1 - s1 again"});
}

TEST_CASE("a switch is named in place of its links, those that failed before stand by themselves") {
  Fabric fabric;
  fabric.down("l1", "s1", 90, 300);
  fabric.down("s1", 100, 200);
  CHECK(fabric.told() == Lines{"100 without link l1 - s1", "110 without switch s1", "210 with switch s1 again",
                               "310 with link l1 - s1 again"});
  const auto all = reconvergences_of(fabric.scenario);
  CHECK(all[2].dead[fabric.link_between("l1", "s1").index()]);
  CHECK_FALSE(all[2].dead[fabric.link_between("s1", "l2").index()]);
}

TEST_CASE("a protection's outage counts where it is longer than the reconvergence") {
  Fabric fabric;
  ProtectionFault fault;
  fault.link = fabric.link_between("l1", "s1");
  fault.at = Fabric::at(100);
  fault.delay = 5_us;
  fault.outage = 10_ms;
  fabric.scenario.faults.emplace_back(fault);
  CHECK(fabric.told().empty());
  std::get<ProtectionFault>(fabric.scenario.faults.front()).outage = 50_ms;
  CHECK(fabric.told() == Lines{"110 without link l1 - s1", "160 with link l1 - s1 again"});
}

TEST_CASE("nobody learns of anything where reconvergence is never, and at once where it is 0") {
  Fabric fabric;
  fabric.down("l1", "s1", 100, 200);
  fabric.scenario.routing.reconvergence.reset();
  CHECK(fabric.told().empty());
  fabric.scenario.routing.reconvergence = 0_ms;
  CHECK(fabric.told() == Lines{"100 without link l1 - s1", "200 with link l1 - s1 again"});
}

TEST_CASE("cut off are the hosts outside the largest part, and of equal parts the first name stays") {
  Fabric fabric;
  const TopologyConfig& topology = fabric.scenario.topology;
  CHECK(cut_off_hosts(topology, std::vector<bool>(topology.links.size())).empty());
  fabric.down("l1", 0);
  CHECK(cut_off_hosts(topology, dead_links_at_last(fabric.scenario)) == std::vector<std::string>{"h2"});
  fabric.host("h3");
  fabric.link("h3", "l2");
  CHECK(cut_off_hosts(topology, dead_links_at_last(fabric.scenario)) == std::vector<std::string>{"h1"});
}
