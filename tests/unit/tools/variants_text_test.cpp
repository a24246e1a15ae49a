#include "soya/variants_text.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "support/sample_results.hpp"

using namespace soya;
using namespace soya::cli;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("variants stand side by side, one row each, with the reason of an unsound one") {
  const std::vector<Outcome> outcomes{{{"", test::incast_results()}, Expectation::sound},
                                      {{"札幌", test::incast_results()}, Expectation::unsound},
                                      {{"starved", test::starved_results()}, Expectation::unsound}};
  const std::string text = variants_text(outcomes, Colour::off);
  CHECK(contains(text, R"(
Variants side by side
  run      sound         simulated  slowdown p99  drops  headroom peak  margin B  paused max
  base     yes            1.369 ms         15.90      0         37 422         0      82.0 %
  札幌     yes            1.369 ms         15.90      0         37 422         0      82.0 %
  starved  no, expected   1.369 ms         15.90      5         37 422         0      82.0 %
  札幌: expect: unsound, but the run is sound
  starved: lossless drop: )"));
}

TEST_CASE("a run in which nothing has finished has no slowdown in the table of variants") {
  RunResults nothing = test::starved_results();
  nothing.transfers.slowdown_p99 = std::numeric_limits<double>::quiet_NaN();
  const std::string text = variants_text(
      {{{"", test::incast_results()}, Expectation::sound}, {{"starved", nothing}, Expectation::unsound}}, Colour::off);
  CHECK(contains(text, "  starved  no, expected   1.369 ms             -      5 "));
}

TEST_CASE("where links lose frames, what was lost and sent again stands beside the rate of the fastest flow") {
  RunResults clean = test::incast_results();
  clean.pfc = {};
  clean.transfers.goodput_gbps_max = 98.04;
  RunResults lossy = clean;
  lossy.drops.link = 101;
  lossy.transfers.retransmitted_packets = 911'234;
  lossy.transfers.goodput_gbps_max = 51.5;
  CHECK(variants_text({{{"", clean}, Expectation::sound}, {{"1e-4", lossy}, Expectation::sound}}, Colour::off) == R"(
Variants side by side
  run   sound  flow Gbps  lost   resent  drops
  base  yes        98.04     0        0      0
  1e-4  yes        51.50   101  911 234      0
)");
  // A pause brings the margin and the paused time back.
  lossy.pfc = test::incast_results().pfc;
  CHECK(contains(variants_text({{{"", clean}, Expectation::sound}, {{"1e-4", lossy}, Expectation::sound}}, Colour::off),
                 "  run   sound  flow Gbps  lost   resent  drops  margin B  paused max\n"));
}
