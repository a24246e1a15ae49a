#include "scenario/key_places.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace soya::reading;

namespace {

using Paths = std::vector<std::string>;

Paths paths_of(std::string_view asked) {
  Paths paths;
  for (const KnownKey& known : find_keys(asked)) paths.push_back(known.place.path);
  return paths;
}

}  // namespace

TEST_CASE("the places hold every declared key, each path once") {
  std::set<std::string> paths;
  std::set<const Key*> keys;
  for (const KeyPlace& place : key_places()) {
    CHECK_MESSAGE(paths.insert(place.path).second, place.path);
    keys.insert(place.key);
  }
  for (const SectionKeys& section : all_sections()) {
    for (const Key& key : section.own) CHECK_MESSAGE(keys.count(&key) == 1, section.place << ": " << key.name);
  }
  for (const char* path : {"seed", "topology.switches.*.buffer.size", "hosts.*.receive.rate", "topology.links[].rate",
                           "workload[].flows[].size", "workload[].ddp.model.tensors[].elements"}) {
    CHECK_MESSAGE(paths.count(path) == 1, path);
  }
}

TEST_CASE("a path may leave out its beginning and its indices and name what * stands for") {
  for (const char* asked : {"fabric.headroom.size", "headroom.size", "switches.leaf1.headroom.size",
                            "switches.\"leaf.1\".headroom.size", "topology.switches.*.headroom.size"}) {
    CHECK_MESSAGE(paths_of(asked) == Paths{"fabric.headroom.size"}, asked);
  }
  for (const char* asked : {"workload[0].ddp.bucket", "workload[].ddp.bucket", "workload.ddp.bucket", "ddp.bucket"}) {
    CHECK_MESSAGE(paths_of(asked) == Paths{"workload[].ddp.bucket"}, asked);
  }
  CHECK(paths_of("hosts.h1.queue_depth") == Paths{"nic.queue_depth"});
  CHECK(paths_of("workload[1].flows[2].start") == Paths{"workload[].flows.list[].start"});
  CHECK(find_keys("headroom.size").front().also ==
        Paths{"topology.switches.*.headroom.size", "switches.*.headroom.size"});
}

TEST_CASE("a name in several places lists them, the one at the top first") {
  CHECK(paths_of("rate") == Paths{"topology.link_types.*.rate", "nic.receive.rate"});
  CHECK(paths_of("switches") == Paths{"switches", "topology.parts[].ring.switches", "topology.switches"});
  CHECK(find_keys("switches").front().from_top);
  CHECK_FALSE(find_keys("switches").back().from_top);
  CHECK(paths_of("switches.leaf1").front() == "switches");
  CHECK_FALSE(find_keys("rate").front().from_top);
  CHECK(paths_of("leaf1.latency").empty());
  CHECK(paths_of("").empty());
  CHECK(paths_of("fabric.headroom.size.x").empty());
}

TEST_CASE("a misspelt path is told the nearest, another tool's word ours, a wrong place the right ones") {
  CHECK(near_keys("fabric.headrom.size") == Paths{"fabric.headroom.size"});
  CHECK(near_keys("ddp.buckt") == Paths{"workload[].ddp.bucket"});
  CHECK(near_keys("nic.tx_depth") == Paths{"nic.queue_depth"});
  CHECK(near_keys("receive.bandwidth") == Paths{"nic.receive.rate"});
  CHECK(near_keys("fabric.queue_depth") == Paths{"nic.queue_depth"});
  CHECK(near_keys("frobnicate").empty());
}

TEST_CASE("a key as one line of YAML") {
  CHECK(yaml_line("seed", "1") == "seed: 1");
  CHECK(yaml_line("fabric.headroom.size", "64KiB") == "fabric: {headroom: {size: 64KiB}}");
  CHECK(yaml_line("workload[].ddp.bucket", "25MiB") == "workload: [{ddp: {bucket: 25MiB}}]");
  CHECK(yaml_line("workload[].flows.list[].to", "h2") == "workload: [{flows: {list: [{to: h2}]}}]");
  CHECK(yaml_line("topology.link_types.*.rate", "1Gbps") == "topology: {link_types: {NAME: {rate: 1Gbps}}}");
}
