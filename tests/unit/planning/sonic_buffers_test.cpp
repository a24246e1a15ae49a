#include "planning/sonic_buffers.hpp"

#include <doctest/doctest.h>

using namespace soya;

namespace {

SonicBuffers buffers_of(const std::string& text) {
  SonicBuffers buffers;
  add_sonic_json("b.json", text, buffers);
  return buffers;
}

}  // namespace

TEST_CASE("the entries of buffer tables, in the shapes that SONiC writes") {
  // A rendered buffers.json; numbers without quotes; a whole database under its name; keys as Redis has them, with and
  // without their type; APPL_DB's list.
  const char* const shapes[] = {
      R"({"BUFFER_POOL": {"p": {"type": "ingress", "size": "5"}}})",
      R"({"BUFFER_POOL": {"p": {"type": "ingress", "size": 5}}})",
      R"({"CONFIG_DB": {"localhost": {"BUFFER_POOL": {"p": {"type": "ingress", "size": "5"}}}}})",
      R"({"BUFFER_POOL|p": {"type": "ingress", "size": "5"}})",
      R"({"BUFFER_POOL_TABLE:p": {"type": "hash", "value": {"type": "ingress", "size": "5"}}})",
      R"([{"BUFFER_POOL_TABLE:p": {"type": "ingress", "size": "5"}, "OP": "SET"}])",
      "\xEF\xBB\xBF{\"BUFFER_POOL\": {\"p\": {\"type\": \"ingress\", \"size\": \"5\"}}}"};
  for (const char* const shape : shapes) {
    CAPTURE(shape);
    const SonicBuffers buffers = buffers_of(shape);
    REQUIRE(buffers.entries.size() == 1);
    const SonicEntry* pool = buffers.find("BUFFER_POOL", "p");
    REQUIRE(pool != nullptr);
    CHECK(pool->field("size") == "5");
    CHECK(pool->field("type") == "ingress");
    CHECK_FALSE(pool->field("xoff"));
  }
}

TEST_CASE("tables without buffer settings are named, each once") {
  const SonicBuffers buffers = buffers_of(
      R"({"PORT": {"Ethernet0": {"speed": "100000"}}, "BUFFER_PG": {"Ethernet0|3-4": {"profile": "x"}}, "CABLE_LENGTH": {}})");
  CHECK(buffers.other_tables == std::vector<std::string>{"PORT", "CABLE_LENGTH"});
  REQUIRE(buffers.entries.size() == 1);
  CHECK(buffers.entries[0].title() == "BUFFER_PG Ethernet0|3-4");
}

TEST_CASE("several files add up, and may repeat an entry but not change it") {
  SonicBuffers buffers = buffers_of(R"({"BUFFER_POOL": {"p": {"size": "5"}}})");
  add_sonic_json("c.json", R"({"BUFFER_POOL": {"p": {"size": "5"}}, "BUFFER_PROFILE": {"q": {"size": "0"}}})", buffers);
  CHECK(buffers.entries.size() == 2);
  CHECK_THROWS_WITH_AS(add_sonic_json("d.json", R"({"BUFFER_POOL": {"p": {"size": "6"}}})", buffers),
                       "d.json: BUFFER_POOL.p: differs from that of b.json; give the files of one switch",
                       ScenarioError);
}

TEST_CASE("buffer tables are found at any depth and in lists, and what holds none is named, whatever it is") {
  const SonicBuffers buffers = buffers_of(
      R"({"a": {"b": {"c": {"d": {"e": {"f": {"BUFFER_POOL": {"p": {"size": "5"}}}}}}}},
          "list": [1, {"BUFFER_PROFILE": {"q": {"size": "0"}}}], "version": 3, "empty": []})");
  REQUIRE(buffers.entries.size() == 2);
  CHECK(buffers.entries[0].title() == "BUFFER_POOL p");
  CHECK(buffers.entries[1].title() == "BUFFER_PROFILE q");
  CHECK(buffers.other_tables == std::vector<std::string>{"version", "empty"});
}
