// soya check: the effective scenario without simulating.
#include <doctest/doctest.h>

#include "cli/scenarios.hpp"
#include "support/run_command.hpp"

using namespace soya::test;

TEST_CASE("check prints a scenario that reads back to itself, the memory it needs, and writes nothing") {
  const ScenarioFolder folder;
  const CommandResult check = run_command(folder, "$SOYA check incast.yaml");
  CHECK(check.status == 0);
  CHECK(check.out.starts_with("name: 札幌-incast  # incast.yaml:1:"));
  CHECK(contains(check.out, "\n# Memory: at most "));
  CHECK_FALSE(std::filesystem::exists(folder / "out"));
  write_text(folder / "effective.yaml", check.out);
  // Origins in comments differ, values do not.
  CHECK(run_command(
            folder,
            "$SOYA check effective.yaml | sed 's/ *#.*//' >a; $SOYA check incast.yaml | sed 's/ *#.*//' | cmp - a")
            .status == 0);
}

TEST_CASE("check follows --set, --seed and --variant") {
  const ScenarioFolder folder;
  CHECK(contains(run_command(folder, "$SOYA check incast.yaml --seed 9").out, "\nseed: 9 "));
  const CommandResult variant = run_command(folder, "$SOYA check variants.yaml --variant long");
  CHECK(variant.status == 0);
  CHECK(contains(variant.out, "length: 300m"));
  CHECK_FALSE(contains(run_command(folder, "$SOYA check variants.yaml").out, "length: 300m"));
}

TEST_CASE("what only building finds is exit 2 with its place, on check and on run alike") {
  const ScenarioFolder folder;
  const std::string set = " --set fabric.buffer.size=64KiB";
  const CommandResult check = run_command(folder, "$SOYA check incast.yaml" + set);
  CHECK(check.status == 2);
  CHECK(check.out.empty());
  CHECK(contains(check.err, "headroom"));
  const CommandResult run = run_command(folder, "$SOYA run incast.yaml" + set);
  CHECK(run.status == 2);
  CHECK(run.err == check.err);
  CHECK_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_CASE("a variant that cannot be built is found by check of the base") {
  const ScenarioFolder folder;
  write_text(folder / "v.yaml", incast_yaml + "variants:\n  tiny: {fabric.buffer.size: 64KiB}\n");
  CHECK(run_command(folder, "$SOYA check v.yaml").status == 2);
  CHECK(run_command(folder, "$SOYA run v.yaml").status == 2);
}

TEST_CASE("a scenario too large for the limit is still printed, and exit 4 says it was not built") {
  const ScenarioFolder folder;
  const CommandResult check = run_command(folder, "$SOYA check incast.yaml --memory-limit 1KiB");
  CHECK(check.status == 4);
  CHECK(check.out.starts_with("name: 札幌-incast"));
  CHECK(contains(check.err, "and the limit is 1 KiB"));
}
