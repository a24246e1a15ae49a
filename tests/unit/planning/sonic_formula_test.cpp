// The formula of SONiC's Mellanox switches against the tables that ship with them.
#include <doctest/doctest.h>

#include <span>
#include <string>

#include "planning/headroom_formulas.hpp"

using namespace soya;
using namespace soya::literals;

namespace {

/// A row of a pg_profile_lookup.ini, its columns in its order.
struct Row {
  std::int64_t mbps;
  std::int64_t metres;
  std::int64_t size;
  std::int64_t xon;
  std::int64_t xoff;
};

// Figures of sonic-net/sonic-buildimage at commit 086b03bd, device/mellanox/{folder}/{switch}/pg_profile_lookup.ini.
// x86_64-mlnx_msn2700-r0/ACS-MSN2700
constexpr Row msn2700[] = {
    {10000, 5, 49152, 19456, 29696},  {10000, 40, 49152, 19456, 29696},  {10000, 300, 56320, 19456, 36864},
    {25000, 5, 49152, 19456, 29696},  {25000, 40, 51200, 19456, 31744},  {25000, 300, 67584, 19456, 48128},
    {40000, 5, 49152, 19456, 29696},  {40000, 40, 52224, 19456, 32768},  {40000, 300, 78848, 19456, 59392},
    {50000, 5, 49152, 19456, 29696},  {50000, 40, 53248, 19456, 33792},  {50000, 300, 86016, 19456, 66560},
    {100000, 5, 50176, 19456, 30720}, {100000, 40, 58368, 19456, 38912}, {100000, 300, 123904, 19456, 104448},
};

// x86_64-mlnx_msn3700-r0/ACS-MSN3700
constexpr Row msn3700[] = {
    {10000, 5, 52224, 19456, 32768},  {10000, 40, 53248, 19456, 33792},  {10000, 300, 60416, 19456, 40960},
    {25000, 5, 52224, 19456, 32768},  {25000, 40, 55296, 19456, 35840},  {25000, 300, 73728, 19456, 54272},
    {40000, 5, 53248, 19456, 33792},  {40000, 40, 57344, 19456, 37888},  {40000, 300, 86016, 19456, 66560},
    {50000, 5, 53248, 19456, 33792},  {50000, 40, 58368, 19456, 38912},  {50000, 300, 95232, 19456, 75776},
    {100000, 5, 53248, 19456, 33792}, {100000, 40, 63488, 19456, 44032}, {100000, 300, 137216, 19456, 117760},
    {200000, 5, 55296, 19456, 35840}, {200000, 40, 74752, 19456, 55296}, {200000, 300, 223232, 19456, 203776},
};

// x86_64-mlnx_msn4700-r0/ACS-MSN4700
constexpr Row msn4700[] = {
    {10000, 5, 52224, 19456, 32768},  {10000, 40, 53248, 19456, 33792},   {10000, 300, 60416, 19456, 40960},
    {25000, 5, 52224, 19456, 32768},  {25000, 40, 55296, 19456, 35840},   {25000, 300, 73728, 19456, 54272},
    {40000, 5, 53248, 19456, 33792},  {40000, 40, 57344, 19456, 37888},   {40000, 300, 86016, 19456, 66560},
    {50000, 5, 53248, 19456, 33792},  {50000, 40, 58368, 19456, 38912},   {50000, 300, 95232, 19456, 75776},
    {100000, 5, 53248, 19456, 33792}, {100000, 40, 63488, 19456, 44032},  {100000, 300, 137216, 19456, 117760},
    {200000, 5, 55296, 19456, 35840}, {200000, 40, 74752, 19456, 55296},  {200000, 300, 223232, 19456, 203776},
    {400000, 5, 86016, 37888, 38912}, {400000, 40, 124928, 37888, 77824}, {400000, 300, 420864, 37888, 373760},
};

// x86_64-nvidia_sn5600-r0/ACS-SN5600
constexpr Row sn5600[] = {
    {10000, 5, 64512, 19456, 45056},    {10000, 40, 65536, 19456, 46080},    {10000, 300, 75776, 19456, 56320},
    {25000, 5, 67584, 19456, 48128},    {25000, 40, 71680, 19456, 52224},    {25000, 300, 96256, 19456, 76800},
    {40000, 5, 75776, 19456, 57344},    {40000, 40, 81920, 19456, 62464},    {40000, 300, 120832, 19456, 101376},
    {50000, 5, 82944, 19456, 63488},    {50000, 40, 89088, 19456, 69632},    {50000, 300, 138240, 19456, 118784},
    {100000, 5, 133120, 19456, 113664}, {100000, 40, 146432, 19456, 126976}, {100000, 300, 244736, 19456, 225280},
    {200000, 5, 150528, 19456, 131072}, {200000, 40, 177152, 19456, 157696}, {200000, 300, 374784, 19456, 355328},
    {400000, 5, 250880, 19456, 231424}, {400000, 40, 303104, 19456, 283648}, {400000, 300, 697344, 19456, 677888},
    {800000, 5, 304128, 38912, 257024}, {800000, 40, 410624, 38912, 362496}, {800000, 300, 1198080, 38912, 1150976},
};

HeadroomQuery query_of(const Row& row) {
  const Length length{row.metres * 1'000};
  return {.rate = Rate{row.mbps * 1'000'000},
          .one_way = propagation(length, 5_us),
          .largest_frame = Bytes{1024 + 62},
          .length = length};
}

/// Rows whose xoff the formula gives exactly.
std::size_t rows_matched(const SonicAsic& asic, std::span<const Row> rows) {
  std::size_t matched = 0;
  for (const Row& row : rows) {
    const FormulaAnswer answer = sonic_headroom(asic, query_of(row));
    REQUIRE_MESSAGE(answer.size.has_value(), answer.reason);
    CAPTURE(std::string{asic.name});
    CAPTURE(row.mbps);
    CAPTURE(row.metres);
    CHECK(answer.size->count() == row.xoff);
    if (answer.size->count() == row.xoff) ++matched;
  }
  return matched;
}

}  // namespace

TEST_CASE("every row of four shipped SONiC tables comes out exactly") {
  CHECK(rows_matched(sonic_asics[0], msn2700) == 15);
  CHECK(rows_matched(sonic_asics[1], msn3700) == 18);
  CHECK(rows_matched(sonic_asics[2], msn4700) == 21);
  CHECK(rows_matched(sonic_asics[3], sn5600) == 24);
}

TEST_CASE("two rows by hand") {
  // (9100 + 2 x 300 m / 1.98e8 m/s x 12.5e9 B/s + 819.2 + 3891.2) x 2 + 1024 = 104 402.4, up to 102 KiB.
  CHECK(*sonic_headroom(sonic_asics[0], query_of({100'000, 300, 0, 0, 0})).size == 102_KiB);
  // (9216 + 37 878.8 + 819.2 + 394 x 64 + 1500) x 3 + 1024 = 224 914, up to 220 KiB.
  CHECK(*sonic_headroom(sonic_asics[3], query_of({100'000, 300, 0, 0, 0})).size == 220_KiB);
}

TEST_CASE("the cable term takes mega as a million") {
  // 2 x 300 m / 1.98e8 m/s = 3.0303 us at 50 B/ns. With 1024 for 1000 it was 147 964 B, 2.34 % low: sonic-swss PR 3235.
  const FormulaAnswer answer = sonic_headroom(sonic_asics[2], query_of({400'000, 300, 0, 0, 0}));
  REQUIRE(answer.parts[2].name == "cable, both ways");
  CHECK(answer.parts[2].size == 151'515_B);
}

TEST_CASE("the same question has the same answer, again and in another order") {
  // Of 3 speeds and 3 cables; a factor that a call changes for the next one was sonic-mgmt PR 5293.
  const Row rows[] = {{25'000, 5, 0, 0, 0},  {25'000, 40, 0, 0, 0},  {25'000, 300, 0, 0, 0},
                      {100'000, 5, 0, 0, 0}, {100'000, 40, 0, 0, 0}, {100'000, 300, 0, 0, 0},
                      {400'000, 5, 0, 0, 0}, {400'000, 40, 0, 0, 0}, {400'000, 300, 0, 0, 0}};
  for (const HeadroomFormula formula : headroom_formulas) {
    std::vector<std::optional<Bytes>> first;
    for (const Row& row : rows) first.push_back(formula_headroom(formula, query_of(row)).size);
    for (std::size_t i = first.size(); i-- > 0;) {
      CHECK(formula_headroom(formula, query_of(rows[i])).size == first[i]);
      CHECK(formula_headroom(formula, query_of(rows[i])).size == first[i]);
    }
  }
}

TEST_CASE("a switch has no value for ports it does not have") {
  CHECK_FALSE(sonic_headroom(sonic_asics[0], query_of({200'000, 5, 0, 0, 0})).size);
  CHECK(sonic_headroom(sonic_asics[1], query_of({400'000, 5, 0, 0, 0})).reason ==
        "ACS-MSN3700 has ports up to 200 Gbps");
  // 802.3 names no response time between 100 and 200 Gbps.
  CHECK(sonic_headroom(sonic_asics[3], query_of({150'000, 5, 0, 0, 0})).reason ==
        "ACS-SN5600 has no response time for 150 Gbps");
}
