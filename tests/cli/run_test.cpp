// soya run: exit statuses, what goes where, variants.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/scenarios.hpp"
#include "support/run_command.hpp"
#include "support/sqlite_reader.hpp"

using namespace soya::test;
using Json = nlohmann::ordered_json;

TEST_CASE("a sound run is exit 0: summary on standard output, files in out/NAME, speed on standard error") {
  const ScenarioFolder folder;
  const CommandResult run = run_command(folder, "$SOYA run incast.yaml");
  CHECK(run.status == 0);
  CHECK(run.out.starts_with("札幌-incast: SOUND\n  no lossless frames dropped; 2 of 2 transfers finished; "));
  CHECK(contains(run.out, "\nResults: out/札幌-incast: results.sqlite summary.json\n"));
  CHECK_FALSE(contains(run.out, "\x1b"));
  CHECK(contains(run.err, " per packet-hop, memory "));
  CHECK(std::filesystem::exists(folder / "out/札幌-incast/results.sqlite"));
  CHECK(run_command(folder, "$SOYA run incast.yaml --quiet").err.empty());
}

TEST_CASE("--json prints summary.json and nothing else, and the bytes depend on scenario and seed only") {
  const ScenarioFolder folder;
  const CommandResult run = run_command(folder, "$SOYA run incast.yaml --json --out o");
  CHECK(run.status == 0);
  CHECK(run.out == read_text(folder / "o/summary.json"));
  const Json json = Json::parse(run.out);
  CHECK(json["name"] == "札幌-incast");
  CHECK(json["transfers"]["payload_bytes"] == 2 * 1024 * 1024);
  CHECK(run_command(folder, "$SOYA run incast.yaml --json --out p").out == run.out);
  const CommandResult reseeded = run_command(folder, "$SOYA run incast.yaml --json --seed 2");
  CHECK(Json::parse(reseeded.out)["seed"] == 2);
}

TEST_CASE("an unsound run is exit 3, --json still prints the summary, and standard error says why") {
  const ScenarioFolder folder;
  const std::string starve = " --set fabric.buffer.threshold=4KiB --set fabric.headroom.size=64B";
  const CommandResult text = run_command(folder, "$SOYA run incast.yaml" + starve);
  CHECK(text.status == 3);
  CHECK(text.out.starts_with("札幌-incast: NOT SOUND\n  - lossless drop at s1 "));
  const CommandResult json = run_command(folder, "$SOYA run incast.yaml --json" + starve);
  CHECK(json.status == 3);
  CHECK(Json::parse(json.out)["sound"] == false);
  CHECK(Json::parse(json.out)["drops"]["lossless"] > 0);
  CHECK(contains(json.err, "soya: 札幌-incast: NOT SOUND: lossless drop at s1 "));
}

TEST_CASE("variants run beside the base, and a variant that expects to be unsound and is changes nothing") {
  const ScenarioFolder folder;
  const CommandResult run = run_command(folder, "$SOYA run variants.yaml --json --out o");
  CHECK(run.status == 0);
  const Json json = Json::parse(run.out);
  CHECK(json["sound"] == true);
  CHECK(json["variants"]["long"]["sound"] == true);
  CHECK(json["variants"]["starved"]["sound"] == false);
  CHECK(SqliteReader{folder / "o/results.sqlite"}.ask("select variant, sound from run") == "|1;long|1;starved|0");
  const CommandResult table = run_command(folder, "$SOYA run variants.yaml");
  CHECK(contains(table.out, "\nVariants side by side\n"));
  CHECK(contains(table.out, "\n  starved  no, expected "));
}

TEST_CASE("a variant that runs alone is named in the headline, and in the folder of its results") {
  const ScenarioFolder folder;
  const CommandResult run = run_command(folder, "$SOYA run variants.yaml --variant long");
  CHECK(run.status == 0);
  CHECK(run.out.starts_with("札幌-incast, variant long: SOUND\n"));
  CHECK(run.out.ends_with("Results: out/札幌-incast-long: results.sqlite summary.json\n"));
}

TEST_CASE("a variant that expects to be unsound and is sound is exit 3") {
  const ScenarioFolder folder;
  const CommandResult run = run_command(
      folder, "$SOYA run variants.yaml --json --set fabric.headroom.size=auto --set fabric.buffer.threshold=1MiB");
  CHECK(run.status == 3);
  CHECK(contains(run.err, "soya: 札幌-incast, variant starved: SOUND, but the scenario says expect: unsound\n"));
}

TEST_CASE("--variant runs that one alone, into a folder of its own") {
  const ScenarioFolder folder;
  const CommandResult run = run_command(folder, "$SOYA run variants.yaml --variant starved --json");
  CHECK(run.status == 0);
  const Json json = Json::parse(run.out);
  CHECK(json["sound"] == false);
  CHECK_FALSE(json.contains("variants"));
  CHECK(std::filesystem::exists(folder / "out/札幌-incast-starved/summary.json"));
  CHECK(run_command(folder, "$SOYA run variants.yaml --variant starve").status == 2);
}

