// What is said of a SONiC switch's JSON that cannot be read, or that leaves a choice open.
#include <doctest/doctest.h>

#include <string>

#include "planning/sonic_profile.hpp"

using namespace soya;
using namespace soya::literals;

namespace {

std::string complaint(const std::string& json, const SonicChoice& choice = {}, const std::string& table = "") {
  try {
    SonicBuffers buffers;
    add_sonic_json("b.json", json, buffers);
    std::vector<SonicTableFile> tables;
    if (!table.empty()) tables.push_back({"t.ini", read_sonic_table("t.ini", table)});
    (void)sonic_switch(buffers, tables, choice);
    return {};
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

std::string with_pool(const std::string& rest) {
  return R"({"BUFFER_POOL": {"ingress_lossless_pool": {"size": "1000000"}})" + rest + "}";
}

}  // namespace

TEST_CASE("text that is no JSON is told with its place") {
  CHECK(complaint("{\"BUFFER_POOL\":\n  {,}}") == "b.json:2:4: is not JSON from here on");
  CHECK(complaint("{\"BUFFER_POOL\": {") == "b.json:1:18: is not JSON from here on: the file ends too early");
  CHECK(complaint("{\"BUFFER_POOL\": {},\n}") == "b.json:2:1: is not JSON from here on: leave out the comma before it");
  CHECK(complaint("{\"BUFFER_POOL\": {} # pools\n}") == "b.json:1:20: is not JSON from here on: JSON has no comments");
  CHECK(complaint(std::string(100'000, '[')) == "b.json: nests deeper than 64 levels");
  CHECK(complaint("{%- set default_cable = '5m' %}\n{\"BUFFER_POOL\": {}}") ==
        "b.json:1:2: is a Jinja template, not JSON; render it with sonic-cfggen, or give the switch's config_db.json");
}

TEST_CASE("what a JSON object has twice, and tables that are none, are told") {
  CHECK(complaint(R"({"BUFFER_POOL": {"p": {"size": "1", "size": "2"}}})") ==
        "b.json: the key \"size\" stands twice in one object; SONiC keeps one of them");
  CHECK(complaint(R"({"BUFFER_POOL": 5})") == "b.json: BUFFER_POOL: expected an object of entries, got number");
  CHECK(complaint(R"({"BUFFER_POOL": {"p": "x"}})") ==
        "b.json: BUFFER_POOL.p: expected an object of fields, got string");
}

TEST_CASE("a pool that is missing, or has no size, is told") {
  CHECK(complaint(R"({"BUFFER_POOL": {"egress_lossy_pool": {"size": "1"}}})") ==
        "b.json: BUFFER_POOL: expected the pool ingress_lossless_pool, got egress_lossy_pool");
  CHECK(complaint(R"({"BUFFER_PG": {"Ethernet0|3": {"profile": "x"}}})") ==
        "b.json: BUFFER_POOL: expected the pool ingress_lossless_pool, got no pool");
  CHECK(
      complaint(R"({"BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress"}}})") ==
      "b.json: BUFFER_POOL.ingress_lossless_pool: has no size: a switch in the dynamic buffer model computes it; give "
      "its APPL_DB, which has it");
  CHECK(complaint(R"({"BUFFER_POOL": {"ingress_lossless_pool": {"size": "18 MB"}}})") ==
        "b.json: BUFFER_POOL.ingress_lossless_pool.size: expected a whole number of at least 1, got \"18 MB\"");
}

TEST_CASE("values of a profile that Soya cannot have are told") {
  CHECK(complaint(with_pool(R"(, "BUFFER_PROFILE": {"a": {"xoff": "9", "dynamic_th": "11"}})")) ==
        "b.json: BUFFER_PROFILE.a.dynamic_th: expected n of alpha = 2^n from -8 to 10, got \"11\"");
  CHECK(complaint(with_pool(R"(, "BUFFER_PROFILE": {"a": {"xoff": "9", "dynamic_th": "-9"}})")) ==
        "b.json: BUFFER_PROFILE.a.dynamic_th: expected a whole number of at least -8, got \"-9\"");
  CHECK(complaint(with_pool(R"(, "BUFFER_PROFILE": {"a": {"xoff": "9", "dynamic_th": "1", "static_th": "5"}})")) ==
        "b.json: BUFFER_PROFILE a: has dynamic_th and static_th; expected one of them");
}

TEST_CASE("several lossless profiles leave a choice, and the choices are listed") {
  const std::string two = with_pool(
      R"(, "BUFFER_PROFILE": {"pg_lossless_100000_5m_profile": {"xoff": "9"}, "pg_lossless_100000_40m_profile": {"xoff": "9"}})");
  CHECK(complaint(two) ==
        "b.json: 2 profiles for lossless priority groups are left; choose with --speed and --cable: "
        "pg_lossless_100000_5m_profile, pg_lossless_100000_40m_profile");
  CHECK(complaint(two, {.speed = 100_Gbps, .cable = 40_m}) == "");
  CHECK(complaint(two, {.cable = 300_m}) ==
        "b.json: no such profile for lossless priority groups; choose with --speed and --cable: "
        "pg_lossless_100000_5m_profile, pg_lossless_100000_40m_profile");
  CHECK(
      complaint(with_pool(""), {.speed = 40_Gbps}, "40000 5m 1 2 3 0\n40000 40m 1 2 4 0\n100000 5m 1 2 4 0\n") ==
      "t.ini: 2 profiles for lossless priority groups are left; choose with --speed and --cable: 40 Gbps over 5 m, 40 "
      "Gbps over 40 m");
  CHECK(complaint(with_pool(""), {.speed = 40_Gbps}, "100000 5m 1 2 4 0\n") ==
        "b.json: no such profile for lossless priority groups; choose with --speed and --cable: 100 Gbps over 5 m");
  CHECK(complaint(with_pool(""), {.speed = 40_Gbps}) ==
        "b.json: no profile has an xoff to choose with --speed and --cable; give pg_profile_lookup.ini, too");
}

TEST_CASE("memory beyond what a scenario takes is told") {
  CHECK(complaint(R"({"BUFFER_POOL": {"ingress_lossless_pool": {"size": "1099511627777"}}})") ==
        "b.json: BUFFER_POOL.ingress_lossless_pool.size: expected at most 1099511627776 (1 TiB), got "
        "\"1099511627777\"");
  CHECK(complaint(R"({"BUFFER_POOL": {"ingress_lossless_pool": {"size": "1099511627776", "xoff": "1"}}})") ==
        "b.json: BUFFER_POOL.ingress_lossless_pool: size 1099511627776 + xoff 1 is more than 1099511627776 (1 TiB)");
}
