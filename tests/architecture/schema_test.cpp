// The schemas of docs/ are what `soya schema` prints, and a validator other than ours agrees with the parser on them:
// python3-jsonschema, through tests/support/check_schema.py. UPDATE_SNAPSHOTS=1 renews the schemas.
#include "scenario/schema.hpp"

#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

#include "architecture/source_files.hpp"
#include "scenario/read.hpp"
#include "scenario/sweep_schema.hpp"
#include "support/run_command.hpp"
#include "support/snapshot.hpp"
#include "support/temporary_folder.hpp"

namespace soya::architecture {
namespace {

using test::TemporaryFolder;

/// What the validator says of each text, in their order: "valid", or "PLACE: why not".
std::vector<std::string> verdicts(const std::string& schema, const std::vector<std::string>& texts) {
  const TemporaryFolder folder;
  test::write_text(folder / "schema.json", schema);
  std::string files;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = std::to_string(i) + ".yaml";
    test::write_text(folder / name, texts[i]);
    files += " " + name;
  }
  // Where python3 is not Debian's, Debian's has the packages.
  const std::string python =
      "for p in python3 /usr/bin/python3; do $p -c 'import jsonschema, yaml' && break; done; $p ";
  const test::CommandResult result =
      test::run_command(folder, python + SOYA_SOURCE_DIR "/tests/support/check_schema.py schema.json" + files);
  REQUIRE_MESSAGE(result.status == 0, "python3-jsonschema and python3-yaml are in tools/packages.txt: ", result.err);
  std::vector<std::string> lines = lines_of(result.out);
  REQUIRE(lines.size() == texts.size());
  for (std::string& line : lines) line = line.substr(line.find(": ") + 2);
  return lines;
}

std::vector<std::string> verdicts(SchemaOf what, const std::vector<std::string>& texts) {
  return verdicts(json_schema(what), texts);
}

/// Files of one folder, without those of the folders in it: sweeps are another format.
std::vector<SourceFile> files_in(const std::string& folder) {
  std::vector<SourceFile> files = read_files({folder}, {".yaml"});
  std::erase_if(files,
                [&](const SourceFile& file) { return file.path.find('/', folder.size() + 1) != std::string::npos; });
  return files;
}

const std::string network =
    "topology:\n"
    "  nodes: {h1: host, h2: host, s1: switch}\n"
    "  links: [{between: [h1, s1]}, {between: [h2, s1]}]\n";

TEST_CASE("the schemas of docs/ are what soya schema prints") {
  test::check_snapshot("../docs/sweep.schema.json", sweep_json_schema());
  test::check_snapshot("../docs/scenario.schema.json", json_schema(SchemaOf::scenario));
  test::check_snapshot("../docs/topology.schema.json", json_schema(SchemaOf::topology));
}

TEST_CASE("every shipped file tells editors its schema and is valid by it") {
  for (const auto& [folder, what, schema] :
       {std::tuple{"scenarios", SchemaOf::scenario, "scenario"}, {"topologies", SchemaOf::topology, "topology"}}) {
    const std::vector<SourceFile> files = files_in(folder);
    REQUIRE(files.size() >= 2);
    std::vector<std::string> texts;
    for (const SourceFile& file : files) texts.push_back(file.text);
    const std::vector<std::string> found = verdicts(what, texts);
    for (std::size_t i = 0; i < files.size(); ++i) {
      CAPTURE(files[i].path);
      CHECK(found[i] == "valid");
      CHECK(lines_of(files[i].text).front() ==
            "# yaml-language-server: $schema=../docs/" + std::string{schema} + ".schema.json");
    }
  }
}

TEST_CASE("every shipped sweep tells editors its schema and is valid by it") {
  const std::vector<SourceFile> files = files_in("scenarios/sweeps");
  REQUIRE(files.size() >= 5);
  std::vector<std::string> texts;
  for (const SourceFile& file : files) texts.push_back(file.text);
  const std::vector<std::string> found = verdicts(sweep_json_schema(), texts);
  for (std::size_t i = 0; i < files.size(); ++i) {
    CAPTURE(files[i].path);
    CHECK(found[i] == "valid");
    CHECK(lines_of(files[i].text).front() == "# yaml-language-server: $schema=../../docs/sweep.schema.json");
  }
}

TEST_CASE("the schema of sweeps takes every key of the format, and refuses what the reader refuses") {
  const std::vector<std::string> good{
      "scenario: s.yaml\nname: n\nset: {fabric.mtu: 1024}\naxes: {a: [1, 1km], b: {from: 1, to: 9, step: 2}}\n",
      "scenario: s.yaml\nzip: [{a: [1], b: [2]}]\ncases: {mode: {x: {fabric.mtu: 256}}}\nvariants: all\nseeds: [1, "
      "2]\n",
      "scenario: s.yaml\nsample: {points: 5, ranges: {a: {from: 1, to: 2, scale: log}, b: [x]}}\nonly: a < 5\nkeep: "
      "[x.y]\n",
      "scenario: s.yaml\nsearch: {largest: k, from: 1B, to: 2B, resolution: 1B, such_that: a == 0}\nseeds: 3\n"};
  for (const std::string& verdict : verdicts(sweep_json_schema(), good)) CHECK(verdict == "valid");
  const std::vector<std::string> bad{"name: n\n",
                                     "scenario: s.yaml\nseed: 5\n",
                                     "scenario: s.yaml\naxes: {a: []}\n",
                                     "scenario: s.yaml\nseeds: 0\n",
                                     "scenario: s.yaml\naxes: {a: {from: 1, to: 2}}\n",
                                     "scenario: s.yaml\nsearch: {from: 1, to: 2, such_that: x}\n"};
  for (const std::string& verdict : verdicts(sweep_json_schema(), bad)) CHECK(verdict != "valid");
}

TEST_CASE("every scenario with all its defaults is valid by the schema, and so are the examples of docs/scenario.md") {
  std::vector<std::string> texts;
  for (const SourceFile& file : files_in("scenarios")) {
    texts.push_back(effective_yaml(read_scenario(SOYA_SOURCE_DIR "/" + file.path)));
  }
  const std::string page = test::read_text(SOYA_SOURCE_DIR "/docs/scenario.md");
  const std::vector<std::string> examples = yaml_blocks(page);
  REQUIRE(examples.size() >= 2);
  texts.insert(texts.end(), examples.begin(), examples.end());
  const std::vector<std::string> found = verdicts(SchemaOf::scenario, texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CAPTURE(texts[i]);
    CHECK(found[i] == "valid");
  }
}

struct Line {
  std::string yaml;
  std::string place{};  ///< of what is refused
};

void check_lines(const std::vector<Line>& lines, bool valid) {
  const TemporaryFolder folder;
  std::vector<std::string> texts;
  for (const Line& line : lines) texts.push_back(network + line.yaml + "\n");
  const std::vector<std::string> found = verdicts(SchemaOf::scenario, texts);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CAPTURE(lines[i].yaml);
    CAPTURE(found[i]);
    CHECK((found[i] == "valid") == valid);
    CHECK(found[i].starts_with(valid ? "valid" : lines[i].place + ": "));
    // The parser is of the same mind.
    test::write_text(folder / "line.yaml", texts[i]);
    if (valid)
      CHECK_NOTHROW((void)read_scenario((folder / "line.yaml").string()));
    else
      CHECK_THROWS_AS((void)read_scenario((folder / "line.yaml").string()), ScenarioError);
  }
}

