// What the pages and headers refer to is there: links, files, tests, sections.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/source_files.hpp"
#include "support/temporary_folder.hpp"

namespace soya::architecture {
namespace {

namespace fs = std::filesystem;
using Failures = std::vector<std::string>;

const fs::path project{SOYA_SOURCE_DIR};

bool exists(const std::string& path) {
  return fs::exists(project / path);
}

/// Every page: those at the top and under docs/.
std::vector<SourceFile> pages() {
  std::vector<SourceFile> found = read_files({"docs"}, {".md"});
  for (const fs::directory_entry& entry : fs::directory_iterator(project)) {
    if (entry.path().extension() != ".md") continue;
    found.push_back({entry.path().filename().string(), test::read_text(entry.path())});
  }
  return found;
}

/// The page without the text of fenced blocks, whose lines stay.
std::string prose_of(const std::string& page) {
  std::string out;
  bool fenced = false;
  for (const std::string& line : lines_of(page)) {
    const bool fence = line.starts_with("```");
    if (!fenced && !fence) out += line;
    if (fence) fenced = !fenced;
    out += '\n';
  }
  return out;
}

/// The anchor that a heading gets: lower case, blanks to hyphens, everything else but letters and digits dropped.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char letter : heading) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == ' ') anchor += '-';
    if (byte >= 0x80 || std::isalnum(byte) != 0 || letter == '-' || letter == '_') {
      anchor += static_cast<char>(std::tolower(byte));
    }
  }
  return anchor;
}

std::set<std::string> headings_of(const std::string& page) {
  std::set<std::string> headings;
  for (const std::string& line : lines_of(prose_of(page))) {
    if (line.starts_with('#')) headings.insert(line.substr(std::min(line.find_first_not_of("# "), line.size())));
  }
  return headings;
}

bool has_anchor(const std::string& page, const std::string& anchor) {
  const std::set<std::string> headings = headings_of(page);
  return std::any_of(headings.begin(), headings.end(),
                     [&](const std::string& heading) { return anchor_of(heading) == anchor; });
}

/// Calls `visit(line number, match)` for every match of `pattern` in `text`.
template <class Visit>
void for_each_match(const std::string& text, const std::regex& pattern, Visit visit) {
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::sregex_iterator match{lines[i].begin(), lines[i].end(), pattern}, end; match != end; ++match) {
      visit(i + 1, *match);
    }
  }
}

/// Links to files and headings of this project; what begins with a scheme is the web's business.
Failures broken_links(const SourceFile& page) {
  static const std::regex link{R"(\]\(([^)\s]+)\))"};
  Failures failures;
  for_each_match(prose_of(page.text), link, [&](std::size_t line, const std::smatch& match) {
    const std::string target = match[1];
    if (target.find("://") != std::string::npos) return;
    const std::size_t hash = target.find('#');
    const fs::path file = fs::path{page.path}.parent_path() / target.substr(0, hash);
    const std::string path = hash == 0 ? page.path : file.lexically_normal().string();
    if (!exists(path)) {
      failures.push_back(at(page, line, "no file " + path));
    } else if (hash != std::string::npos && !has_anchor(test::read_text(project / path), target.substr(hash + 1))) {
      failures.push_back(at(page, line, "no heading " + target));
    }
  });
  return failures;
}

/// Files of the project named anywhere in `text`. A name that goes on with * < { or … is a pattern, not a file.
Failures missing_files(const SourceFile& file, const std::string& text, const std::string& folders) {
  const std::regex path{"(^|[^A-Za-z0-9_/.-])((?:" + folders + R"()/[A-Za-z0-9_./-]*[A-Za-z0-9_])([*<{]|/[*<{]|_\*)?)"};
  Failures failures;
  for_each_match(text, path, [&](std::size_t line, const std::smatch& match) {
    if (match[3].matched || exists(match[2])) return;
    failures.push_back(at(file, line, "no file " + match[2].str()));
  });
  return failures;
}

