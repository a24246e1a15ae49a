// soya compare: what differs in the input, what changed in the outcome, and what seeds explain.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/scenarios.hpp"
#include "support/run_command.hpp"

using namespace soya::test;
using Json = nlohmann::ordered_json;

namespace {

/// Eight flows between two leaves over as many paths as there are spines: hash luck decides how many share one.
const std::string hashed_yaml = R"(name: hashed
topology:
  link_types: {cable: {rate: 100Gbps, length: 10m}}
  parts:
    - leaf_spine: {leaves: 2, spines: 2, hosts_per_leaf: 8, host_link: cable, fabric_link: cable}
workload:
  - flows:
)";

std::string hashed() {
  std::string text = hashed_yaml;
  for (int k = 1; k <= 8; ++k) {
    text += "    - {from: host" + std::to_string(k) + ", to: host" + std::to_string(k + 8) + ", size: 256KiB}\n";
  }
  return text;
}

const Json& outcome_of(const Json& json, const std::string& name, std::size_t side = 0) {
  for (const Json& each : json["against_first"][side]["outcome"]) {
    if (each["name"] == name) return each;
  }
  FAIL("no quantity " << name);
  return json;
}

std::size_t changes(const Json& json, std::size_t side = 0) {
  std::size_t count = 0;
  for (const Json& each : json["against_first"][side]["outcome"])
    if (each["finding"] != "no_change") ++count;
  return count;
}

}  // namespace

TEST_CASE("a change in one line: the cause first, then what changed, the largest first") {
  const ScenarioFolder folder;
  const CommandResult run =
      run_command(folder, "$SOYA compare incast.yaml --with topology.link_types.access.rate=200Gbps --quiet");
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  CHECK(
      run.out.starts_with("  A  incast.yaml: 8 seeds, 1 to 8\n"
                          "  B  incast.yaml with topology.link_types.access.rate=200Gbps: 8 seeds, 1 to 8\n"
                          "\n"
                          "What differs in the input\n"
                          "  key                              A        B\n"
                          "  topology.link_types.access.rate  100Gbps  200Gbps\n"
                          "\n"
                          "What changed in the outcome, the largest first\n"));
  const Json json = Json::parse(
      run_command(folder, "$SOYA compare incast.yaml --with topology.link_types.access.rate=200Gbps --json").out);
  // The same packets at twice the rate: the fastest flow is twice as fast, but for the way there and back.
  CHECK(outcome_of(json, "rate of the fastest flow")["relative"] > 0.9);
  CHECK(outcome_of(json, "rate of the fastest flow")["finding"] == "change");
  CHECK(outcome_of(json, "transfers finished")["finding"] == "no_change");
  double before = INFINITY;
  for (const Json& each : json["against_first"][0]["outcome"]) {
    if (each["finding"] != "change" || each["relative"].is_null()) continue;
    const double relative = std::abs(each["relative"].get<double>());
    CHECK(relative <= before);
    before = relative;
  }
}

TEST_CASE("a scenario against itself under other seeds: nothing is called a change, however the hashes fall") {
  const ScenarioFolder folder;
  write_text(folder / "hashed.yaml", hashed());
  bool differs = false;
  for (const char* seed : {"9", "14", "40", "1000"}) {
    const std::string with = std::string{" --with seed="} + seed;
    const Json json = Json::parse(run_command(folder, "$SOYA compare hashed.yaml --json" + with).out);
    CHECK(changes(json) == 0);
    CHECK(json["against_first"][0]["input"].empty());
    const Json& slowest = outcome_of(json, "slowdown max");
    differs = differs || slowest["before"] != slowest["after"];
  }
  CHECK(differs);  // else there was nothing that could have been called one
  const std::string text = run_command(folder, "$SOYA compare hashed.yaml --with seed=9").out;
  CHECK(contains(text, "What differs in the input\n  nothing but the seed\n"));
  CHECK(contains(text, "What changed in the outcome, the largest first\n  nothing\n"));
}

