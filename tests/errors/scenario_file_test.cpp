// Files that cannot be read, and text that is no YAML.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/scenario_folder.hpp"

using namespace soya;
using namespace soya::test;

namespace {

struct Case {
  std::string text;
  std::string message;
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.text.substr(0, 80));
    CHECK(errors_of(c.text) == c.message);
  }
}

const std::string no_topology = "s.yaml:1:1: topology: missing; expected the path of a topology file, or its keys\n";

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("files that are no scenario") {
  const ScenarioFolder folder;
  CHECK(folder.errors("nothing.yaml") == "nothing.yaml: no such file");
  folder.write("folder/inside.yaml", "seed: 1\n");
  CHECK(folder.errors("folder") == "folder: is a directory");
  CHECK(folder.errors("folder/inside.yaml/deeper.yaml") == "folder/inside.yaml/deeper.yaml: no such file");
  CHECK_THROWS_WITH((void)read_scenario("/dev/zero"), "/dev/zero: is not a regular file");
  CHECK_THROWS_WITH((void)read_scenario(""), "no such file: \"\"");
}

TEST_CASE("files without content") {
  check({
      {"", "s.yaml: file is empty"},
      {" \n\r\n\t", "s.yaml: file is empty but for blanks"},
      {"# a comment\n", "s.yaml: the file holds no keys"},
      {"---\n...\n", "s.yaml: the file holds no keys"},
      {"~\n", "s.yaml: the file holds no keys"},
      {"{}\n", "s.yaml:1:1: topology: missing; expected the path of a topology file, or its keys"},
  });
}

TEST_CASE("files that hold something else than a mapping") {
  check({
      {"hello\n", "s.yaml:1:1: expected a mapping of keys, got \"hello\""},
      {"[1, 2]\n", "s.yaml:1:1: expected a mapping of keys, got a list"},
      {"seed: 1\n---\nseed: 2\n", "s.yaml:2:1: a second document starts here; a file holds one"},
      {"seed: 1\n---\n", "s.yaml:2:1: a second document starts here; a file holds one"},
  });
}

TEST_CASE("bytes that are no text") {
  check({
      {"seed: 1\nname: caf\xE9\n", "s.yaml:2:10: not UTF-8 (byte 0xE9); save the file as UTF-8"},
      {"name: \xC0\xAF\n", "s.yaml:1:7: not UTF-8 (byte 0xC0); save the file as UTF-8"},
      {"name: \xED\xA0\x80\n", "s.yaml:1:7: not UTF-8 (byte 0xED); save the file as UTF-8"},
      {"name: \xF4\x90\x80\x80\n", "s.yaml:1:7: not UTF-8 (byte 0xF4); save the file as UTF-8"},
      {"name: 札\xE5\xB9", "s.yaml:1:8: not UTF-8 (byte 0xE5); save the file as UTF-8"},
      {std::string{"\xFF\xFEn\0a\0", 6}, "s.yaml:1:1: not UTF-8 (byte 0xFF); save the file as UTF-8"},
      {std::string{"name: x\0y\n", 10}, "s.yaml:1:8: control character 0x00; this is not a text file"},
      {"name: x\x04y\n", "s.yaml:1:8: control character 0x04; this is not a text file"},
  });
  // A value that cannot be hides no other mistake.
  check({
      {"name: \"a\\nb\"\n", no_topology + "s.yaml:1:7: line break or control character in a value, after \"a\""},
      {"name: |\n  a\n  b\n", no_topology + "s.yaml:1:7: line break or control character in a value, after \"a\""},
  });
}

TEST_CASE("a key that is longer than the parser reads is named as what it is") {
  const std::string name(1025, 'k');
  const std::string hint = "; a key in line 2 is longer than 1024 bytes";
  // Of a block's key the parser stands at the colon, behind 1025 characters; of a key between braces at its start.
  check({
      {"seed: 1\n" + name + ": 1\n", "s.yaml:2:1026: YAML: illegal map value" + hint},
      {"a:\n - " + name + ": 1\n", "s.yaml:2:1029: YAML: illegal map value" + hint},
      {"a: {b: 1,\n  \"" + name + "\": 1}\n", "s.yaml:2:3: YAML: end of map flow not found" + hint},
      {"a: {b: 1,\n  c: 1, " + name + ": 1}\n", "s.yaml:2:9: YAML: end of map flow not found" + hint},
  });
  // A long value is none, whatever else is wrong.
  check({{"a: \"" + name + "\"\nb: c: d\n", "s.yaml:2:5: YAML: illegal map value"}});
}

