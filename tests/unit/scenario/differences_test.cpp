#include "scenario/differences.hpp"

#include <doctest/doctest.h>

#include "core/diagnostic.hpp"

using namespace soya;

namespace {

std::string text(const std::vector<KeyDifference>& differences) {
  std::string all;
  for (const KeyDifference& each : differences) {
    all += each.path + ": " + each.before.value_or("-") + " -> " + each.after.value_or("-") + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("keys that differ are told with both values, name and seed are not") {
  const std::string before =
      "name: a\nseed: 1\ntopology:\n  parts:\n    - leaf_spine:\n        spines: 2  # default\n        leaves: 4\n";
  const std::string after =
      "name: b\nseed: 2\ntopology:\n  parts:\n    - leaf_spine:\n        spines: 4\n        leaves: 4\n";
  CHECK(text(key_differences(before, after)) == "topology.parts[0].leaf_spine.spines: 2 -> 4\n");
  CHECK(key_differences(before, before).empty());
}

TEST_CASE("a key that one side lacks, and lists of values as a whole") {
  const std::string before = "pfc: {priorities: [3]}\nnic: {window: 5}\nfaults: []\n";
  const std::string after = "pfc: {priorities: [3, 4]}\nfaults:\n  - link_down: {between: [a, b], at: 1ms}\n";
  CHECK(text(key_differences(before, after)) ==
        "pfc.priorities: [3] -> [3, 4]\n"
        "nic.window: 5 -> -\n"
        "faults: [] -> -\n"
        "faults[0].link_down.between: - -> [a, b]\n"
        "faults[0].link_down.at: - -> 1ms\n");
}

TEST_CASE("one value by its path") {
  CHECK(effective_value("expect: unsound\nstop: {after: 1s}\n", "expect") == "unsound");
  CHECK(effective_value("stop: {after: 1s}\n", "stop.after") == "1s");
  CHECK_FALSE(effective_value("stop: {after: 1s}\n", "expect"));
}

TEST_CASE("a text that is no YAML is refused") {
  CHECK_THROWS_AS(key_differences("a: [1", "a: 1"), ScenarioError);
}