TEST_CASE("results of two runs: a difference, without a word on chance") {
  const ScenarioFolder folder;
  REQUIRE(run_command(folder,
                      "$SOYA run incast.yaml --out a && $SOYA run incast.yaml --set fabric.buffer.size=1MiB "
                      "--out b && $SOYA run incast.yaml --seed 2 --out c")
              .status == 0);
  const CommandResult run = run_command(folder, "$SOYA compare a b");
  CHECK(run.status == 0);
  CHECK(contains(run.out, "  fabric.buffer.size  32MiB  1MiB\n"));
  CHECK(contains(run.out, "What is different in the outcome, the largest first\n"));
  CHECK(contains(run.out, "One run on each side"));
  const Json reseeded = Json::parse(run_command(folder, "$SOYA compare a c --json").out);
  CHECK(changes(reseeded) == 0);
  const Json itself = Json::parse(run_command(folder, "$SOYA compare a a/results.sqlite --json").out);
  for (const Json& each : itself["against_first"][0]["outcome"]) CHECK(each["before"] == each["after"]);
}

TEST_CASE("results of several seeds are one side, and a scenario beside them runs under their seeds") {
  const ScenarioFolder folder;
  REQUIRE(run_command(folder, "$SOYA run incast.yaml --seed 7 --out a7 && $SOYA run incast.yaml --seed 5 --out a5")
              .status == 0);
  const Json json = Json::parse(run_command(folder, "$SOYA compare a7,a5 incast.yaml --json").out);
  for (const Json& side : json["sides"]) {
    REQUIRE(side["runs"].size() == 2);
    CHECK(side["runs"][0]["seed"] == 5);
    CHECK(side["runs"][1]["seed"] == 7);
  }
  CHECK(json["sides"][0]["runs"][1]["fingerprint"] == json["sides"][1]["runs"][1]["fingerprint"]);
}

TEST_CASE("one scenario alone is compared with its variants, and an expected loss stays exit 0") {
  const ScenarioFolder folder;
  const CommandResult run = run_command(folder, "$SOYA compare variants.yaml --seeds 2");
  CHECK(run.status == 0);
  CHECK(contains(run.out, "  B  variants.yaml@long: 2 seeds, 1 to 2\n"));
  CHECK(contains(run.out, "  C  variants.yaml@starved: 2 seeds, 1 to 2\n"));
  CHECK(contains(run.out, "2 of 2 runs: NOT SOUND, as the scenario expects: lossless drop at s1 "));
  CHECK(contains(run.out, "\nWhat differs in the input of C against A\n"));
  const CommandResult two = run_command(folder, "$SOYA compare variants.yaml variants.yaml@long --seeds 1 --json");
  CHECK(Json::parse(two.out)["sides"][1]["runs"][0]["variant"] == "long");
  REQUIRE(run_command(folder, "$SOYA run variants.yaml --out o").status == 0);
  CHECK(contains(run_command(folder, "$SOYA compare o").out, "  B  o@long: seed 1\n"));
}

TEST_CASE("a run that is not sound makes exit 3") {
  const ScenarioFolder folder;
  const CommandResult run = run_command(
      folder,
      "$SOYA compare incast.yaml --seeds 1 --with fabric.buffer.threshold=4KiB --with fabric.headroom.size=64B");
  CHECK(run.status == 3);
  CHECK(contains(run.out, "NOT SOUND: lossless drop at s1 "));
}

TEST_CASE("the same bytes on one thread and on three") {
  const ScenarioFolder folder;
  write_text(folder / "hashed.yaml", hashed());
  const std::string command = "$SOYA compare hashed.yaml --with fabric.latency=1us --json --seeds 3 --threads ";
  CHECK(run_command(folder, command + "1").out == run_command(folder, command + "3").out);
}

