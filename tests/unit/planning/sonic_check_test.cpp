#include "planning/sonic_check.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace soya;
using namespace soya::literals;

namespace {

SonicTableCheck check_of(const std::string& text) {
  return check_sonic_table("t.ini", read_sonic_table("t.ini", text), {.frame = Bytes{1024 + 62}});
}

std::string warnings_of(const SonicTableCheck& check) {
  std::string all;
  for (const Diagnostic& warning : check.warnings) all += warning.text() + "\n";
  return all;
}

}  // namespace

TEST_CASE("a row is held against the budget of its speed and cable") {
  const SonicTableCheck check = check_of("100000 5m 0 0 30720 0\n100000 300m 0 0 66077 1000\n");
  REQUIRE(check.rows.size() == 2);
  // 5 m: 2 x 25 ns at 12.5 B/ns = 625, waiting 1106, PAUSE 84, response 394 x 64, two frames of 1086.
  CHECK(check.rows[0].budget.automatic == Bytes{625 + 1106 + 84 + 25'216 + 2 * 1086});
  CHECK(check.rows[0].margin() == Bytes{30'720 - 29'203});
  // 27 031 / 1106 = 24.4: 25 frames, 26 as the threshold is dynamic.
  CHECK(check.rows[0].tight() == Bytes{26 * 1086});
  // 300 m: 37 500 in place of 625; 63 906 / 1106 = 57.8: 58 frames. A threshold of 1000 is one of bytes, static.
  CHECK_FALSE(check.rows[1].dynamic);
  CHECK(check.rows[1].margin() == Bytes{-1});
  CHECK(check.rows[1].tight() == check.rows[1].budget.tight_static);
  CHECK(check.rows[1].tight() == Bytes{58 * 1086});
  CHECK(warnings_of(check) == "t.ini:2:1: 100 Gbps over 300 m: xoff 66 077 B is 1 B below the budget of 66 078 B\n");
}

TEST_CASE("rows below 10G count on the response of their speed") {
  const SonicTableCheck check = check_of("100 5m 0 0 3257 0\n1000 300m 0 0 3258 0\n");
  REQUIRE(check.rows.size() == 2);
  // 100M: 2 x 25 ns are 0.6 B, waiting 1106, PAUSE 84, response 1 x 64; 1255 / 1106: two frames and one.
  CHECK(check.rows[0].budget.automatic == Bytes{1 + 1106 + 84 + 64 + 2 * 1086});
  CHECK(check.rows[0].tight() == Bytes{3 * 1086});
  // 1G: 2 x 1.5 us are 375 B, response 2 x 64: 1693.
  CHECK(check.rows[1].budget.automatic == Bytes{375 + 1106 + 84 + 128 + 2 * 1086});
  CHECK(check.rows[1].tight() == Bytes{3 * 1086});
}

TEST_CASE("what is odd among the rows of a table is told") {
  CHECK(
      warnings_of(check_of("100000 5m 0 0 90000 0\n100000 40m 0 0 80000 0\n")) ==
      "t.ini:2:1: 100 Gbps over 40 m: xoff 80 000 B is less than the 90 000 B of the shorter cable of 5 m in line 1\n");
  // 2 x 35 m x 5 ns at 12.5 B/ns.
  CHECK(warnings_of(check_of("100000 40m 0 0 80000 0\n100000 5m 0 0 80000 0\n")) ==
        "t.ini:1:1: 100 Gbps over 40 m: xoff is that of the shorter cable of 5 m in line 2; the longer one holds 4 375 "
        "B more, which the budget allows\n");
  CHECK(warnings_of(check_of("40000 5m 0 0 80000 0\n100000 5m 0 0 70000 0\n")) ==
        "t.ini:2:1: 100 Gbps over 5 m: xoff 70 000 B is less than the 80 000 B of 40 Gbps in line 1\n");
  CHECK(warnings_of(check_of("40000 5m 0 0 70000 0\n100000 5m 0 0 80000 0\n40000 80km 0 0 9000000 0\n")) ==
        "t.ini: 80 km of cable lacks 100 Gbps, which another length has: such a port gets no lossless profile\n");
}

TEST_CASE("rows come by cable, then speed, and the switch whose formula fits best is named") {
  // Rows of ACS-SN5600 in another order.
  const SonicTableCheck check = check_of("800000 5m 0 0 257024 0\n100000 300m 0 0 225280 0\n10000 5m 0 0 45056 0\n");
  CHECK(check.rows[0].row.speed == 10_Gbps);
  CHECK(check.rows[2].row.cable == 300_m);
  CHECK(check.asic->name == "ACS-SN5600");
  CHECK(check.exact == 3);
  CHECK(check.rows[2].sonic == 225'280_B);
}