TEST_CASE("a name that a file gives is a name like any other") {
  struct Named {
    std::string file;
    std::string message;
  };
  const std::string text = two_hosts;
  const std::string folder_fault = "cannot name a folder; leave out / and \\; set name: in the file";
  const Named cases[] = {
      {"..yaml", "..yaml: name: the file's name gives the name \".\", which " + folder_fault},
      {"...yaml", "...yaml: name: the file's name gives the name \"..\", which " + folder_fault},
      {"a\\b.yaml", "a\\b.yaml: name: the file's name gives the name \"a\\b\", which " + folder_fault},
      {"\xff.yaml",
       "\\xff.yaml: name: the file's name gives the name \"\\xff\", which is no text: not UTF-8 (byte 0xFF); "
       "set name: in the file"},
      {"n\nl.yaml",
       "n\\nl.yaml: name: the file's name gives the name \"n\\nl\", which holds a line break or control character; "
       "set name: in the file"},
  };
  const ScenarioFolder folder;
  for (const Named& each : cases) {
    CAPTURE(each.message);
    folder.write(each.file, text);
    CHECK(folder.errors(each.file) == each.message);
    CHECK(folder.errors(each.file, ReadOptions{.sets = {"name=mine"}}) == "");
    folder.write(each.file, "name: mine\n" + text);
    CHECK(folder.errors(each.file) == "");
    // Origins are comments of one line each, so what is printed reads back.
    folder.write("again.yaml", effective_yaml(folder.read(each.file)));
    CHECK(folder.read("again.yaml").name == "mine");
  }
  folder.write(".yaml", text);
  CHECK(folder.read(".yaml").name == ".yaml");
}

TEST_CASE("what a user's text holds does not steer the terminal") {
  check({
      {two_hosts + std::string{"\"a\\e[31m\\nb\": 1\n"},
       "s.yaml:2:1: line break or control character in a value, after \"a\"\n"
       "s.yaml:2:1: \"a?[31m?b\": unknown key; the keys here are name, seed, expect, topology, fabric, switches, nic, "
       "hosts, workload, faults, stop, measure, extends, variants"},
      {"topology: a\xc2\x9b.yaml\n", "s.yaml:1:11: topology: no such file: a\\u009b.yaml"},
  });
}

TEST_CASE("text that is cut off or malformed") {
  check({
      {"fabric: {mtu: 4096", "s.yaml:1:19: YAML: end of map flow not found; the file ends too early"},
      {"fabric:\n  pfc: {priorities: [3,\n",
       "s.yaml:3:1: YAML: end of sequence flow not found; the file ends too early"},
      {"seed: 1\n\tname: x\n",
       "s.yaml:2:1: YAML: illegal tab when looking for indentation; indent with spaces, not tabs"},
      {"name: a: b\n", "s.yaml:1:8: YAML: illegal map value"},
      {"name: *nobody\n", "s.yaml:1:7: YAML: the referenced anchor is not defined"},
      {"seed: !!int 1\n", no_topology + "s.yaml:1:7: tags such as tag:yaml.org,2002:int are not supported"},
      {"name: !mine x\n", no_topology + "s.yaml:1:7: tags such as !mine are not supported"},
      {"name: !mine x\nseed: [\n",
       "s.yaml:1:7: tags such as !mine are not supported\n"
       "s.yaml:3:1: YAML: end of sequence flow not found; the file ends too early"},
      {"{a: 1}: x\n", "s.yaml:1:1: a key must be a plain name"},
      {"? [a]\n: x\n", "s.yaml:1:3: a key must be a plain name"},
      {"~: x\n", "s.yaml:1:1: a key must be a plain name"},
      {"%YAML 9.9\n---\nname: x\n", "s.yaml:1:1: YAML: YAML major version too large"},
  });
}