TEST_CASE("what cannot be compared is refused with what to write") {
  const ScenarioFolder folder;
  REQUIRE(run_command(folder, "$SOYA run incast.yaml --out a && $SOYA run incast.yaml --seed 2 --out b").status == 0);
  const auto refusal = [&](const std::string& arguments) {
    const CommandResult run = run_command(folder, "$SOYA compare " + arguments);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    return run.err;
  };
  CHECK(refusal("") == "soya compare: compare what? Name scenarios, or folders of results\nTry: soya compare --help\n");
  CHECK(refusal("incast.yaml") ==
        "soya compare: incast.yaml has no variants; name a second side, or change keys: --with PATH=VALUE\n"
        "Try: soya compare --help\n");
  CHECK(refusal("incast.yaml long.yaml --with seed=2") ==
        "soya compare: --with makes the second side of one scenario; name one, or leave --with out\n"
        "Try: soya compare --help\n");
  CHECK(refusal("a --with seed=2") == "a: --with changes a scenario, and these are results\n");
  CHECK(refusal("a a,b") == "a has 1 run and a,b has 2; runs are paired by seed, so name as many of each\n");
  CHECK(refusal("a,incast.yaml a") == "incast.yaml: is no folder of results; a list names results of several seeds\n");
  CHECK(refusal("a@fast b") == "a/results.sqlite: has no variant \"fast\"; it has none\n");
  CHECK(refusal("variants.yaml@lonk a").find("unknown variant \"lonk\"") != std::string::npos);
  CHECK(refusal(". a") == "./results.sqlite: cannot be opened: unable to open database file\n");
  CHECK(refusal("a@ b") == "a@: the name of a variant stands behind @; add it, or take the @ out\n");
  CHECK(refusal("a, b") == "a,: a comma without a folder beside it; take it out\n");
  CHECK(refusal("a,a b,b") == "a,a: two results of seed 1; name one result of each seed\n");
  CHECK(refusal("a b --set seed=2") == "a is a result: --set changes scenarios, and there is none; leave it out\n");
  CHECK(refusal("incast.yaml a --seeds 3") ==
        "a is a result: scenarios beside it run under its seeds; leave --seeds out\n");
  CHECK(refusal("a incast.yaml --seed 3") ==
        "a is a result: scenarios beside it run under its seeds; leave --seed out\n");
  CHECK(refusal("none.yaml a").find("none.yaml") == 0);
  CHECK(refusal("incast.yaml --with fabric.bufer.size=1MiB").find("unknown key") != std::string::npos);
  CHECK(contains(refusal("a b --seeds 0"), "--seeds: expected a number of runs from 1 to 1000, got \"0\""));
}

TEST_CASE("files and variants may have @ and commas in their names") {
  const ScenarioFolder folder;
  const std::string text = "extends: incast.yaml\nvariants: {'f@st, too': {fabric.mtu: 1024}}\n";
  write_text(folder / "odd@one, too.yaml", text);
  const std::string compare = "$SOYA compare --seeds 1 --quiet ";
  const CommandResult alone = run_command(folder, compare + "'odd@one, too.yaml'");
  CHECK(alone.status == 0);
  CHECK(alone.out.starts_with("  A  odd@one, too.yaml: seed 1\n  B  odd@one, too.yaml@f@st, too: seed 1\n"));
  const CommandResult named = run_command(folder, compare + "incast.yaml 'odd@one, too.yaml@f@st, too'");
  CHECK(named.status == 0);
  CHECK(contains(named.out, "  fabric.mtu  4096"));
  REQUIRE(run_command(folder, "$SOYA run 'odd@one, too.yaml' --out 'out@x, y'").status == 0);
  const CommandResult stored = run_command(folder, "$SOYA compare --quiet 'out@x, y'");
  CHECK(stored.status == 0);
  CHECK(contains(stored.out, "  B  out@x, y@f@st, too: seed 1\n"));
}

TEST_CASE("a result without its run is refused, however many other rows it has") {
  const ScenarioFolder folder;
  REQUIRE(
      run_command(folder, "$SOYA run incast.yaml --out a && cp -r a b && sqlite3 b/results.sqlite 'DELETE FROM run'")
          .status == 0);
  const CommandResult run = run_command(folder, "$SOYA compare b a");
  CHECK(run.status == 2);
  CHECK(run.err == "b/results.sqlite: holds no run; run the scenario again\n");
}
