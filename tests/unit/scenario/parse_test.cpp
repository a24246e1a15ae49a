#include "scenario/parse.hpp"

#include <doctest/doctest.h>

using namespace soya;
using namespace soya::reading;

namespace {

/// A tree in one line: {key: value}, [item], ~ for null.
std::string flat(const Node& node) {
  if (node.type == NodeType::null) return "~";
  if (node.is_scalar()) return node.text;
  std::string out = node.is_list() ? "[" : "{";
  for (const Node& child : node.children) {
    if (out.size() > 1) out += ", ";
    if (node.is_map()) out += child.key + ": ";
    out += flat(child);
  }
  return out + (node.is_list() ? ']' : '}');
}

std::string parsed(const std::string& text) {
  Sources sources;
  const std::uint32_t source = sources.add("f", {});
  Problems problems{sources};
  const auto root = parse_yaml(text, source, problems);
  std::string out = root ? flat(*root) : "";
  for (const Diagnostic& problem : problems.sorted(100)) out += "! " + problem.text();
  return out;
}

}  // namespace

TEST_CASE("block and flow style, quotes and nulls make one tree") {
  CHECK(parsed("a: 1\nb: [x, 'y z', \"w\"]\nc:\n  d: {e: f}\n  g:\n") ==
        "{a: 1, b: [x, y z, w], c: {d: {e: f}, g: ~}}");
  CHECK(parsed("- 1\n- - 2\n  - 3\n") == "[1, [2, 3]]");
  CHECK(parsed("") == "~");
}

TEST_CASE("a byte order mark and CRLF change nothing") {
  CHECK(parsed("\xEF\xBB\xBF"
               "a: 1\r\nb: {c: 2}\r\n") == "{a: 1, b: {c: 2}}");
}

TEST_CASE("aliases are expanded") {
  CHECK(parsed("a: &x {b: 1}\nc: *x\nd: [*x, *x]\n") == "{a: {b: 1}, c: {b: 1}, d: [{b: 1}, {b: 1}]}");
}

TEST_CASE("merge keys: explicit keys win, then the first map") {
  CHECK(parsed("a: &x {mtu: 4096, rate: 1}\nb: {<<: *x, rate: 2}\n") ==
        "{a: {mtu: 4096, rate: 1}, b: {rate: 2, mtu: 4096}}");
  CHECK(parsed("- &x {a: 1, b: 1}\n- &y {b: 2, c: 2}\n- {<<: [*x, *y], c: 3}\n") ==
        "[{a: 1, b: 1}, {b: 2, c: 2}, {c: 3, a: 1, b: 1}]");
  CHECK(parsed("a: {\"<<\": 1}\n") == "{a: {<<: 1}}");
}

TEST_CASE("places count lines and characters from 1") {
  Sources sources;
  const std::uint32_t source = sources.add("f", {});
  Problems problems{sources};
  const auto root = parse_yaml("a: 1\n札幌: {稚内: [x, y]}\n", source, problems);
  REQUIRE(root.has_value());
  // 札幌: {稚内: [x, y]}: columns 1 to 2, then `: {`, so 稚内 begins at 6 and y at 14.
  const Node& list = root->children[1].children[0];
  CHECK(list.key_place.line == 2);
  CHECK(list.key_place.column == 6);
  CHECK(list.children[1].place.column == 14);
}

TEST_CASE("many aliases in reach of reason are fine") {
  std::string text = "a: &a [1, 2, 3, 4]\nb:\n";
  for (int i = 0; i < 1'000; ++i) text += "  - *a\n";
  CHECK(parsed(text).find('!') == std::string::npos);
}
