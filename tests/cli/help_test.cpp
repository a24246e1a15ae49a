// What the command says about itself, and that the man page and the completion say the same.
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <vector>

#include "support/run_command.hpp"

using namespace soya::test;

namespace {

const std::vector<std::string> commands{"run", "check"};

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// Every --option in `text`. A man page writes its dashes as \-.
std::set<std::string> options_in(std::string text) {
  text = std::regex_replace(text, std::regex{R"(\\-)"}, "-");
  std::set<std::string> found;
  const std::regex option{R"(--[a-z][a-z-]*)"};
  for (std::sregex_iterator it{text.begin(), text.end(), option}, end; it != end; ++it) found.insert(it->str());
  return found;
}

std::string installed(const std::string& name) {
  return read_text(std::filesystem::path{SOYA_SOURCE_DIR} / "tools/install" / name);
}

/// From the line with `begin` to the one with `end`.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t start = text.find(begin);
  REQUIRE_MESSAGE(start != std::string::npos, begin);
  return text.substr(start, text.find(end, start + begin.size()) - start);
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
  for (const std::string& name : commands) CHECK(contains(help.out, "\n  " + name + " "));
  CHECK(run_command(folder, "$SOYA -h").out == help.out);
}

TEST_CASE("every help fits a screen of 80 columns and 24 lines and ends with two examples") {
  const TemporaryFolder folder;
  for (const std::string& name : {std::string{}, std::string{"run"}, std::string{"check"}}) {
    CAPTURE(name);
    const CommandResult help = run_command(folder, "$SOYA " + name + " --help");
    CHECK(help.status == 0);
    CHECK(help.err.empty());
    const auto text = lines(help.out);
    CHECK(text.size() <= 24);
    for (const std::string& line : text) CHECK_MESSAGE(line.size() <= 80, line);
    REQUIRE(text.size() > 3);
    CHECK(text[text.size() - 3] == "Examples:");
    CHECK(text[text.size() - 2].starts_with("  soya "));
    CHECK(text.back().starts_with("  soya "));
  }
}

TEST_CASE("examples name scenarios that are shipped and options that exist") {
  const TemporaryFolder folder;
  for (const std::string& name : commands) {
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

TEST_CASE("the man page lists the options of each command, no more and no fewer") {
  const TemporaryFolder folder;
  const std::string page = installed("soya.1");
  CHECK(options_in(between(page, ".SH OPTIONS OF RUN", ".SH OPTIONS OF CHECK")) ==
        options_in(run_command(folder, "$SOYA run --help").out));
  CHECK(options_in(between(page, ".SH OPTIONS OF CHECK", ".SH EXIT STATUS")) ==
        options_in(run_command(folder, "$SOYA check --help").out));
  const std::string version = run_command(folder, "$SOYA --version").out;
  CHECK(contains(page, "\"" + version.substr(0, version.size() - 1) + "\""));
}

TEST_CASE("the completion lists the commands and the options of each command") {
  const TemporaryFolder folder;
  const std::string completion = installed("soya.bash");
  CHECK(options_in(between(completion, "    run) options=", ";;")) ==
        options_in(run_command(folder, "$SOYA run --help").out));
  CHECK(options_in(between(completion, "    check) options=", ";;")) ==
        options_in(run_command(folder, "$SOYA check --help").out));
  CHECK(contains(completion, "\"run check --help --version\""));
}

TEST_CASE("bash completes options with the shipped file") {
  const TemporaryFolder folder;
  const std::string ask = std::string{"bash -c '. "} + SOYA_SOURCE_DIR +
                          "/tools/install/soya.bash; COMP_WORDS=(soya run --me); COMP_CWORD=2; _soya; "
                          "echo \"${COMPREPLY[@]}\"'";
  CHECK(run_command(folder, ask).out == "--memory-limit\n");
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
