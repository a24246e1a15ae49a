// The rules of style that a machine can check: CONTRIBUTING.md lists them.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/source_files.hpp"

namespace soya::architecture {
namespace {

constexpr std::size_t most_file_lines = 400;
constexpr std::size_t most_function_lines = 70;
constexpr std::size_t least_opening_lines = 2;  // four facts: short ones share a line

using Failures = std::vector<std::string>;

void check_file_length(const SourceFile& file, Failures& failures) {
  const std::size_t lines = lines_of(file.text).size();
  if (lines <= most_file_lines) return;
  failures.push_back(at(file, lines, "longer than " + std::to_string(most_file_lines) + " lines"));
}

void check_functions(const SourceFile& file, Failures& failures) {
  for (const FunctionSpan& function : functions_of(file.text)) {
    if (function.lines() <= most_function_lines) continue;
    failures.push_back(at(file, function.first_line,
                          "a function of " + std::to_string(function.lines()) + " lines: " + function.head));
  }
}

/// Work left undone is an issue or it is done; the words are put together so that this file does not find itself.
void check_text(const SourceFile& file, Failures& failures) {
  static const std::vector<std::string> undone{std::string("TO") + "DO", std::string("FIX") + "ME"};
  const std::vector<std::string> lines = lines_of(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string& word : undone) {
      if (lines[i].find(word) != std::string::npos) failures.push_back(at(file, i + 1, "says " + word));
    }
    if (lines[i].find('\t') != std::string::npos) failures.push_back(at(file, i + 1, "holds a tab"));
    if (lines[i].ends_with(' ')) failures.push_back(at(file, i + 1, "ends with a space"));
    if (lines[i].ends_with('\r')) failures.push_back(at(file, i + 1, "ends with a carriage return"));
  }
  if (!file.text.ends_with('\n')) failures.push_back(at(file, lines.size(), "does not end with a line end"));
}

/// CMake's lists end an element at a semicolon, so ctest would ask for two test cases that do not exist.
void check_test_names(const SourceFile& file, Failures& failures) {
  const std::vector<std::string> lines = lines_of(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with("TEST_CASE(")) continue;
    std::string head = lines[i];  // a long name goes on below
    for (std::size_t j = i + 1; j < lines.size() && head.find(") {") == std::string::npos; ++j) head += lines[j];
    const std::string name = head.substr(0, head.find(") {"));
    if (name.find(';') != std::string::npos) failures.push_back(at(file, i + 1, "a test's name holds a semicolon"));
  }
}

/// The library does not print: the command does.
void check_printing(const SourceFile& file, Failures& failures) {
  if (file.path.starts_with("tools/")) return;
  const std::vector<std::string> code = lines_of(code_of(file.text));
  for (std::size_t i = 0; i < code.size(); ++i) {
    for (const std::string_view print : {"std::cout", "std::cerr", "std::puts", "fmt::print"}) {
      const bool found = code[i].find(print) != std::string::npos;
      if (found && (file.path.starts_with("sim/") || print == "std::cout")) {
        failures.push_back(at(file, i + 1, std::string(print) + " outside tools/"));
      }
    }
  }
}

/// A header of the library opens with what it models, what it simplifies, its source and the test that validates it.
void check_header(const SourceFile& file, Failures& failures) {
  if (!file.path.ends_with(".hpp")) return;
  const std::vector<std::string> lines = lines_of(file.text);
  std::size_t opening = 0;
  bool validated = false;
  for (; opening < lines.size() && lines[opening].starts_with("//"); ++opening) {
    validated = validated || lines[opening].find("alidated by") != std::string::npos;
  }
  if (file.path.starts_with("sim/")) {
    if (opening < least_opening_lines) failures.push_back(at(file, 1, "does not open with its four facts"));
    if (!validated) failures.push_back(at(file, 1, "does not open with the test that validates it"));
  }
  const bool once = opening < lines.size() && lines[opening] == "#pragma once";
  if (!once) failures.push_back(at(file, opening + 1, "no #pragma once behind the opening comment"));
}

[[nodiscard]] Failures untidy(const std::vector<SourceFile>& files) {
  Failures failures;
  for (const SourceFile& file : files) {
    check_file_length(file, failures);
    check_text(file, failures);
    check_functions(file, failures);
    check_test_names(file, failures);
    check_printing(file, failures);
    check_header(file, failures);
  }
  return failures;
}