TEST_CASE("the schema takes every spelling that the parser takes") {
  check_lines(
      {
          {"seed: 1e9"},
          {"seed: 0x1F"},
          {"seed: 0o17"},
          {"seed: \"42\""},
          {"name: 42"},
          {"name: true"},
          {"fabric:"},
          {"workload:"},
          {"fabric: {mtu: 4096, vlan: true, ip: ipv6, latency: 5µs}"},
          {"fabric: {mtu: 4KiB, vlan: 'false'}"},
          {"fabric: {buffer: {size: 0.5GiB, alpha: 0.125, lossy_alpha: 2, cell: none}}"},
          {"fabric: {buffer: {size: 1e7B, threshold: 80Kb}}\nswitches: {s1: {buffer: {reserved: 0B}}}"},
          {"fabric: {pfc: {priorities: [], refresh: 1/4, response: auto}}"},
          {"fabric: {scheduler: {strict: [6, 7], weights: [1, 2, 3, 4, 5, 6, 7, 1e4]}}"},
          {"nic: {ack_priority: flow, receive: none, timeout: 1.5e-3s}"},
          {"nic: {ack_priority: 5, receive: {rate: 12.5GB/s}}"},
          {"hosts: {h1: {queue_depth: 1}}"},
          {"workload: [{incast: {receiver: h1, senders: 1, size: 1MiB}}]"},
          {"workload: [{incast: {receiver: h1, senders: all, size: 1MiB, priority: lossless}}]"},
          {"workload: [{flows: [{from: h1, to: h2, size: 1Mb}]}]"},
          {"workload: [{flows: {name: f, list: [{from: h1, to: h2, size: 1kB}]}}]"},
          {"workload: [{all_reduce: {hosts: [h2, h1], size: 1MiB, dtype: float16}}]"},
          {"workload: [{ddp: {model: {tensors: [{elements: 1e6, backward: 1ms}]}}}]"},
          {"faults: [{drop: {between: [h1, s1], data: 1}}, {link_down: {between: [h1, s1], until: never}}]"},
          {"stop: {after: none, stalled_after: auto}"},
          {"variants: {v: {fabric.buffer.size: 8MiB, 'switches.\"s1\".latency': 1us, expect: unsound}}"},
      },
      true);
}

