// What the command says about itself, and what is installed beside it.
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "support/run_command.hpp"

using namespace soya::test;

namespace {

/// As the general help lists them.
std::vector<std::string> command_names() {
  const TemporaryFolder folder;
  const std::string help = run_command(folder, "$SOYA --help").out;
  std::istringstream list{help.substr(help.find("Commands:\n") + 10)};
  std::vector<std::string> names;
  for (std::string line; std::getline(list, line) && line.starts_with("  ");) {
    names.push_back(line.substr(2, line.find("  ", 2) - 2));  // one word or two
  }
  return names;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// Every --option in `text`.
std::set<std::string> options_in(const std::string& text) {
  std::set<std::string> found;
  const std::regex option{R"(--[a-z][a-z-]*)"};
  for (std::sregex_iterator it{text.begin(), text.end(), option}, end; it != end; ++it) found.insert(it->str());
  return found;
}

std::string installed(const std::string& name) {
  return read_text(std::filesystem::path{SOYA_SOURCE_DIR} / "tools/install" / name);
}

}  // namespace

TEST_CASE("soya alone prints help and is bad input") {
  const TemporaryFolder folder;
  const CommandResult alone = run_command(folder, "$SOYA");
  CHECK(alone.status == 2);
  CHECK(alone.out.empty());
  const CommandResult help = run_command(folder, "$SOYA --help");
  CHECK(help.status == 0);
  CHECK(help.out == alone.err);
  CHECK(command_names().size() >= 4);
  CHECK(run_command(folder, "$SOYA -h").out == help.out);
}

TEST_CASE("every help fits a screen of 80 columns and 30 lines and ends with two examples") {
  const TemporaryFolder folder;
  std::vector<std::string> names = command_names();
  names.emplace_back();
  names.emplace_back("sweep");
  for (const std::string& name : names) {
    CAPTURE(name);
    const CommandResult help = run_command(folder, "$SOYA " + name + " --help");
    CHECK(help.status == 0);
    CHECK(help.err.empty());
    const auto text = lines(help.out);
    CHECK(text.size() <= 30);
    for (const std::string& line : text) CHECK_MESSAGE(line.size() <= 80, line);
    REQUIRE(text.size() > 3);
    CHECK(text[text.size() - 3] == "Examples:");
    CHECK(text[text.size() - 2].starts_with("  soya "));
    CHECK(text.back().starts_with("  soya "));
  }
}

TEST_CASE("examples name scenarios that are shipped and options that exist") {
  const TemporaryFolder folder;
  for (const std::string& name : command_names()) {
    const std::string help = run_command(folder, "$SOYA " + name + " --help").out;
    const std::string examples = help.substr(help.find("Examples:"));
    const std::regex file{R"(scenarios/[a-z0-9-]+\.yaml)"};
    for (std::sregex_iterator it{examples.begin(), examples.end(), file}, end; it != end; ++it) {
      CHECK_MESSAGE(std::filesystem::exists(std::filesystem::path{SOYA_SOURCE_DIR} / it->str()), it->str());
    }
    const std::set<std::string> listed = options_in(help.substr(0, help.find("Examples:")));
    for (const std::string& option : options_in(examples)) CHECK_MESSAGE(listed.count(option) == 1, option);
  }
}

TEST_CASE("bash completes options, keys and words with the shipped file") {
  const TemporaryFolder folder;
  const auto completed = [&](const std::string& words, int position) {
    const std::string ask = "bash -c 'shopt -s extglob; . " SOYA_SOURCE_DIR "/tools/install/soya.bash; COMP_WORDS=(" +
                            words + "); COMP_CWORD=" + std::to_string(position) +
                            "; _soya; printf \"%s\\n\" \"${COMPREPLY[@]}\"'";
    return run_command(folder, ask).out;
  };
  CHECK(completed("soya sch", 1) == "schema\n");
  CHECK(completed("soya run --me", 2) == "--memory-limit\n");
  CHECK(completed("soya schema top", 2) == "topology\n");
  CHECK(completed(SOYA_BINARY " explain fabric.headroom.si", 2) == "fabric.headroom.size\n");
  CHECK(completed(SOYA_BINARY " check x.yaml --set workload[0].ddp.bu", 4) == "workload[0].ddp.bucket=\n");
  write_text(folder / "mine.yaml", "");
  write_text(folder / "mine.txt", "");
  CHECK(completed("soya run mi", 2) == "mine.yaml\n");
  CHECK(completed("soya import so", 2) == "sonic-buffers\n");
  CHECK(completed("soya import sonic-buffers mine.t", 3) == "mine.txt\n");
}

TEST_CASE("cmake --install leaves the command, its man page and its completion") {
  const TemporaryFolder folder;
  const std::filesystem::path build = std::filesystem::path{SOYA_BINARY}.parent_path().parent_path();
  const CommandResult result = run_command(folder, "cmake --install '" + build.string() + "' --prefix \"$PWD/usr\"");
  CHECK_MESSAGE(result.status == 0, result.err);
  CHECK(run_command(folder, "usr/bin/soya --version").status == 0);
  CHECK(read_text(folder / "usr/share/man/man1/soya.1") == installed("soya.1"));
  CHECK(read_text(folder / "usr/share/bash-completion/completions/soya") == installed("soya.bash"));
}

TEST_CASE("what is unknown names the nearest known") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& arguments) {
    const CommandResult result = run_command(folder, "$SOYA " + arguments);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    return result.err.substr(0, result.err.find('\n'));
  };
  CHECK(refusal("rum") == "soya: unknown command rum; did you mean run?");
  CHECK(refusal("--versoin") == "soya: unknown option --versoin; did you mean --version?");
  CHECK(refusal("frobnicate") == "soya: unknown command frobnicate");
  CHECK(refusal("x.yaml") == "soya: unknown command x.yaml; did you mean soya run x.yaml?");
  CHECK(refusal("run x.yaml --quite") == "soya run: unknown option --quite; did you mean --quiet?");
  CHECK(refusal("run x.yaml --mem 3GiB") == "soya run: unknown option --mem; did you mean --memory-limit?");
  CHECK(refusal("check x.yaml --json") == "soya check: unknown option --json");
}

