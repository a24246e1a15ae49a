// soya headroom SCENARIO: what it prints, its exit statuses, threads and interrupts.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/scenarios.hpp"
#include "support/run_command.hpp"
#include "support/snapshot.hpp"

using namespace soya::test;
using Json = nlohmann::ordered_json;

namespace {

/// 63 hosts send to the 64th, WRITEs of 1 MiB at mtu 4096: First frames of F = 4174 B, W = 4194, and Middle frames of
/// 4158 B, 4178 on the wire. Host links of 3 m at 100G (12.5 B/ns), response 394 quanta of 64 B:
///   A = 2 x 15 ns x 12.5 + 4194 + 84 + 25 216 = 29 869;  auto = A + 2 F = 38 217;
///   ceil(A / W) = 8 frames, 9 with the dynamic threshold: 37 566 in the worst case.
/// Here frames are Middle ones: ceil(29 853 / 4178) = 8 of 4158 B = 33 264 B. (A PAUSE waits for acknowledges at most,
/// but other groups' frames lower the threshold.)
const std::string incast64_yaml = R"(name: incast64
topology:
  parts:
    - leaf_spine:
        leaves: 1
        spines: 1
        hosts_per_leaf: 64
        host_link: {rate: 100Gbps, length: 3m}
        fabric_link: {rate: 400Gbps, length: 30m}
workload:
  - incast: {receiver: host64, senders: 63, size: 1MiB}
)";

struct Incast64 : TemporaryFolder {
  Incast64() { write_text(path() / "incast64.yaml", incast64_yaml); }
};

CommandResult headroom(const TemporaryFolder& folder, const std::string& options = "") {
  return run_command(folder, "timeout 60 $SOYA headroom incast64.yaml --quiet " + options);
}

}  // namespace

TEST_CASE("64 ports, as they are printed, in less than a minute, the same on one thread and on two") {
  const Incast64 folder;
  const CommandResult one = headroom(folder, "--threads 1");
  CHECK(one.status == 0);
  CHECK(one.err.empty());
  check_snapshot("cli/snapshots/headroom_incast64.txt", one.out);
  CHECK(headroom(folder, "--threads 2").out == one.out);
  CHECK(headroom(folder).out == one.out);
  CHECK(contains(one.out, "  leaf1 port host1         64  100Gbps      3m  38 217 B    38 217 B  response 66 %\n"));
}

