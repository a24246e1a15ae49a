#include "scenario/key_path.hpp"

#include <doctest/doctest.h>

using namespace soya;
using namespace soya::reading;

namespace {

/// Steps as text again: keys after a slash, items after a hash.
std::string steps(std::string_view path) {
  std::string wrong;
  const auto parsed = parse_key_path(path, wrong);
  if (!parsed) return "! " + wrong;
  std::string out;
  for (const Step& step : *parsed) out += step.item ? '#' + std::to_string(*step.item) : '/' + step.key;
  return out;
}

}  // namespace

TEST_CASE("a key path is keys behind dots and items in brackets") {
  CHECK(steps("seed") == "/seed");
  CHECK(steps("fabric.headroom.size") == "/fabric/headroom/size");
  CHECK(steps("workload[0].ddp.backward") == "/workload#0/ddp/backward");
  CHECK(steps("topology.links[12].between[1]") == "/topology/links#12/between#1");
  CHECK(steps("switches.札幌-dci.buffer") == "/switches/札幌-dci/buffer");
  CHECK(steps("switches.\"leaf.1\".latency") == "/switches/leaf.1/latency");
  CHECK(steps("switches.\"a\\\"b\"") == "/switches/a\"b");
}

TEST_CASE("what is no key path says why") {
  CHECK(steps("") == "! it must begin with a key");
  CHECK(steps("[0].a") == "! it must begin with a key");
  CHECK(steps("a..b") == "! a key is empty");
  CHECK(steps("a.") == "! a key is empty");
  CHECK(steps("a[x]") == "! [ ] must hold a number counted from 0");
  CHECK(steps("a[-1]") == "! [ ] must hold a number counted from 0");
  CHECK(steps("a[1") == "! [ ] must hold a number counted from 0");
  CHECK(steps("a[9999999999999999999999]") == "! [ ] must hold a number counted from 0");
  CHECK(steps("a[1]b") == "! expected a dot or [ behind ]");
  CHECK(steps("a.\"b") == "! a quote is not closed");
  CHECK(steps("a.\"b\"c") == "! expected a dot or [ behind a quoted name");
  CHECK(steps("a b") == "! \"a b\" needs quotes");
}

TEST_CASE("an equals sign in quotes does not end a path") {
  CHECK(find_unquoted("a.b=c=d", '=') == 3);
  CHECK(find_unquoted("a.\"x=y\"=c", '=') == 7);
  CHECK(find_unquoted("abc", '=') == std::string_view::npos);
}

TEST_CASE("a path as it is printed is a path that parses") {
  for (const char* name : {"leaf1", "leaf.1", "a b", "a\"b", "a\\b", "x[0]", "札幌", "a=b"}) {
    const Path root;
    const Path outer = root.key("switches");
    const std::string printed = outer.key(name).text();
    CAPTURE(printed);
    std::string wrong;
    const auto parsed = parse_key_path(printed, wrong);
    REQUIRE(parsed.has_value());
    CHECK(parsed->size() == 2);
    CHECK(parsed->back().key == name);
  }
}
