#include "sweep/point_id.hpp"

#include <doctest/doctest.h>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

TEST_CASE("a text's identity is a name-based UUID: that of python's uuid.uuid5") {
  // python3 -c 'import uuid; print(uuid.uuid5(uuid.NAMESPACE_OID, "soya").hex)'
  CHECK(text_id("soya") == "2706eff27af853ba946bff480fbd681a");
}

TEST_CASE("the same values from other files are the same point, and another value, version or task is not") {
  const ScenarioFolder folder;
  folder.write("a/s.yaml", std::string{two_hosts} + "name: s\nfabric: {mtu: 1024}\n");
  folder.write("b/s.yaml", std::string{two_hosts} + "name: s\n");
  const Scenario a = folder.read("a/s.yaml");
  const std::string id = point_id(a, "1", "run");
  CHECK(id.size() == 32);
  CHECK(point_id(folder.read("b/s.yaml", {.sets = {"fabric.mtu=1024"}}), "1", "run") == id);
  CHECK(point_id(folder.read("b/s.yaml", {.sets = {"fabric.mtu=2048"}}), "1", "run") != id);
  CHECK(point_id(folder.read("a/s.yaml", {.seed = 2}), "1", "run") != id);
  CHECK(point_id(a, "2", "run") != id);
  CHECK(point_id(a, "1", "smallest fabric.mtu") != id);
}
