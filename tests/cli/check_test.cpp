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

TEST_CASE("check of a training job ends with its plan, which run prints beside what it measures") {
  const ScenarioFolder folder;
  write_text(folder / "ddp.yaml", R"(name: ddp
topology: {parts: [{leaf_spine: {leaves: 1, spines: 1, hosts_per_leaf: 4}}]}
workload:
  - ddp: {hosts: 4, model: {parameters: 1e6}, backward: 1ms}
)");
  const CommandResult check = run_command(folder, "$SOYA check ddp.yaml");
  CHECK(check.status == 0);
  // 4 MB of gradients: 2 x 3/4 of it at 12.5 GB/s is 0.48 ms, x 4178/4096 with headers.
  CHECK(contains(check.out,
                 "\n# plan: ddp: backward 1.000 ms > data / bandwidth 0.480 ms, on the wire with headers 0.490 ms\n"));
  CHECK(contains(check.out, "\n# plan: headroom at leaf1 port host1 and "));
  // Read back, it is the same scenario with the same plan.
  write_text(folder / "effective.yaml", check.out);
  const CommandResult again = run_command(folder, "$SOYA check effective.yaml");
  CHECK(again.status == 0);
  const std::string plan = check.out.substr(check.out.find("\n# plan: "));
  CHECK(plan == again.out.substr(again.out.find("\n# plan: ")));
  CHECK(run_command(folder,
                    "for f in ddp effective; do $SOYA check $f.yaml | sed 's/ *#.*//' >$f.values; done; "
                    "cmp ddp.values effective.values && test -s ddp.values")
            .status == 0);
  // "N ms exposed of a step of M ms expected": the columns `plan` of the step table.
  const std::size_t at = plan.find("ddp: ", plan.find("headers")) + 5;
  const std::string exposed = plan.substr(at, plan.find(' ', at) - at);
  const std::string table = run_command(folder, "$SOYA run ddp.yaml --quiet").out;
  CHECK(contains(table.substr(table.find("exposed ms")), " " + exposed + " "));
}

TEST_CASE("check follows --set, --seed and --variant") {
  const ScenarioFolder folder;
  CHECK(contains(run_command(folder, "$SOYA check incast.yaml --seed 9").out, "\nseed: 9 "));
  const CommandResult variant = run_command(folder, "$SOYA check variants.yaml --variant long");
  CHECK(variant.status == 0);
  CHECK(contains(variant.out, "length: 300m"));
  CHECK_FALSE(contains(run_command(folder, "$SOYA check variants.yaml").out, "length: 300m"));
}

TEST_CASE("check names the variants that it does not print, and none where one alone is asked for") {
  const ScenarioFolder folder;
  const std::string line = "\n# Variants beside this base: long, starved; --variant NAME prints one\n# Memory: ";
  CHECK(contains(run_command(folder, "$SOYA check variants.yaml").out, line));
  CHECK_FALSE(contains(run_command(folder, "$SOYA check variants.yaml --variant long").out, "# Variants"));
  CHECK_FALSE(contains(run_command(folder, "$SOYA check incast.yaml").out, "# Variants"));
  std::string many = incast_yaml + "variants:\n";
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) many += std::string{"  "} + name + ": {seed: 2}\n";
  write_text(folder / "many.yaml", many);
  CHECK(contains(run_command(folder, "$SOYA check many.yaml").out, "beside this base: a, b, c, d, e and 2 more; "));
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
  const CommandResult check = run_command(folder, "$SOYA check v.yaml");
  CHECK(check.status == 2);
  CHECK(contains(check.err, "v.yaml:"));
  CHECK(contains(check.err, " (in variant \"tiny\")\n"));
  CHECK_FALSE(contains(run_command(folder, "$SOYA check v.yaml --variant tiny").err, "(in variant"));
  CHECK(run_command(folder, "$SOYA run v.yaml").status == 2);
}

TEST_CASE("a scenario too large for the limit is still printed, and exit 4 says it was not built") {
  const ScenarioFolder folder;
  const CommandResult check = run_command(folder, "$SOYA check incast.yaml --memory-limit 1KiB");
  CHECK(check.status == 4);
  CHECK(check.out.starts_with("name: 札幌-incast"));
  CHECK(contains(check.err, "and the limit is 1 KiB"));
}