[[nodiscard]] std::string verdict(std::string path, std::string text) {
  return joined(untidy({{std::move(path), std::move(text)}}));
}

[[nodiscard]] std::string repeated(std::string_view line, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += line;
  return out;
}

TEST_CASE("a file of 400 lines is not too long, one of 401 is") {
  CHECK(verdict("sim/core/a.cpp", repeated("//\n", 400)) == "");
  CHECK(verdict("sim/core/a.cpp", repeated("//\n", 401)) == "sim/core/a.cpp:401: longer than 400 lines");
}

TEST_CASE("a function of 70 lines is not too long, one of 71 is") {
  // The head with its opening brace and the closing brace are the first and the last of the lines counted.
  CHECK(verdict("sim/core/a.cpp", "\nvoid f() {\n" + repeated("  g();\n", 68) + "}\n") == "");
  CHECK(verdict("sim/core/a.cpp", "\nvoid f() {\n" + repeated("  g();\n", 69) + "}\n") ==
        "sim/core/a.cpp:2: a function of 71 lines: void f()");
  CHECK(verdict("sim/core/a.cpp", "constexpr int table[] = {\n" + repeated("    1,\n", 90) + "};\n") == "");
}

TEST_CASE("text that does not belong is told with its line") {
  CHECK(verdict("sim/core/a.cpp", std::string("\n// TO") + "DO later\n") ==
        std::string("sim/core/a.cpp:2: says TO") + "DO");
  CHECK(verdict("sim/core/a.cpp", "\tint a;\n") == "sim/core/a.cpp:1: holds a tab");
  CHECK(verdict("sim/core/a.cpp", "int a; \n") == "sim/core/a.cpp:1: ends with a space");
  CHECK(verdict("sim/core/a.cpp", "int a;\r\n") == "sim/core/a.cpp:1: ends with a carriage return");
  CHECK(verdict("sim/core/a.cpp", "int a;\nint b;") == "sim/core/a.cpp:2: does not end with a line end");
}

TEST_CASE("a semicolon is no part of a test's name") {
  CHECK(verdict("tests/a.cpp", "TEST_CASE(\"a; b\") {\n}\n") == "tests/a.cpp:1: a test's name holds a semicolon");
  CHECK(verdict("tests/a.cpp", "TEST_CASE(\"a, b\") { f(); }\n") == "");
  CHECK(verdict("tests/a.cpp", "TEST_CASE(\n    \"a; \"\n    \"b\") {\n  f();\n}\n") ==
        "tests/a.cpp:1: a test's name holds a semicolon");
}

TEST_CASE("only tools print") {
  CHECK(verdict("sim/core/a.cpp", "\nvoid f() { std::cout << 1; }\n") == "sim/core/a.cpp:2: std::cout outside tools/");
  CHECK(verdict("tests/cli/a.cpp", "void f() { std::cout << 1; }\n") == "tests/cli/a.cpp:1: std::cout outside tools/");
  CHECK(verdict("sim/core/a.cpp", "void f() { std::cerr << 1; }\n") == "sim/core/a.cpp:1: std::cerr outside tools/");
  CHECK(verdict("sim/core/a.cpp", "// std::cout is for tools\n") == "");
  CHECK(verdict("tools/soya/a.cpp", "void f() { std::cout << 1; }\n") == "");
}

TEST_CASE("a header opens with its facts and #pragma once") {
  const std::string facts = "// A link.\n// Simplifies: much.\n// Source: 802.3. Validated by tests/unit/net.\n";
  CHECK(verdict("sim/net/a.hpp", facts + "#pragma once\n") == "");
  CHECK(verdict("sim/net/a.hpp", facts) == "sim/net/a.hpp:4: no #pragma once behind the opening comment");
  CHECK(verdict("sim/net/a.hpp", "#pragma once\n") ==
        "sim/net/a.hpp:1: does not open with its four facts\n"
        "sim/net/a.hpp:1: does not open with the test that validates it");
  CHECK(verdict("tests/support/a.hpp", "// Helps tests.\n#pragma once\n") == "");
}

TEST_CASE("the project is tidy") {
  const auto files = read_files({"sim", "tools", "tests"}, {".hpp", ".cpp"});
  REQUIRE(files.size() > 10);
  CHECK(joined(untidy(files)) == "");
}

}  // namespace
}  // namespace soya::architecture
