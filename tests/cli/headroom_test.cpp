// soya headroom: a link.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/run_command.hpp"
#include "support/snapshot.hpp"

using namespace soya::test;

TEST_CASE("the headroom of 300 km, as it is printed") {
  const TemporaryFolder folder;
  const CommandResult result = run_command(folder, "$SOYA headroom --rate 100Gbps --length 300km --mtu 4096");
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  check_snapshot("cli/snapshots/headroom_300km.txt", result.out);
}

TEST_CASE("the headroom of a link as JSON has the same numbers") {
  const TemporaryFolder folder;
  const CommandResult result = run_command(folder, "$SOYA headroom --rate 100Gbps --length 5m --response 0s --json");
  CHECK(result.status == 0);
  const auto json = nlohmann::json::parse(result.out);
  // 625 + 4178 + 84 + 2 x 4158; two frames; three frames.
  CHECK(json["auto_bytes"] == 13'203);
  CHECK(json["tight_static_bytes"] == 8'316);
  CHECK(json["tight_dynamic_bytes"] == 12'474);
  CHECK(json["full_rate_reserve_bytes"] == 625);
  CHECK(json["link"]["one_way_ps"] == 25'000);
  CHECK(json["formulas"].size() == 10);
  CHECK(json["formulas"][7]["name"] == "hpcc");
  CHECK(json["formulas"][7]["bytes"] == 936);
  CHECK(json["formulas"][7]["below_tight"] == true);
}

TEST_CASE("in the C locale the answer is ASCII") {
  const TemporaryFolder folder;
  const CommandResult result =
      run_command(folder, "LC_ALL=C $SOYA headroom --rate 100Gbps --length 300km | LC_ALL=C grep -c '[^ -~]'");
  CHECK(result.out == "0\n");
}