/// `docs/model.md section 5`, `sections 2 and 4`, `sections 2 to 4`: a heading that begins with each number.
Failures missing_sections(const SourceFile& file) {
  static const std::regex reference{R"((docs/[a-z-]+\.md),? sections? (\d+)(?:(?:,| to| and) (\d+))?)"};
  Failures failures;
  for_each_match(file.text, reference, [&](std::size_t line, const std::smatch& match) {
    const std::string page = match[1];
    const std::set<std::string> headings =
        exists(page) ? headings_of(test::read_text(project / page)) : std::set<std::string>{};
    for (const std::size_t group : {std::size_t{2}, std::size_t{3}}) {
      if (!match[group].matched) continue;
      const std::string number = match[group].str() + ". ";
      const bool found = std::any_of(headings.begin(), headings.end(),
                                     [&](const std::string& heading) { return heading.starts_with(number); });
      if (!found) failures.push_back(at(file, line, "no section " + match[group].str() + " in " + page));
    }
  });
  return failures;
}

/// `docs/architecture.md, "Event order"`: that heading.
Failures missing_headings(const SourceFile& file) {
  static const std::regex reference{R"re((docs/[a-z-]+\.md), "([^"]+)")re"};
  Failures failures;
  for_each_match(file.text, reference, [&](std::size_t line, const std::smatch& match) {
    const std::string page = match[1];
    if (exists(page) && headings_of(test::read_text(project / page)).contains(match[2])) return;
    failures.push_back(at(file, line, "no heading \"" + match[2].str() + "\" in " + page));
  });
  return failures;
}

void append(Failures& to, const Failures& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Failures broken_in(const SourceFile& file) {
  Failures failures = missing_files(file, file.text, "tests|docs|scenarios|topologies");
  append(failures, missing_sections(file));
  append(failures, missing_headings(file));
  return failures;
}

TEST_CASE("a broken reference is told with file and line") {
  CHECK(joined(broken_links({"docs/a.md", "\n[a](results.md) [b](nowhere.md)"})) ==
        "docs/a.md:2: no file docs/nowhere.md");
  CHECK(joined(broken_links({"docs/a.md", "[a](results.md#tables) [b](results.md#chairs)"})) ==
        "docs/a.md:1: no heading results.md#chairs");
  CHECK(joined(broken_links({"docs/a.md", "[a](https://nowhere.example/)\n```\n[b](nowhere.md)\n```\n"})) == "");
  CHECK(joined(broken_in({"sim/a.hpp", "// Validated by tests/unit/core and tests/unit/nothing_test.cpp.\n"})) ==
        "sim/a.hpp:1: no file tests/unit/nothing_test.cpp");
  CHECK(joined(broken_in({"sim/a.hpp", "// tests/unit/<folder>, tests/errors/scenario_*.cpp\n"})) == "");
  CHECK(joined(broken_in({"sim/a.hpp", "// docs/model.md sections 2 and 99\n"})) ==
        "sim/a.hpp:1: no section 99 in docs/model.md");
  CHECK(joined(broken_in(
            {"sim/a.hpp", "// docs/architecture.md, \"Event order\"; docs/architecture.md, \"Nothing\".\n"})) ==
        "sim/a.hpp:1: no heading \"Nothing\" in docs/architecture.md");
}

TEST_CASE("every link of a page leads somewhere") {
  Failures failures;
  const std::vector<SourceFile> all = pages();
  REQUIRE(all.size() >= 5);
  for (const SourceFile& page : all) append(failures, broken_links(page));
  CHECK(joined(failures) == "");
}

TEST_CASE("every file that a page names is there") {
  Failures failures;
  for (const SourceFile& page : pages()) {
    append(failures, missing_files(page, page.text, "tests|sim|tools|docs|scenarios|topologies"));
  }
  CHECK(joined(failures) == "");
}

TEST_CASE("every test, page and section that the code names is there") {
  Failures failures;
  for (const SourceFile& file : read_files({"sim", "tools"}, {".hpp", ".cpp"})) append(failures, broken_in(file));
  CHECK(joined(failures) == "");
}

TEST_CASE("no line of a page's blocks is wider than a terminal") {
  for (const SourceFile& page : pages()) {
    bool fenced = false;
    for (const std::string& line : lines_of(page.text)) {
      if (line.starts_with("```")) fenced = !fenced;
      const auto columns = std::count_if(line.begin(), line.end(),
                                         [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; });
      if (fenced) CHECK_MESSAGE(columns <= 100, page.path << ": " << line);
    }
  }
}

}  // namespace
}  // namespace soya::architecture
