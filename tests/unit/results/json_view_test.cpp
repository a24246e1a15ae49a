#include "results/json_view.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace soya;

TEST_CASE("a JSON text is walked in place") {
  const std::string text = R"( {"a" : 1.5, "b": [true, false, null, "x\"y\u00e9", {}, []], "c": {"d": -2e3}} )";
  const JsonView view{text};
  const JsonValue root = view.root();
  CHECK(root.is(JsonValue::Kind::object));
  CHECK(root.size() == 3);
  CHECK(root.member("a").number() == 1.5);
  CHECK(root.member("c").member("d").number() == -2'000);
  CHECK(root.member("a").next().key() == "b");
  CHECK_FALSE(root.member("e"));
  CHECK_FALSE(root.member("a").member("d"));
  JsonValue item = root.member("b").first();
  CHECK(item.number() == 1);
  item = item.next();
  CHECK(item.number() == 0);
  item = item.next();
  CHECK(item.is(JsonValue::Kind::null));
  CHECK_FALSE(item.number());
  item = item.next();
  CHECK(item.text() == "x\"y\u00e9");
  item = item.next();
  CHECK(item.is(JsonValue::Kind::object));
  CHECK_FALSE(item.first());
  item = item.next();
  CHECK(item.is(JsonValue::Kind::array));
  CHECK_FALSE(item.next());
}

TEST_CASE("what is no value has nothing in it") {
  const JsonValue none;
  CHECK_FALSE(none);
  CHECK_FALSE(none.number());
  CHECK(none.text() == "");
  CHECK(none.key() == "");
  CHECK(none.size() == 0);
  CHECK_FALSE(none.first());
  CHECK_FALSE(none.next());
  CHECK_FALSE(none.member("a"));
}

TEST_CASE("what is no JSON is refused") {
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  for (const std::string& text :
       {std::string{}, std::string{"{"}, std::string{"{\"a\"}"}, std::string{"{\"a\":}"}, std::string{"[1 2]"},
        std::string{"[1,2"}, std::string{"\"a"}, std::string{"\"a\\"}, std::string{"tru"}, std::string{"1 1"},
        std::string{"{a:1}"}, std::string{"[1],"}, std::string{"[1,]"}, deep}) {
    CAPTURE(text.substr(0, 20));
    CHECK_THROWS_AS(JsonView{text}, std::invalid_argument);
  }
}
