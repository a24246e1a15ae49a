// Max-min fair shares by hand.
#include "planning/max_min.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "support/units_io.hpp"

using namespace soya;

namespace {

/// Rates in Gbps of all columns together.
std::vector<double> shares(const std::vector<std::vector<LinkShare>>& flows, const std::vector<Rate>& rates) {
  LinkColumns columns;
  for (const std::vector<LinkShare>& flow : flows) columns.add(flow);
  std::vector<std::uint32_t> active(flows.size());
  std::iota(active.begin(), active.end(), 0U);
  MaxMin max_min{columns, rates};
  std::vector<double> found;
  for (const double rate : max_min.rates(active)) found.push_back(rate * 8e-9);
  return found;
}

std::vector<LinkShare> over(const std::vector<LinkDirection>& links) {
  std::vector<LinkShare> flow;
  for (const LinkDirection d : links) flow.push_back({d, 1});
  return flow;
}

}  // namespace

TEST_CASE("parking lot: three flows on the last link have a third each, and the first link's other flow two thirds") {
  // Flow 0 crosses both links, 1 the first alone, 2 and 3 the second alone. The second is full at a third.
  const auto found = shares({over({0, 1}), over({0}), over({1}), over({1})}, {90_Gbps, 90_Gbps});
  CHECK(found[0] == doctest::Approx(30));
  CHECK(found[1] == doctest::Approx(60));
  CHECK(found[2] == doctest::Approx(30));
  CHECK(found[3] == doctest::Approx(30));
}

TEST_CASE("water filling: flows behind links of 10, 40 and 100 on a link of 100 have 10, 40 and 50") {
  const auto found = shares({over({0, 3}), over({1, 3}), over({2, 3})}, {10_Gbps, 40_Gbps, 100_Gbps, 100_Gbps});
  CHECK(found[0] == doctest::Approx(10));
  CHECK(found[1] == doctest::Approx(40));
  CHECK(found[2] == doctest::Approx(50));
}

TEST_CASE("two links that share one flow: the fuller one limits it, and what it leaves on the other is another's") {
  // Link 1 is full of three flows at a third each; the flow beside the first on link 0 has two thirds; one is alone.
  const auto found = shares({over({0, 1}), over({1}), over({1}), over({2}), over({0})}, {3_Gbps, 3_Gbps, 3_Gbps});
  CHECK(found[0] == doctest::Approx(1));
  CHECK(found[1] == doctest::Approx(1));
  CHECK(found[2] == doctest::Approx(1));
  CHECK(found[3] == doctest::Approx(3));
  CHECK(found[4] == doctest::Approx(2));
}

TEST_CASE("a flow that puts half of its bytes on a link fills it at twice the rate") {
  const auto found = shares({{{0, 0.5}, {1, 0.5}}, {{0, 1}}}, {100_Gbps, 100_Gbps});
  // 0.5 x + x = 100.
  CHECK(found[0] == doctest::Approx(200.0 / 3));
  CHECK(found[1] == doctest::Approx(200.0 / 3));
}

TEST_CASE("a flow that crosses nothing has no limit") {
  CHECK(std::isinf(shares({{}}, {100_Gbps})[0]));
}

TEST_CASE("no link carries more than its rate, and every flow has a full link on which nobody has more") {
  // The two conditions that make rates max-min fair, over generated flows.
  std::uint64_t random = 1;
  const auto draw = [&](std::uint64_t below) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (random >> 33) % below;
  };
  for (int round = 0; round < 50; ++round) {
    const std::vector<Rate> rates{10_Gbps, 25_Gbps, 40_Gbps, 100_Gbps, 100_Gbps, 400_Gbps};
    std::vector<std::vector<LinkShare>> flows;
    for (int f = 0; f < 12; ++f) {
      std::vector<LinkDirection> links;
      for (LinkDirection d = 0; d < rates.size(); ++d) {
        if (draw(3) == 0) links.push_back(d);
      }
      if (links.empty()) links.push_back(0);
      flows.push_back(over(links));
    }
    const std::vector<double> found = shares(flows, rates);
    std::array<double, 6> used{};
    std::array<double, 6> most{};
    for (std::size_t f = 0; f < flows.size(); ++f) {
      for (const LinkShare& one : flows[f]) {
        used[one.direction] += found[f];
        most[one.direction] = std::max(most[one.direction], found[f]);
      }
    }
    for (std::size_t d = 0; d < rates.size(); ++d) CHECK(used[d] <= rates[d].gbps() * (1 + 1e-9));
    for (std::size_t f = 0; f < flows.size(); ++f) {
      bool limited = false;
      for (const LinkShare& one : flows[f]) {
        const bool full = used[one.direction] >= rates[one.direction].gbps() * (1 - 1e-9);
        limited = limited || (full && found[f] >= most[one.direction] * (1 - 1e-9));
      }
      CHECK(limited);
    }
  }
}
