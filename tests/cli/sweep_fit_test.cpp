// soya sweep fit as a user calls it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/sweep_store.hpp"

using namespace soya::test;

namespace {

std::string refused(const StoreFolder& folder, const std::string& arguments) {
  return refused_by(folder, "sweep fit " + arguments);
}

const std::string try_help = "\nTry: soya sweep fit --help\n";
const std::string per_queue = " --terms '1, length' --beside plan.headroom_budget_bytes --where 'mode == per-queue'";

}  // namespace

TEST_CASE("a fit is told beside its closed form") {
  const StoreFolder folder;
  const CommandResult result = run_command(folder, "$SOYA sweep fit out --y answer" + per_queue);
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  // Four points: 29 900, 30 100 at 1000 m and 49 900, 50 100 at 3000 m. The line goes through the means: 20 000 + 10 x.
  // Residuals of 100: s^2 = 4 x 10^4 / 2, s = 141.42. Sxx = 4 x 1000^2, so the slope's error is 141.42 / 2000, and the
  // constant's 141.42 x sqrt(1/4 + 2000^2 / (4 x 1000^2)) = 158.1. R^2 = 1 - 4 x 10^4 / (4 x 10 000^2 + 4 x 10^4).
  CHECK(contains(result.out, "headroom: answer for fabric.headroom.size, by least squares\n"));
  CHECK(contains(result.out, "1             20000         158"));
  CHECK(contains(result.out, "0.95238  bytes\n"));  // 20 / 21
  CHECK(contains(result.out, "length           10      0.0707"));
  CHECK(contains(result.out, "1.00000  bytes per m\n"));
  CHECK(contains(result.out, "  points      4 of 8 used, 4 left out by --where\n"));
  CHECK(contains(result.out, "  residual    standard deviation 141.4 bytes, largest "));
  CHECK(contains(result.out, "  R^2         0.999900, 2 degrees of freedom\n"));
}

TEST_CASE("a fit as JSON has every number") {
  const StoreFolder folder;
  const CommandResult result = run_command(folder, "$SOYA sweep fit out --y answer --json" + per_queue);
  CHECK(result.status == 0);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["quantity"] == "answer");
  CHECK(json["unit"] == "bytes");
  CHECK(json["points"]["used"] == 4);
  REQUIRE(json["terms"].size() == 2);
  CHECK(json["terms"][1]["coefficient"].get<double>() == doctest::Approx(10));
  CHECK(json["terms"][1]["ratio"].get<double>() == doctest::Approx(1));
  CHECK(json["terms"][0]["beside"].get<double>() == doctest::Approx(21'000));
  CHECK(json["degrees_of_freedom"] == 2);
  CHECK(json["beside"]["quantity"] == "plan.headroom_budget_bytes");
}

TEST_CASE("what cannot be fitted is told verbatim") {
  const StoreFolder folder;
  CHECK(refused(folder, "out --y answer") ==
        "soya sweep fit: --terms: expected terms such as \"1, rate*length\", got nothing" + try_help);
  CHECK(refused(folder, "out --terms 1") == "soya sweep fit: --y: expected a quantity, got nothing" + try_help);
  CHECK(refused(folder, "out --y answer --terms '1, rate'") ==
        "soya sweep fit: the term \"rate\" is the same at every point: topology.link_types.haul.rate is 100Gbps\n");
  CHECK(refused(folder, "out --y answer --terms '1, length, length^2'") ==
        "soya sweep fit: the term \"length^2\" cannot be told from \"1\", \"length\" at these points; leave it out, or "
        "take points where it differs by itself\n");
  CHECK(refused(folder, "out --y answer --terms '1, mode'") ==
        "soya sweep fit: the column fabric.headroom.mode has words (per-queue, dsh) and makes no term; fit one of "
        "them at a time by --where\n");
  CHECK(refused(folder, "out --y answer --terms '1, '") ==
        "soya sweep fit: expected a term such as 1, rate*length or size^2/rate, got \" \"\n");
  CHECK(refused(folder, "out --y answer --terms 1 --beside plan.budget") ==
        "soya sweep fit: no point has \"plan.budget\"; there are plan.headroom_budget_bytes\n");
}