TEST_CASE("the schema refuses what has no unit, is unknown, is no choice or lacks what is required") {
  check_lines(
      {
          {"fabric: {buffer: {size: 64}}", "fabric/buffer/size"},
          {"fabric: {buffer: {size: '64'}}", "fabric/buffer/size"},
          {"fabric: {buffer: {size: 010KiB}}", "fabric/buffer/size"},
          {"fabric: {buffer: {size: -1KiB}}", "fabric/buffer/size"},
          {"fabric: {buffer: {size: 5ms}}", "fabric/buffer/size"},
          {"fabric: {buffer: {size: 1 MiB}}", "fabric/buffer/size"},
          {"fabric: {latency: 0}", "fabric/latency"},
          {"fabric: {buffer: {alpha: 0}}", "fabric/buffer/alpha"},
          {"fabric: {buffer: {alpha: 1/8, threshold: 1MiB}}", "fabric/buffer"},
          {"fabric: {bufer: {size: 64KiB}}", "fabric"},
          {"fabric: {ip: ipv5}", "fabric/ip"},
          {"fabric: {vlan: yes}", "fabric/vlan"},
          {"fabric: {pfc: {quanta: 65536}}", "fabric/pfc/quanta"},
          {"fabric: {pfc: {priorities: [8]}}", "fabric/pfc/priorities/0"},
          {"fabric: {pfc: {priorities: [3, 3]}}", "fabric/pfc/priorities"},
          {"fabric: {scheduler: {weights: [1, 2]}}", "fabric/scheduler/weights"},
          {"switches: {s1: {mtu: 4096}}", "switches/s1"},
          {"seed: 1.5", "seed"},
          {"seed: -1", "seed"},
          {"seed:", "seed"},
          {"colour: red", ""},
          {"workload: [{incast: {receiver: h1}}]", "workload/0/incast"},
          {"workload: [{}]", "workload/0"},
          {"workload: [{flows: [], incast: {receiver: h1, size: 1B}}]", "workload/0"},
          {"faults: [{drop: {between: [h1], data: 1}}]", "faults/0/drop/between"},
          {"variants: {v: {buffer.size: 8MiB}}", "variants/v"},
      },
      false);
  CHECK(verdicts(SchemaOf::scenario, {"name: x\n"}).front() == ": 'topology' is a required property");
  CHECK(verdicts(SchemaOf::scenario, {"extends: x.yaml\n"}).front() == "valid");
  CHECK(verdicts(SchemaOf::topology, {"extends: x.yaml\n"}).front() == "valid");
  CHECK(verdicts(SchemaOf::topology, {"nodes: {a: router}\n"}).front().starts_with("nodes/a: "));
}

}  // namespace
}  // namespace soya::architecture
