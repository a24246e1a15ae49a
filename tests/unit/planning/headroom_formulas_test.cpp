#include "planning/headroom_formulas.hpp"

#include <doctest/doctest.h>

#include "net/pfc_config.hpp"

using namespace soya;
using namespace soya::literals;

namespace {

HeadroomQuery at(Rate rate, Length length) {
  return {.rate = rate, .one_way = propagation(length, 5_us), .largest_frame = Bytes{4096 + 62}, .length = length};
}

Bytes size_of(const FormulaAnswer& answer) {
  REQUIRE_MESSAGE(answer.size.has_value(), answer.reason);
  return *answer.size;
}

}  // namespace

TEST_CASE("soya is the budget, part by part") {
  const FormulaAnswer answer = soya_headroom(at(100_Gbps, 5_m));
  // 2 x 25 ns at 12.5 B/ns + 4178 + 84 + 2 x 4158.
  CHECK(size_of(answer) == 13'203_B);
  CHECK(answer.parts[0].size == 625_B);
}

TEST_CASE("cisco: bit times of its table") {
  // 73 888 + 672 + 122 880 + 2 x 1500 ns x 100 + 201 728 + 18 560 = 717 728 bits.
  CHECK(size_of(cisco_headroom(at(100_Gbps, 300_m))) == Bytes{717'728 / 8});
  // 73 888 + 672 + 8192 + 2 x 25 ns x 10 + 30 720 + 18 560 = 132 532 bits = 16 566.5 B.
  CHECK(size_of(cisco_headroom(at(10_Gbps, 5_m))) == 16'567_B);
  const FormulaAnswer unknown = cisco_headroom(at(200_Gbps, 5_m));
  CHECK_FALSE(unknown.size);
  CHECK(unknown.reason == "the table has 10, 25, 40 and 100 Gbps, not 200 Gbps");
}

TEST_CASE("mlx5: whole numbers at each step, 40 Gbps at least") {
  // (301 + 648) x 100 + floor(2.72 x 4140); the MTU leaves 18 B of Ethernet out.
  CHECK(size_of(mlx5_headroom(at(100_Gbps, 300_m))) == Bytes{94'900 + 11'260});
  // 2.16 x 7 m = 15.12: (301 + 15) x 40.
  CHECK(size_of(mlx5_headroom(at(25_Gbps, 7_m))) == Bytes{316 * 40 + 11'260});
}

TEST_CASE("hpcc: three times rate and delay, less than one frame on a short cable") {
  // 12.5 B/ns x 25 ns = 312.5, and no fractions: 3 x 312.
  CHECK(size_of(hpcc_headroom(at(100_Gbps, 5_m))) == 936_B);
  CHECK(size_of(hpcc_headroom(at(100_Gbps, 300_km))) == Bytes{3 * 18'750'000});
}

TEST_CASE("dsh: eta of the paper's switch") {
  HeadroomQuery query = at(100_Gbps, 400_m);  // 2 us
  query.largest_frame = 1500_B;
  // 2 x (25 000 + 1500) + 3840.
  CHECK(size_of(dsh_headroom(query)) == 56'840_B);
}

TEST_CASE("qdt: the budget of a delay as it was measured") {
  HeadroomQuery query = at(100_Gbps, 5_m);
  query.one_way = 32_ns;  // 25 ns, on a clock of 8 ns
  // 2 x 32 ns at 12.5 B/ns = 800 in place of 625.
  CHECK(size_of(qdt_headroom(query)) == Bytes{13'203 - 625 + 800});
}

TEST_CASE("formulas in metres take the cable, not the delay, and 5 us/km where no cable is told") {
  HeadroomQuery query = at(100_Gbps, 300_m);
  query.one_way += 7_us;  // transport
  CHECK(size_of(mlx5_headroom(query)) == 106'160_B);
  CHECK(size_of(cisco_headroom(query)) == Bytes{717'728 / 8});
  query = at(100_Gbps, 300_m);
  query.length.reset();
  CHECK(size_of(mlx5_headroom(query)) == 106'160_B);
}

TEST_CASE("the parts of every answer add up to it") {
  for (const Rate rate : {10_Gbps, 25_Gbps, 100_Gbps, 400_Gbps, 800_Gbps, Rate{1'600'000'000'000}}) {
    for (const Length length : {Length{1}, 5_m, 300_m, 80_km, 300_km}) {
      HeadroomQuery query = at(rate, length);
      query.response = response_time(PfcConfig{}, rate);
      query.cell = 144_B;
      for (const HeadroomFormula formula : headroom_formulas) {
        const FormulaAnswer answer = formula_headroom(formula, query);
        CAPTURE(formula_name(formula));
        CHECK(answer.size.has_value() == answer.reason.empty());
        Bytes sum{0};
        for (const HeadroomPart& part : answer.parts) sum += part.size;
        CHECK(sum == answer.size.value_or(Bytes{0}));
      }
    }
  }
}