TEST_CASE("threads change nothing but the time") {
  const ScenarioFolder folder;
  const CommandResult one = run_command(folder, "$SOYA run variants.yaml --json --csv --out one");
  const CommandResult three = run_command(folder, "$SOYA run variants.yaml --json --csv --out three --threads 3");
  CHECK(one.status == 0);
  CHECK(three.out == one.out);
  CHECK(run_command(folder, "for f in one/*.csv; do cmp $f three/${f#one/} || exit 1; done").status == 0);
  SqliteReader rows_of_one{folder / "one/results.sqlite"};
  SqliteReader rows_of_three{folder / "three/results.sqlite"};
  for (const std::string table : {"run", "host", "link", "queue", "transfer", "collective", "step", "sample"}) {
    CHECK(rows_of_three.ask("select * from \"" + table + "\"") == rows_of_one.ask("select * from \"" + table + "\""));
  }
  // 3 m of cable are 15 ns: of a few hosts there is nothing to do in them for two. Nor is there with one core.
  CHECK(contains(run_command(folder, "$SOYA run incast.yaml --threads 2").err,
                 "soya: --threads 2: one thread runs it: "));
}

TEST_CASE("bad input is exit 2 before anything is written") {
  const ScenarioFolder folder;
  write_text(folder / "bad.yaml", incast_yaml + "fabric: {headroom: {size: 64}}\n");
  const CommandResult bad = run_command(folder, "$SOYA run bad.yaml");
  CHECK(bad.status == 2);
  CHECK(bad.out.empty());
  CHECK(bad.err.starts_with("bad.yaml:12:"));
  CHECK(contains(bad.err, "fabric.headroom.size: "));
  CHECK(run_command(folder, "$SOYA run nosuch.yaml").status == 2);
  CHECK_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_CASE("two runs at a time need what both need, even beyond 64 bits") {
  // 64 + 32 x 20 links of 1000 s at 100 Tbps hold 1.25 x 10^16 B each way, in packets of 318 B, of which
  // each takes 84 B of memory and more: above 2^62 B, and two such runs above 2^63.
  const ScenarioFolder folder;
  write_text(folder / "huge.yaml", R"(topology:
  link_types: {far: {rate: 100Tbps, delay: 1000s}}
  parts: [{leaf_spine: {leaves: 32, spines: 20, host_link: far, fabric_link: far}}]
fabric: {mtu: 256}
workload: [{flows: [{from: host1, to: host2, size: 1MiB}]}]
variants: {other: {seed: 2}}
)");
  const CommandResult one = run_command(folder, "$SOYA run huge.yaml --memory-limit 1TiB --threads 1");
  CHECK(one.status == 4);
  CHECK(contains(one.err, " EiB of memory"));
  const CommandResult two = run_command(folder, "$SOYA run huge.yaml --memory-limit 1TiB --threads 2");
  CHECK(two.status == 4);
  CHECK(two.err.starts_with("soya: huge needs up to 8 EiB of memory"));
}

TEST_CASE("a run beyond the memory limit is refused with the numbers, exit 4") {
  const ScenarioFolder folder;
  const CommandResult run = run_command(folder, "$SOYA run incast.yaml --memory-limit 1KiB");
  CHECK(run.status == 4);
  CHECK(run.err.starts_with("soya: 札幌-incast needs up to "));
  CHECK(contains(run.err, "3 hosts, 2 flows listed), and the limit is 1 KiB.\n"));
  const CommandResult one =
      run_command(folder, "$SOYA run incast.yaml --memory-limit 1KiB --set 'workload[0].incast.senders=1'");
  CHECK(contains(one.err, "3 hosts, 1 flow listed), and the limit is 1 KiB.\n"));
  const CommandResult ring =
      run_command(folder, "$SOYA run incast.yaml --memory-limit 1KiB --set 'workload=[{all_reduce: {size: 1MiB}}]'");
  CHECK(contains(ring.err, " B: 3 hosts), and the limit is 1 KiB.\n"));
  CHECK_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_CASE("a pipe whose writer is silent is waited for until Ctrl-C, and one that writes is read") {
  const ScenarioFolder folder;
  REQUIRE(run_command(folder, "mkfifo pipe && echo 'extends: pipe' > e.yaml").status == 0);
  // 124: `timeout` sent its signal, and the command ended.
  const std::string silent = "exec 3<>pipe; timeout -k 5 -s INT 1.5 $SOYA check e.yaml";
  CHECK(run_command(folder, silent).status == 124);
  const CommandResult written = run_command(folder, "cat variants.yaml > pipe & $SOYA run pipe");
  CHECK(written.status == 0);
  CHECK(contains(written.out, "\nVariants side by side\n"));
  // What `check` prints is a scenario again, at once.
  const CommandResult again = run_command(folder, "$SOYA check incast.yaml | $SOYA run /dev/stdin --json --quiet");
  CHECK(again.status == 0);
  CHECK(again.out == run_command(folder, "$SOYA run incast.yaml --json --quiet").out);
}
