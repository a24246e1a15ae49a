#include "planning/sonic_profile.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace soya;
using namespace soya::literals;

namespace {

SonicSwitch switch_of(const std::string& json, const std::string& table = "", const SonicChoice& choice = {}) {
  SonicBuffers buffers;
  add_sonic_json("b.json", json, buffers);
  std::vector<SonicTableFile> tables;
  if (!table.empty()) tables.push_back({"t.ini", read_sonic_table("t.ini", table)});
  return sonic_switch(buffers, tables, choice);
}

bool tells(const SonicSwitch& imported, const std::string& unmapped) {
  return std::ranges::find(imported.unmapped, unmapped) != imported.unmapped.end();
}

// Bai et al., "Empowering Azure Storage with RDMA", NSDI'23, appendix A: 18 MB and 6 MB of a 24 MB switch.
const char* const azure = R"({
  "BUFFER_POOL": {
    "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "18000000", "xoff": "6000000"},
    "egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "14000000"}},
  "BUFFER_PROFILE": {
    "pg_lossless_100000_300m_profile": {"pool": "ingress_lossless_pool", "size": "1248", "xoff": "96928",
                                        "xon": "1248", "xon_offset": "2496", "dynamic_th": "-3"},
    "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "-1"}}})";

// sonic-net/sonic-buildimage, Tomahawk: buffers_defaults_t1.j2 of the RDMA-centric profile, rendered.
const char* const tomahawk = R"({
  "BUFFER_POOL": {
    "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "10875072", "xoff": "4194112"},
    "egress_lossless_pool": {"type": "egress", "mode": "static", "size": "15982720"},
    "egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "9243812"}}})";

// Of device/arista/x86_64-arista_7060_cx32s/Arista-7060CX-32S/pg_profile_lookup.ini there.
const char* const tomahawk_table =
    "# speed cable size    xon  xoff threshold xon_offset\n"
    "10000 5m 1248 2288 35776 0 2288\n"
    "40000 5m 1248 2288 66560 0 2288\n"
    "40000 300m 1248 2288 108160 0 2288\n";

}  // namespace

TEST_CASE("the Azure top-of-rack switch: a pool and what one group may take of it") {
  const SonicSwitch imported = switch_of(azure);
  CHECK(imported.size.value == 24_MB);
  CHECK(imported.size.origin == "BUFFER_POOL ingress_lossless_pool: size 18000000 + xoff 6000000");
  CHECK(imported.reserved.value == 1248_B);
  CHECK(imported.alpha->value == Ratio{1, 8});
  CHECK_FALSE(imported.threshold);
  CHECK(imported.xon_offset->value == 2496_B);
  CHECK(imported.lossy_alpha->value == Ratio{1, 2});
  CHECK(imported.pool->value == 6_MB);
  CHECK(imported.headroom->value == 96'928_B);
  CHECK(imported.unmapped.size() == 3);
  CHECK(
      tells(imported,
            "BUFFER_POOL egress_lossy_pool type egress, mode dynamic, size 14000000: one memory serves every port and "
            "class"));
}

TEST_CASE("a Tomahawk: the row of its table that speed and cable select") {
  const SonicSwitch imported = switch_of(tomahawk, tomahawk_table, {.speed = 40_Gbps, .cable = 5_m});
  CHECK(imported.size.value == Bytes{10'875'072 + 4'194'112});
  CHECK(imported.pool->value == 4'194'112_B);
  CHECK(imported.headroom->value == 66'560_B);
  CHECK(imported.headroom->origin == "t.ini, 40 Gbps over 5 m, line 3: xoff");
  CHECK(imported.reserved.value == 1248_B);
  CHECK(imported.alpha->value == Ratio{1, 1});
  CHECK(imported.xon_offset->value == 2288_B);
}

TEST_CASE("without a pool of headroom a profile's size holds it") {
  // ACS-MSN2700 at 100 Gbps and 300 m: 123 904 of which 104 448 are xoff.
  const SonicSwitch imported =
      switch_of(R"({"BUFFER_POOL": {"ingress_lossless_pool": {"size": "4194304"}}, "BUFFER_PROFILE":
      {"pg_lossless_100000_300m_profile": {"pool": "[BUFFER_POOL|ingress_lossless_pool]", "size": "123904",
       "xon": "19456", "xoff": "104448", "dynamic_th": "7"}}})");
  CHECK_FALSE(imported.pool);
  CHECK(imported.size.value == 4'194'304_B);
  CHECK(imported.headroom->value == 104'448_B);
  CHECK(imported.reserved.value == Bytes{123'904 - 104'448});
  CHECK(imported.alpha->value == Ratio{128, 1});
  CHECK_FALSE(imported.xon_offset);
}

TEST_CASE("a static threshold, and a profile without headroom") {
  const std::string pool = R"({"BUFFER_POOL": {"ingress_lossless_pool": {"size": "1000000", "mode": "static"}})";
  const SonicSwitch by_table = switch_of(pool + "}", "100000 5m 3584 78400 132160 82880\n");
  CHECK_FALSE(by_table.alpha);
  CHECK(by_table.threshold->value == 82'880_B);
  CHECK(by_table.reserved.value == 3584_B);  // smaller than its headroom, so it does not hold it

  const SonicSwitch unknown = switch_of(
      pool +
      R"(, "BUFFER_PROFILE": {"ingress_lossless_profile": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "0"}}})");
  CHECK_FALSE(unknown.headroom);
  CHECK(unknown.alpha->value == Ratio{1, 1});
  CHECK(
      tells(unknown, "no profile has an xoff, and no pg_profile_lookup.ini was given: headroom is left to size: auto"));
}

TEST_CASE("without any lossless profile nothing is reserved, and the line says why") {
  const SonicSwitch bare = switch_of(R"({"BUFFER_POOL": {"ingress_lossless_pool": {"size": "1000000"}}})");
  CHECK(bare.reserved.value == 0_B);
  CHECK(bare.reserved.origin == "no profile of a lossless group, so no size");
}

TEST_CASE("a profile of the switch counts before the row of a table for the same port") {
  const SonicSwitch imported = switch_of(azure, "100000 300m 1 2 3 0\n", {.speed = 100_Gbps, .cable = 300_m});
  CHECK(imported.headroom->value == 96'928_B);
}

TEST_CASE("headroom of 0 is no size that a scenario takes: it is told and left out") {
  const std::string profile =
      R"("BUFFER_PROFILE": {"pg_lossless_100000_80km_profile": {"size": "1248", "xoff": "0", "dynamic_th": "0"},
                            "other": {"pool": "gone", "xoff": "5"}}})";
  const SonicSwitch own = switch_of(R"({"BUFFER_POOL": {"ingress_lossless_pool": {"size": "1000000"}}, )" + profile);
  CHECK_FALSE(own.headroom);
  CHECK(tells(own,
              "BUFFER_PROFILE pg_lossless_100000_80km_profile: xoff 0: a lossless group without headroom; left to "
              "size: auto"));
  CHECK(tells(own, "BUFFER_PROFILE other pool gone, xoff 5: its pool is not ingress_lossless_pool"));
  // A cable is a length, however it is written.
  const SonicSwitch shared =
      switch_of(R"({"BUFFER_POOL": {"ingress_lossless_pool": {"size": "1000000", "xoff": "9"}}, )" + profile, "",
                {.cable = Length{80'000'000}});
  CHECK_FALSE(shared.headroom);
  CHECK(tells(shared,
              "BUFFER_PROFILE pg_lossless_100000_80km_profile: xoff 0: a lossless group without headroom; its share of "
              "the pool is left without a cap"));
  const SonicSwitch no_size = switch_of(
      R"({"BUFFER_POOL": {"ingress_lossless_pool": {"size": "1000000"}}, "BUFFER_PROFILE": {"p": {"xoff": "5"}}})");
  CHECK(no_size.reserved.origin == "BUFFER_PROFILE p: no size");
}
