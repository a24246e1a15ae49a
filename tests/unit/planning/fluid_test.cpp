// Ends of fluid flows by hand: rates change whenever one ends or starts.
#include "planning/fluid.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "support/units_io.hpp"

using namespace soya;

namespace {

/// One link of 8 Gbps, 1e9 bytes per second, that `count` columns share.
LinkColumns one_link(int count) {
  LinkColumns columns;
  for (int i = 0; i < count; ++i) columns.add(std::array{LinkShare{0, 1}});
  return columns;
}
const std::vector<Rate> rates{8_Gbps};

FluidActivity flow(std::uint32_t column, double bytes, double start = 0) {
  return {start, {{column, bytes, 0}}};
}

}  // namespace

TEST_CASE("two flows share a link until the shorter one ends") {
  // 1 GB and 3 GB at 0.5 GB/s each: the first ends at 2 s; 2 GB are left at 1 GB/s: 4 s.
  const LinkColumns columns = one_link(2);
  const auto ends = fluid_ends(columns, rates, std::vector{flow(0, 1e9), flow(1, 3e9)}, 0);
  CHECK(ends[0] == doctest::Approx(2));
  CHECK(ends[1] == doctest::Approx(4));
}

TEST_CASE("a flow that starts later takes its half from then on") {
  // The first has sent 1 GB of 2 when the second comes; 1 GB at half rate: 3 s. The second has 0.5 GB left: 3.5 s.
  const LinkColumns columns = one_link(2);
  const auto ends = fluid_ends(columns, rates, std::vector{flow(0, 2e9), flow(1, 1.5e9, 1)}, 0);
  CHECK(ends[0] == doctest::Approx(3));
  CHECK(ends[1] == doctest::Approx(3.5));
}

TEST_CASE("a flow of no bytes ends as it starts, and a link may idle before the next") {
  const LinkColumns columns = one_link(2);
  const auto ends = fluid_ends(columns, rates, std::vector{flow(0, 0, 5), flow(1, 1e9, 7)}, 0);
  CHECK(ends[0] == doctest::Approx(5));
  CHECK(ends[1] == doctest::Approx(8));
}

TEST_CASE("training: buckets one after another when they are ready, and steps that compute at least") {
  // Buckets of 1 GB ready at 1 s and 1.5 s: they end at 2 and 3 s; a step takes max(3, least) + after.
  const LinkColumns columns = one_link(1);
  FluidActivity training{0, {{0, 1e9, 1}, {0, 1e9, 1.5}}, 2, 2.5, 0.25};
  CHECK(fluid_ends(columns, rates, std::vector{training}, 0)[0] == doctest::Approx(2 * 3.25));
  training.least = 4;
  CHECK(fluid_ends(columns, rates, std::vector{training}, 0)[0] == doctest::Approx(2 * 4.25));
}

TEST_CASE("ends that are taken together move by no more than that part of the time") {
  LinkColumns columns = one_link(200);
  std::vector<FluidActivity> flows;
  for (std::uint32_t i = 0; i < 200; ++i) flows.push_back(flow(i, 1e9 + 1e6 * i));
  const auto exact = fluid_ends(columns, rates, flows, 0);
  const auto rough = fluid_ends(columns, rates, flows, 0.01);
  for (std::size_t i = 0; i < 200; ++i) CHECK(rough[i] == doctest::Approx(exact[i]).epsilon(0.02));
}
