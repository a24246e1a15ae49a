// docs/scenario.md carries every key as sim/scenario declares it. UPDATE_SNAPSHOTS=1 renews the page.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/simulation.hpp"
#include "architecture/source_files.hpp"
#include "scenario/key_text.hpp"
#include "scenario/keys.hpp"
#include "scenario/read.hpp"
#include "support/temporary_folder.hpp"

namespace soya::architecture {
namespace {

using reading::Key;
using reading::SectionId;
using reading::SectionKeys;

/// A table's cell: a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '|') out += '\\';
    out += letter;
  }
  return out;
}

std::string code(std::string_view text) {
  return text.empty() ? std::string{} : "`" + cell(text) + "`";
}

std::string default_text(const Key& key) {
  if (key.required) return "required";
  if (key.standard.empty()) return "";
  return code(key.standard) + (key.source.empty() ? "" : ": " + cell(key.source));
}

std::string rows(std::span<const Key> keys) {
  std::string text = "| key | value | default | meaning |\n|---|---|---|---|\n";
  for (const Key& key : keys) {
    text += "| " + code(key.name) + " | " + reading::value_text(key, code) + " | " + default_text(key) + " | " + cell(key.meaning) +
            " |\n";
  }
  return text;
}

/// What a mapping is called where others share its keys.
std::string shared_text(const SectionKeys& section) {
  for (const SectionKeys& other : reading::all_sections()) {
    if (other.own.data() != section.shared.data()) continue;
    return "\nand the keys of " +
           (other.place.empty() ? "[messages](#messages-keys-of-flows-and-incasts)" : code(other.place)) + ".\n";
  }
  return "";
}

std::string page_tables() {
  std::string text;
  for (const SectionKeys& section : reading::all_sections()) {
    std::string title = section.place.empty() ? "Messages: keys of flows and incasts" : code(section.place);
    if (section.id == SectionId::root) title = "The top level";
    text += (text.empty() ? "### " : "\n### ") + title + "\n\n" + rows(section.own) + shared_text(section);
  }
  return text;
}

TEST_CASE("docs/scenario.md carries every key as declared") {
  const std::filesystem::path page = std::filesystem::path{SOYA_SOURCE_DIR} / "docs" / "scenario.md";
  const std::string begin =
      "<!-- keys: written from sim/scenario/key_tables*.hpp, UPDATE_SNAPSHOTS=1 renews them -->\n\n";
  std::string text = test::read_text(page);
  const std::size_t start = text.find(begin);
  REQUIRE_MESSAGE(start != std::string::npos, page.string());
  if (std::getenv("UPDATE_SNAPSHOTS") != nullptr) {
    test::write_text(page, text.substr(0, start) + begin + page_tables());
    text = test::read_text(page);
  }
  CHECK(text.substr(start + begin.size()) == page_tables());
}

TEST_CASE("docs/scenario.md carries the spellings of values as declared") {
  const std::filesystem::path page = std::filesystem::path{SOYA_SOURCE_DIR} / "docs" / "scenario.md";
  const std::string begin = "| kind | spellings |\n|---|---|\n";
  std::string rows;
  for (const reading::Spelling& kind : reading::spellings()) {
    rows += "| " + std::string{kind.name} + " | " + cell(kind.spellings) + " |\n";
  }
  std::string text = test::read_text(page);
  const std::size_t start = text.find(begin);
  REQUIRE_MESSAGE(start != std::string::npos, page.string());
  const std::size_t end = text.find("\n\n", start) + 1;
  if (std::getenv("UPDATE_SNAPSHOTS") != nullptr) {
    text = text.replace(start + begin.size(), end - start - begin.size(), rows);
    test::write_text(page, text);
  }
  CHECK(text.substr(start + begin.size(), rows.size() + 1) == rows + "\n");
}

TEST_CASE("the examples of docs/scenario.md are scenarios") {
  namespace fs = std::filesystem;
  const fs::path project{SOYA_SOURCE_DIR};
  const test::TemporaryFolder folder;
  fs::create_symlink(project / "topologies", folder / "topologies");
  fs::create_directory(folder / "scenarios");
  fs::create_symlink(project / "scenarios/models", folder / "scenarios/models");
  const std::vector<std::string> examples = yaml_blocks(test::read_text(project / "docs/scenario.md"));
  REQUIRE(examples.size() >= 2);
  for (const std::string& example : examples) {
    const std::string file = folder / "scenarios/example.yaml";
    test::write_text(file, example);
    CAPTURE(example);
    CHECK_NOTHROW((void)Simulation{read_scenario(file)});
    for (const std::string& variant : variant_names(file)) {
      CAPTURE(variant);
      CHECK_NOTHROW((void)Simulation{read_scenario(file, {.sets = {}, .seed = {}, .variant = variant})});
    }
  }
}

}  // namespace
}  // namespace soya::architecture
