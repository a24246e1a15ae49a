#include "scenario/tree.hpp"

#include <doctest/doctest.h>

using namespace soya;
using namespace soya::reading;

namespace {

Node scalar(std::string key, std::string text) {
  Node node;
  node.type = NodeType::scalar;
  node.key = std::move(key);
  node.text = std::move(text);
  return node;
}

Node map(std::string key, std::vector<Node> children) {
  Node node;
  node.type = NodeType::map;
  node.key = std::move(key);
  node.children = std::move(children);
  return node;
}

}  // namespace

TEST_CASE("maps merge, scalars and lists replace") {
  Node base = map("", {scalar("a", "1"), map("m", {scalar("x", "1"), scalar("y", "2")})});
  Node list;
  list.type = NodeType::list;
  list.key = "a";
  overlay(base, map("", {map("m", {scalar("y", "3"), scalar("z", "4")}), list}));
  CHECK(base.find("a")->is_list());
  CHECK(base.find("m")->children.size() == 3);
  CHECK(base.find("m")->find("x")->text == "1");
  CHECK(base.find("m")->find("y")->text == "3");
  CHECK(base.find("m")->find("z")->text == "4");
}

TEST_CASE("large maps merge by key as small ones do") {
  std::vector<Node> many;
  for (int i = 0; i < 100; ++i) many.push_back(scalar("k" + std::to_string(i), "old"));
  Node base = map("", many);
  overlay(base, map("", {scalar("k57", "new"), scalar("k100", "new")}));
  CHECK(base.children.size() == 101);
  CHECK(base.find("k57")->text == "new");
  CHECK(base.find("k56")->text == "old");
}

TEST_CASE("a key takes the place of its rival") {
  Node base = map("", {scalar("alpha", "1/8"), scalar("size", "1MB")});
  overlay(base, map("", {scalar("threshold", "64KiB")}));
  CHECK(base.find("alpha") == nullptr);
  CHECK(base.find("threshold")->text == "64KiB");
  CHECK(base.find("size")->text == "1MB");
}

TEST_CASE("rivals given together stay, for the reader to refuse") {
  Node base = map("", {scalar("alpha", "1/8")});
  overlay(base, map("", {scalar("threshold", "64KiB"), scalar("alpha", "1")}));
  CHECK(base.children.size() == 2);
}

TEST_CASE("an empty value over a mapping changes nothing") {
  Node base = map("", {map("m", {scalar("x", "1")})});
  Node empty;
  empty.key = "m";
  overlay(base, map("", {empty}));
  CHECK(base.find("m")->find("x")->text == "1");
}

TEST_CASE("problems come in file order, once, and no more than asked for") {
  Sources sources;
  (void)sources.add("a", {});
  (void)sources.add("b", {});
  Problems problems{sources};
  problems.add({1, 1, 1}, "k", "fourth");
  problems.add({0, 7, 9}, "k", "third");
  problems.add({0, 7, 2}, "k", "second");
  problems.add({0, 1, 1}, "", "first");
  problems.add({0, 1, 1}, "", "first");
  const auto all = problems.sorted(10);
  REQUIRE(all.size() == 4);
  CHECK(all[0].text() == "a:1:1: first");
  CHECK(all[1].text() == "a:7:2: k: second");
  CHECK(all[3].text() == "b:1:1: k: fourth");
  CHECK(problems.sorted(2).back().text() == "and 2 more errors");
  CHECK(problems.sorted(3).back().text() == "and 1 more error");
}