TEST_CASE("a command line that says too little, too much or nonsense is refused in one line") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& arguments) {
    const CommandResult result = run_command(folder, "$SOYA " + arguments);
    CHECK(result.status == 2);
    CHECK(contains(result.err, "\nTry: soya "));
    return result.err.substr(0, result.err.find('\n'));
  };
  CHECK(refusal("run") == "soya run: which SCENARIO? Name a YAML file");
  CHECK(refusal("run a.yaml b.yaml") == "soya run: one SCENARIO at a time; \"b.yaml\" is one too many");
  CHECK(refusal("run a.yaml --out x --out y") == "soya run: --out is given twice");
  const std::string seed = "soya run: --seed: expected a whole number from 0 to 18446744073709551615, got ";
  CHECK(refusal("run a.yaml --seed=-1") == seed + "\"-1\"");
  CHECK(refusal("run a.yaml --seed 18446744073709551616") == seed + "\"18446744073709551616\"");
  CHECK(refusal("run a.yaml --seed 1e3") == seed + "\"1e3\"");
  CHECK(refusal("run a.yaml --threads 0") ==
        "soya run: --threads: expected a number of threads from 1 to 1024, got \"0\"");
  CHECK(refusal("run a.yaml --memory-limit 64") ==
        "soya run: --memory-limit: expected a size such as 512MiB or 64GiB, got \"64\"");
}

TEST_CASE("an option in the place of a value is refused with the way to write it") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& arguments) {
    const CommandResult result = run_command(folder, "$SOYA " + arguments);
    CHECK(result.status == 2);
    return result.err.substr(0, result.err.find('\n'));
  };
  CHECK(refusal("run a.yaml --out --csv") ==
        "soya run: --out: expected a value, got --csv; write --out=--csv if that is the value");
  CHECK(refusal("run a.yaml --seed --quiet") ==
        "soya run: --seed: expected a value, got --quiet; write --seed=--quiet if that is the value");
  CHECK(refusal("check a.yaml --set -- seed=1") ==
        "soya check: --set: expected a value, got --; write --set=-- if that is the value");
  // Written so, it is the value; a dash alone says nothing of options.
  CHECK(refusal("run a.yaml --out=--csv") == "a.yaml: no such file");
  CHECK(refusal("run a.yaml --out -x") == "a.yaml: no such file");
}

TEST_CASE("no text of a command line reaches the terminal raw") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& arguments) {
    return run_command(folder, "$SOYA " + arguments + " 2>&1 | head -n 1").out;
  };
  const std::string red = "$(printf 'a\\033[31m\\377')";
  const std::string spelled = "a\\x1b[31m\\xff";
  CHECK(refusal("\"" + red + "\"") == "soya: unknown command " + spelled + "\n");
  CHECK(refusal("run \"--" + red + "\"") == "soya run: unknown option --" + spelled + "\n");
  CHECK(refusal("run x \"" + red + "\"") == "soya run: one SCENARIO at a time; \"" + spelled + "\" is one too many\n");
  CHECK(refusal("run \"" + red + "\"") == spelled + ": no such file\n");
  CHECK(refusal("run \"\"") == "no such file: \"\"\n");
}
