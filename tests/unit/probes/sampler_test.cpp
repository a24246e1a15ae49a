#include "probes/sampler.hpp"

#include <doctest/doctest.h>

#include "support/units_io.hpp"

using namespace soya;

TEST_CASE("a sampler stores a value only when it differs from the last one of its series") {
  Sampler sampler{1_us};
  CHECK(sampler.interval() == 1_us);
  sampler.record(Time{1}, 0, 0.0);  // a series starts at 0
  CHECK(sampler.samples().empty());
  sampler.record(Time{2}, 0, 0.5);
  sampler.record(Time{3}, 0, 0.5);
  sampler.record(Time{4}, 0, 0.0);
  REQUIRE(sampler.samples().size() == 2);
  CHECK(sampler.samples()[0].time == Time{2});
  CHECK(sampler.samples()[0].series == 0);
  CHECK(sampler.samples()[0].value == 0.5);
  CHECK(sampler.samples()[1].time == Time{4});
  CHECK(sampler.samples()[1].value == 0.0);
}

TEST_CASE("the series of a sampler do not touch each other, whatever the order they come in") {
  Sampler sampler{1_us};
  sampler.record(Time{1}, 7, 1.0);
  sampler.record(Time{1}, 2, 1.0);
  sampler.record(Time{2}, 7, 1.0);
  sampler.record(Time{2}, 2, 2.0);
  REQUIRE(sampler.samples().size() == 3);
  CHECK(sampler.samples()[0].series == 7);
  CHECK(sampler.samples()[1].series == 2);
  CHECK(sampler.samples()[2].series == 2);
  CHECK(sampler.samples()[2].value == 2.0);
}