TEST_CASE("headroom as JSON has every port, budget, measure and answer") {
  const Incast64 folder;
  const CommandResult run = headroom(folder, "--json --threads 2");
  CHECK(run.status == 0);
  const Json json = Json::parse(run.out);
  CHECK(json["name"] == "incast64");
  CHECK(json["complete"] == true);
  CHECK(json["lossless_drops"] == 0);
  REQUIRE(json["ports"].size() == 66);
  const Json& port = json["ports"][0];
  CHECK(port["node"] == "leaf1");
  CHECK(port["port"] == "host1");
  CHECK(port["mode"] == "per-queue");
  CHECK(port["one_way_ps"] == 15'000);
  CHECK(port["budget"]["auto_bytes"] == 38'217);
  CHECK(port["budget"]["tight_dynamic_bytes"] == 37'566);
  CHECK(port["configured_bytes"] == 38'217);
  CHECK(port["smallest_worst_case_bytes"] == 37'566);
  CHECK(port["smallest_here"]["bytes"] == 33'264);
  CHECK(json["ports"][64]["port"] == "spine1");
  CHECK(json["ports"][64]["smallest_here"]["bytes"] == 0);
  CHECK(json["pools"].empty());
}

TEST_CASE("headroom that is too small is exit 3, and says so first") {
  const Incast64 folder;
  const CommandResult run = run_command(folder, "$SOYA headroom incast64.yaml --set fabric.headroom.size=2KiB");
  CHECK(run.status == 3);
  CHECK(run.out.starts_with("incast64: LOSES FRAMES with the headroom configured\n  - lossless drop at leaf1 port "));
  CHECK(contains(run.out, "  33 264 B "));
  CHECK(contains(run.err, "warning: switch leaf1 port "));
  CHECK(contains(run.err, " runs of the scenario in "));
  // Here, as alone, a byte less than the answer loses frames and the answer does not.
  const std::string size = "--set fabric.headroom.size=";
  CHECK(headroom(folder, size + "33264B").status == 0);
  CHECK(headroom(folder, size + "33263B").status == 3);
}

TEST_CASE("a shared pool is told by how many groups it covers and how many used it") {
  const Incast64 folder;
  const CommandResult run =
      headroom(folder, "--set fabric.headroom.mode=shared-pool --set fabric.headroom.oversubscribe=4");
  CHECK(run.status == 3);
  // (64 x 38 217 + 85 546) / 4 = 632 858.5 B, rounded up. The spine's port needs 83 480 B (20 frames) in the worst
  // case, each host's 37 566: 83 480 + 14 x 37 566 = 609 404 fits, one more does not: 15 groups whichever they are.
  CHECK(contains(run.out, "\n  leaf1           632 859 B  15 of 65 groups     63 groups  "));
  const CommandResult json =
      headroom(folder, "--json --set fabric.headroom.mode=shared-pool --set fabric.headroom.pool=3MB");
  CHECK(json.status == 0);
  const Json pool = Json::parse(json.out)["pools"][0];
  CHECK(pool["nodes"] == Json{"leaf1"});
  CHECK(pool["pool_bytes"] == 3'000'000);
  CHECK(pool["groups_covered"] == 65);  // 64 x 37 566 + 83 480 = 2 487 704
  CHECK(pool["groups_peak"] == 63);
  CHECK(pool["smallest_here"]["bytes"] <= pool["peak_bytes"]);
}

TEST_CASE("--all prints a row for each port") {
  const Incast64 folder;
  CHECK(run_command(folder, "$SOYA headroom incast64.yaml --quiet --all | grep -c ' port [hls]'").out == "132\n");
  CHECK(run_command(folder, "$SOYA headroom incast64.yaml --quiet | grep -c ' port [hls]'").out == "4\n");
}

TEST_CASE("the base is searched, its variants are named, and one can be asked for") {
  const ScenarioFolder folder;
  const CommandResult base = run_command(folder, "$SOYA headroom variants.yaml");
  CHECK(base.status == 0);
  CHECK(contains(base.err, "soya: the base alone is searched; --variant NAME searches one of long, starved\n"));
  const CommandResult starved = run_command(folder, "$SOYA headroom variants.yaml --variant starved");
  CHECK(starved.status == 3);
  CHECK(contains(starved.out, ", variant starved: LOSES FRAMES with the headroom configured\n"));
}

TEST_CASE("a scenario may come through a pipe, and what needs more memory than allowed is refused") {
  const ScenarioFolder folder;
  const CommandResult piped = run_command(folder, "cat incast.yaml | $SOYA headroom /dev/stdin --quiet");
  CHECK(piped.status == 0);
  CHECK(piped.out == run_command(folder, "$SOYA headroom incast.yaml --quiet").out);
  const CommandResult refused = run_command(folder, "$SOYA headroom incast.yaml --memory-limit 1KiB");
  CHECK(refused.status == 4);
  CHECK(contains(refused.err, "and the limit is 1 KiB."));
}

TEST_CASE("Ctrl-C ends a search with what there is and what is missing") {
  const ScenarioFolder folder;
  const std::string command = "$SOYA headroom long.yaml --json & p=$!\nsleep 1\nkill -INT $p; wait $p";
  const CommandResult run = run_command(folder, command);
  CHECK(run.status == 130);
  CHECK(contains(run.err, "soya: interrupted; missing: the rest of the run, smallest here of s1 port h1, "));
  CHECK(Json::parse(run.out)["complete"] == false);
}

namespace {

/// A host that sends to another, and an idle one whose link takes `delay` one way.
void write_far_host(const TemporaryFolder& folder, const std::string& delay) {
  write_text(folder / "far.yaml",
             "name: far\n"
             "topology:\n"
             "  nodes: {a: host, b: host, far: host, s: switch}\n"
             "  links: [{between: [a, s]}, {between: [b, s]}, {between: [far, s], delay: " +
                 delay +
                 "}]\n"
                 "fabric: {buffer: {size: 1GiB, threshold: 1MB}, headroom: {size: 1MB}}\n"
                 "workload: [{flows: [{from: a, to: b, size: 1MB}]}]\n");
}

}  // namespace

TEST_CASE("Ctrl-C ends the search of a worst case, which may be the longest") {
  const TemporaryFolder folder;
  // 2 x 300 ms at 100 Gbps are 7.5 GB: 1.8 million frames in each of 5 phases, several times over.
  write_far_host(folder, "300ms");
  const CommandResult run =
      run_command(folder, "$SOYA headroom far.yaml --json & p=$!\nsleep 1\nkill -INT $p; wait $p");
  CHECK(run.status == 130);
  CHECK(contains(run.err, "smallest in the worst case of s port far"));
  CHECK(Json::parse(run.out)["complete"] == false);
}

TEST_CASE("a worst case that is too large to simulate leaves all other answers") {
  const TemporaryFolder folder;
  // 2 x 1 s at 100 Gbps are 25 GB: 6 million frames.
  write_far_host(folder, "1s");
  const CommandResult text = run_command(folder, "$SOYA headroom far.yaml --quiet");
  CHECK(text.status == 0);
  CHECK(contains(text.out, "0 B            0 B   too large               -\n"));
  CHECK(contains(text.out,
                 "too large: more than 4 194 304 frames in flight, or 128 GiB of headroom, are not simulated."));
  const Json json = Json::parse(run_command(folder, "$SOYA headroom far.yaml --quiet --json").out);
  CHECK(json["complete"] == true);
  CHECK(json["ports"][0]["worst_case_too_large"] == false);
  CHECK(json["ports"][2]["worst_case_too_large"] == true);
  CHECK(json["ports"][2]["smallest_worst_case_bytes"].is_null());
}

TEST_CASE("what does not go together with a SCENARIO is refused") {
  const Incast64 folder;
  const auto refusal = [&](const std::string& arguments) {
    const CommandResult run = run_command(folder, "$SOYA headroom " + arguments);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    return run.err;
  };
  const std::string hint = "Try: soya headroom --help\n";
  CHECK(refusal("incast64.yaml --rate 100Gbps") ==
        "soya headroom: --rate beside a SCENARIO, which has its own; leave out one\n" + hint);
  CHECK(refusal("--rate 100Gbps --length 5m --seed 2") ==
        "soya headroom: --seed without a SCENARIO; name a YAML file\n" + hint);
  CHECK(refusal("--rate 100Gbps --length 5m --threads 2") ==
        "soya headroom: --threads without a SCENARIO or --table; a link is no simulation\n" + hint);
  CHECK(refusal("incast64.yaml other.yaml") ==
        "soya headroom: one SCENARIO at a time; \"other.yaml\" is one too many\n" + hint);
  CHECK(contains(refusal("incast64.yaml --threads 0"), "--threads: expected a number of threads from 1 to 1024"));
  CHECK(contains(refusal("incast64.yaml --set 'fabric.pfc.priorities=[]'"),
                 "fabric.pfc.priorities: no switch port is lossless, so none has headroom"));
}
