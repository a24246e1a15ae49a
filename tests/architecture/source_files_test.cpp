#include "architecture/source_files.hpp"

#include <doctest/doctest.h>

namespace soya::architecture {
namespace {

TEST_CASE("code is what is left without comments and literals, at the same places") {
  CHECK(code_of("a = 1; // b\nc;") == "a = 1;     \nc;");
  CHECK(code_of("a /* { \n } */ b") == "a      \n      b");
  CHECK(code_of("f(\"{ \\\" }\")") == "f(\"      \")");
  CHECK(code_of("f('{', '\\'', 1'000'000)") == "f(' ', '  ', 1'000'000)");
  CHECK(code_of("a(R\"x({ )\" // )x\") b") == "a(R\"            \") b");
  CHECK(code_of("a(u8R\"({)\") b") == "a(u8R\"   \") b");
  CHECK(code_of("// don't { \nb") == "           \nb");
}

TEST_CASE("lines are counted with and without a final line end") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("a\nb").size() == 2);
  CHECK(lines_of("a\n\nb\n") == std::vector<std::string>{"a", "", "b"});
}

TEST_CASE("includes are found in code and not in comments") {
  const auto includes = includes_of(
      "#pragma once\n// #include \"a.hpp\"\n#include \"core/units.hpp\"  // why\n#  include <map>\n/*\n#include "
      "<set>\n*/\n");
  REQUIRE(includes.size() == 2);
  CHECK(includes[0].line == 3);
  CHECK(includes[0].target == "core/units.hpp");
  CHECK_FALSE(includes[0].angled);
  CHECK(includes[1].line == 4);
  CHECK(includes[1].target == "map");
  CHECK(includes[1].angled);
}

TEST_CASE("functions are found in namespaces and classes, and count from the head to the closing brace") {
  const auto functions = functions_of(
      "namespace a {\n"                          // 1
      "class B : public C<decltype(d())> {\n"    // 2
      " public:\n"                               // 3
      "  B() : e_{1}, f_{2} {\n"                 // 4
      "    g();\n"                               // 5
      "  }\n"                                    // 6
      "  int e_{(1)};\n"                         // 7
      "};\n"                                     // 8
      "constexpr std::array table = {\n"         // 9
      "    1, f(2),\n"                           // 10
      "};\n"                                     // 11
      "template <class T>\n"                     // 12
      "[[nodiscard]] T h(T t) {\n"               // 13
      "  const auto i = [] { return '}'; };\n"   // 14
      "  struct J { int k() { return 1; } };\n"  // 15
      "#if A || defined(B) {\n"                  // 16
      "#endif\n"                                 // 17
      "  return i();  // }\n"                    // 18
      "}\n"                                      // 19
      "}\n"                                      // 20
      "TEST_CASE(\"it { works\") {\n"            // 21
      "}\n");                                    // 22
  REQUIRE(functions.size() == 3);
  CHECK(functions[0].first_line == 4);
  CHECK(functions[0].last_line == 6);
  CHECK(functions[1].first_line == 12);
  CHECK(functions[1].last_line == 19);
  CHECK(functions[1].lines() == 8);
  CHECK(functions[2].first_line == 21);
  CHECK(functions[2].lines() == 2);
}

TEST_CASE("the project's files are read, sorted, with their paths from its root") {
  const auto files = read_files({"sim", "tests/architecture"}, {".hpp", ".cpp"});
  REQUIRE(files.size() > 10);
  bool this_file = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    this_file = this_file || files[i].path == "tests/architecture/source_files_test.cpp";
    CHECK_FALSE(files[i].text.empty());
    if (i > 0) CHECK(files[i - 1].path < files[i].path);
  }
  CHECK(this_file);
}

}  // namespace
}  // namespace soya::architecture