TEST_CASE("nesting, self-reference and growth without bound end in a message") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    bomb += 'a' + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below + repeated(", " + below, 9) + "]\n";
  }
  check({
      {repeated("[", 100'000), "s.yaml:1:65: brackets nest deeper than 64 levels"},
      {"a: " + repeated("{a: ", 100'000), "s.yaml:1:260: brackets nest deeper than 64 levels"},
      {repeated("- ", 100'000), "s.yaml:1:129: nested deeper than 64 levels"},
      {repeated("? ", 100'000), "s.yaml:1:129: nested deeper than 64 levels"},
      {"fabric: &f {buffer: *f}\n", "s.yaml:1:21: this alias refers to itself"},
      {"fabric: &f [*f]\n", "s.yaml:1:13: this alias refers to itself"},
  });
  // 111 111 values for a5; the budget of a million ends among the tenfold uses of it.
  CHECK(errors_of(bomb).find("aliases expand to more than 1000000 values") != std::string::npos);
}

TEST_CASE("a file another file names is told at the place that names it") {
  const ScenarioFolder folder;
  folder.write("s.yaml", "seed: 1\nextends: base.yaml\n");
  CHECK(folder.errors("s.yaml") == "s.yaml:2:10: extends: no such file: base.yaml");
  folder.write("base.yaml", "topology: t.yaml\n");
  CHECK(folder.errors("s.yaml") == "base.yaml:1:11: topology: no such file: t.yaml");
  folder.write("t.yaml", "");
  CHECK(folder.errors("s.yaml") == "base.yaml:1:11: topology: file is empty: t.yaml");
  folder.write("t.yaml", "nodes: [\n");
  CHECK(folder.errors("s.yaml") == "t.yaml:2:1: YAML: end of sequence flow not found; the file ends too early");
  folder.write("t.yaml", "- a\n");
  CHECK(folder.errors("s.yaml") == "t.yaml:1:1: expected a mapping of keys, got a list");
  folder.write("s.yaml", "extends: [base.yaml]\ntopology: {nodes: {a: host, b: host}, links: [{between: [a, b]}]}\n");
  CHECK(folder.errors("s.yaml") == "s.yaml:1:10: extends: expected the path of a file, got a list");
}

TEST_CASE("whatever keeps a file from being read is told with the key that names it") {
  const ScenarioFolder folder;
  folder.write("folder/inside.yaml", "seed: 1\n");
  std::filesystem::create_symlink("loop", folder.path("loop"));
  // What the key says, and what is told of it.
  const Case cases[] = {{"folder", "is a directory: folder"},
                        {"/dev/null", "is not a regular file: /dev/null"},
                        {"folder/inside.yaml/x", "no such file: folder/inside.yaml/x"},
                        {"loop", "cannot be read (Too many levels of symbolic links): loop"}};
  for (const Case& c : cases) {
    CAPTURE(c.text);
    folder.write("s.yaml", two_hosts + ("workload: [{ddp: {model: {file: " + c.text + "}, backward: 1s}}]\n"));
    CHECK(folder.errors("s.yaml") == "s.yaml:2:33: workload[0].ddp.model.file: " + c.message);
    folder.write("s.yaml", "topology: " + c.text + "\n");
    CHECK(folder.errors("s.yaml") == "s.yaml:1:11: topology: " + c.message);
    folder.write("s.yaml", "extends: " + c.text + "\n");
    CHECK(folder.errors("s.yaml") == "s.yaml:1:10: extends: " + c.message);
  }
  folder.write("s.yaml", two_hosts + std::string{"workload: [{ddp: {model: {file: .}, backward: 1s}}]\n"});
  // The folder itself, whose name the test does not know.
  CHECK(folder.errors("s.yaml").starts_with("s.yaml:2:33: workload[0].ddp.model.file: is a directory: "));
  folder.write("s.yaml", "topology: \"\"\n");
  CHECK(folder.errors("s.yaml") == "s.yaml:1:11: topology: expected the path of a file or a mapping of keys, got \"\"");
  folder.write("s.yaml", two_hosts + std::string{"extends: \"\"\n"});
  CHECK(folder.errors("s.yaml") == "s.yaml:2:10: extends: expected the path of a file, got \"\"");
}

TEST_CASE("a pipe that nobody writes to is told like any other file that cannot be read") {
  const ScenarioFolder folder;
  REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  const std::string fault = "is a pipe from which nothing (more) comes, and files may be read more than once: "
                            "save it as a file: pipe";
  folder.write("s.yaml", "extends: pipe\n");
  CHECK(folder.errors("s.yaml") == "s.yaml:1:10: extends: " + fault);
  folder.write("s.yaml", two_hosts + std::string{"workload: [{ddp: {model: {file: pipe}, backward: 1s}}]\n"});
  CHECK(folder.errors("s.yaml") == "s.yaml:2:33: workload[0].ddp.model.file: " + fault);
}

TEST_CASE("a model table that is none as a whole is told at its key, a wrong cell at its line") {
  const ScenarioFolder folder;
  folder.write("s.yaml", two_hosts + std::string{"workload: [{ddp: {model: {file: m.csv}, backward: 1s}}]\n"});
  folder.write("m.csv", "");
  CHECK(folder.errors("s.yaml") == "s.yaml:2:33: workload[0].ddp.model.file: file is empty: m.csv");
  folder.write("m.csv", "name,numel\n");
  CHECK(folder.errors("s.yaml") == "s.yaml:2:33: workload[0].ddp.model.file: no tensors after the header: m.csv");
  folder.write("m.csv", "name,numel\nw,0\n");
  CHECK(folder.errors("s.yaml") == "m.csv:2:3: numel: expected a whole number of elements from 1 to 10^15, got \"0\"");
}

TEST_CASE("files that extend each other are named in their order") {
  const ScenarioFolder folder;
  folder.write("a.yaml", "extends: b.yaml\n");
  folder.write("b.yaml", "seed: 1\nextends: ./c.yaml\n");
  folder.write("c.yaml", "extends: a.yaml\n");
  CHECK(folder.errors("a.yaml") ==
        "c.yaml:1:10: extends: files extend each other in a circle: a.yaml → b.yaml → c.yaml → a.yaml");
  folder.write("self.yaml", "extends: self.yaml\n");
  CHECK(folder.errors("self.yaml") ==
        "self.yaml:1:10: extends: files extend each other in a circle: self.yaml → self.yaml");
}
