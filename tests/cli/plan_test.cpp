// soya plan: loads, bounds and estimates without simulating.
#include <doctest/doctest.h>

#include "cli/scenarios.hpp"
#include "support/run_command.hpp"

using namespace soya::test;

namespace {

/// Two leaves, two spines, two hosts each, 100 Gbps; one flow of 10 full packets of 1000 B across.
constexpr const char* across = R"(name: across
topology: {parts: [{leaf_spine: {leaves: 2, spines: 2, hosts_per_leaf: 2}}]}
fabric: {mtu: 1000}
workload:
  - flows: {list: [{from: host1, to: host3, size: 10kB}]}
)";

}  // namespace

TEST_CASE(
    "plan of training begins with the condition and names the bottleneck, tiers and headroom, and writes nothing") {
  const ScenarioFolder folder;
  write_text(folder / "ddp.yaml", R"(name: ddp
topology: {parts: [{leaf_spine: {leaves: 1, spines: 1, hosts_per_leaf: 4}}]}
workload:
  - ddp: {hosts: 4, model: {parameters: 1e6}, backward: 1ms}
)");
  const CommandResult plan = run_command(folder, "$SOYA plan ddp.yaml");
  CHECK(plan.status == 0);
  CHECK(plan.err.empty());
  // 4 MB of gradients: 2 x 3/4 of it at 12.5 GB/s is 0.48 ms.
  CHECK(
      plan.out.starts_with("ddp: backward 1.000 ms > data / bandwidth 0.480 ms, on the wire with headers 0.490 ms\n"));
  CHECK(contains(plan.out, "\nddp: planned, not simulated; seed 1\n"));
  CHECK(contains(plan.out, "the bottleneck is host1 > leaf1 with "));
  CHECK(contains(plan.out, "\nLoads by tiers\n"));
  CHECK(contains(plan.out, "\nHottest links\n"));
  CHECK(contains(plan.out, "\nheadroom at leaf1 port host1 and "));
  CHECK(contains(plan.out, "\nPFC frames are in no load.\n"));
  CHECK_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_CASE("plan --json has every link with its bytes by kind, which a run then puts there") {
  const ScenarioFolder folder;
  write_text(folder / "across.yaml", across);
  const CommandResult plan =
      run_command(folder,
                  "$SOYA plan across.yaml --json | jq -c '[.links[] | select(.from == \"host1\" or .to == \"host1\") | "
                  "[.from, .to, .data_bytes, .acknowledge_bytes, .control_bytes, .acknowledges_exact]]'");
  CHECK(plan.status == 0);
  // WRITE: 10 x (62 + 1000 + 20) + 16 there, one acknowledge of 86 B back.
  CHECK(plan.out == "[[\"host1\",\"leaf1\",10836,0,0,true],[\"leaf1\",\"host1\",0,86,0,true]]\n");
  CHECK(run_command(folder, "$SOYA run across.yaml --quiet").status == 0);
  const CommandResult rows = run_command(
      folder,
      "sqlite3 out/across/results.sqlite 'select wire_bytes - pfc_bytes, plan_bytes from link where "
      "wire_bytes > 0 and wire_bytes - pfc_bytes <> plan_bytes; select count(*) from link where plan_bytes > 0'");
  CHECK(rows.out == "8\n");  // four links there, four back, and none that differs
}

TEST_CASE("a run shows the tiers whose switches have a choice, and which links idle") {
  const ScenarioFolder folder;
  write_text(folder / "across.yaml", across);
  const CommandResult run = run_command(folder, "$SOYA run across.yaml");
  CHECK(run.status == 0);
  CHECK(contains(run.out, "\nLinks that switches choose among, by tiers\n"));
  // One flow and its acknowledges: an uplink of each leaf is used, the other idles.
  CHECK(contains(run.out, "  2 of 4 links from leaf to spine carry nothing: leaf1 > spine"));
  const CommandResult tiers =
      run_command(folder,
                  "jq -c '[.tiers[] | [.from, .to, .links, .choice, .unused_links, .plan_unused_links]]' "
                  "out/across/summary.json");
  CHECK(tiers.out ==
        "[[\"host\",\"leaf\",4,false,2,2],[\"leaf\",\"host\",4,false,2,2],[\"leaf\",\"spine\",4,true,2,2],"
        "[\"spine\",\"leaf\",4,false,2,2]]\n");
}

TEST_CASE("plan --after-faults shows the remaining links, and says what is missing") {
  const ScenarioFolder folder;
  write_text(folder / "across.yaml", across);
  const CommandResult none = run_command(folder, "$SOYA plan across.yaml --after-faults");
  CHECK(none.status == 2);
  CHECK(none.out.empty());
  CHECK(none.err ==
        "warning: workload: 2 hosts have no work: host2, host4; check that this is meant\n"
        "soya plan: --after-faults: no fault of across.yaml lasts: a link_down without `until` does, such as "
        "{link_down: {between: [leaf1, spine1], at: 1ms}}\nTry: soya plan --help\n");

  const std::string faulty = std::string{across} + "faults:\n  - link_down: {between: [leaf1, spine1], at: 1ms}\n";
  write_text(folder / "faulty.yaml", faulty);
  const CommandResult plan = run_command(folder, "$SOYA plan faulty.yaml --after-faults");
  CHECK(plan.status == 0);
  CHECK(contains(plan.out, "\nWith the remaining links, from the start on\n"));
  const CommandResult json =
      run_command(folder,
                  "$SOYA plan faulty.yaml --after-faults --json | jq -c '[.after_faults.links[] | "
                  "select(.name == \"leaf1 > spine1\" or .name == \"leaf1 > spine2\") | .load_bytes]'");
  CHECK(json.out == "[0,10836]\n");

  write_text(folder / "cut.yaml", std::string{across} + "faults:\n  - link_down: {between: [host3, leaf2], at: 1ms}\n");
  const CommandResult cut = run_command(folder, "$SOYA plan cut.yaml --after-faults");
  CHECK(cut.status == 2);
  CHECK(contains(cut.err, "with the remaining links there is no path host1 -> host3\n"));
}

TEST_CASE("plan of a pair of hosts without a path is bad input, as a run's") {
  const ScenarioFolder folder;
  write_text(folder / "parts.yaml", R"(name: parts
topology: {nodes: {a: host, b: host, c: host, d: host}, links: [{between: [a, b]}, {between: [c, d]}]}
workload:
  - flows: {list: [{from: a, to: c, size: 1kB}]}
)");
  const CommandResult plan = run_command(folder, "$SOYA plan parts.yaml");
  CHECK(plan.status == 2);
  CHECK(contains(plan.err, "no path a -> c (components 1, 2)"));
}
