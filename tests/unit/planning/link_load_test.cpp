// Routing matrix x demand by hand.
#include "planning/link_load.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "support/units_io.hpp"

using namespace soya;

TEST_CASE("a link carries the sum of the flows that cross it, each kind of bytes by itself") {
  LinkColumns routes;
  routes.add(std::array{LinkShare{0, 1}, LinkShare{2, 1}});
  routes.add(std::array{LinkShare{2, 1}});
  routes.add(std::span<const LinkShare>{});
  const std::vector<WireLoad> demands{{100_B, 10_B, 1_B}, {200_B, 20_B, 2_B}, {7_B, 7_B, 7_B}};
  const std::vector<WireLoad> loads = link_loads(routes, demands, 4);
  REQUIRE(loads.size() == 4);
  CHECK(loads[0] == WireLoad{100_B, 10_B, 1_B});
  CHECK(loads[1] == WireLoad{});
  CHECK(loads[2] == WireLoad{300_B, 30_B, 3_B});
  CHECK(loads[3] == WireLoad{});
}

TEST_CASE("a flow that is spread puts its share on each link, rounded to the byte") {
  LinkColumns routes;
  routes.add(std::array{LinkShare{0, 1}, LinkShare{1, 0.25}, LinkShare{2, 0.75}});
  const std::vector<WireLoad> loads = link_loads(routes, std::vector<WireLoad>{{1001_B, 0_B, 2_B}}, 3);
  CHECK(loads[0].data == 1001_B);
  CHECK(loads[1] == WireLoad{250_B, 0_B, 1_B});  // 250.25 and 0.5
  CHECK(loads[2] == WireLoad{751_B, 0_B, 2_B});  // 750.75 and 1.5
}

TEST_CASE("petabytes are summed to the byte") {
  LinkColumns routes;
  for (int f = 0; f < 3; ++f) routes.add(std::array{LinkShare{0, 1}});
  const Bytes large{1'000'000'000'000'001};
  CHECK(link_loads(routes, std::vector<WireLoad>(3, {large, 0_B, 0_B}), 1)[0].data == 3 * large);
}
