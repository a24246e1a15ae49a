// soya headroom --table: a SONiC table.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/run_command.hpp"
#include "support/snapshot.hpp"

using namespace soya::test;

namespace {

/// The shipped table, as pg_profile_lookup.ini in `folder`.
CommandResult ask(const TemporaryFolder& folder, const std::string& options) {
  write_text(folder / "pg_profile_lookup.ini", read_text(SOYA_SOURCE_DIR "/tests/support/pg_profile_lookup.ini"));
  return run_command(folder, "$SOYA headroom --table pg_profile_lookup.ini " + options);
}

}  // namespace

TEST_CASE("a SONiC table of which two rows lose frames, as it is printed") {
  const TemporaryFolder folder;
  const CommandResult result = ask(folder, "");
  CHECK(result.status == 3);
  CHECK(result.err.empty());
  check_snapshot("cli/snapshots/headroom_table.txt", result.out);
  // Whatever thread simulates which row.
  CHECK(ask(folder, "--threads 1").out == result.out);
  CHECK(ask(folder, "--threads 2").out == result.out);
}

TEST_CASE("a SONiC table as JSON: budget, formula and loss of each row") {
  const TemporaryFolder folder;
  const CommandResult result = ask(folder, "--json");
  CHECK(result.status == 3);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["rows_losing"] == 2);
  CHECK(json["sonic_formula"] == "sonic-msn4700");
  CHECK(json["sonic_rows_exact"] == 6);
  const auto& row = json["rows"][1];
  CHECK(row["line"] == 7);
  CHECK(row["speed_bps"] == 400'000'000'000);
  CHECK(row["cable_mm"] == 5'000);
  CHECK(row["xoff_bytes"] == 38'912);
  // 2500 + 1106 + 84 + 905 x 64 + 2 x 1086.
  CHECK(row["auto_bytes"] == 63'782);
  CHECK(row["loses"] == true);
  CHECK(row["needed_bytes"].get<int>() > 38'912);
  CHECK(row["needed_bytes"].get<int>() <= 63'782);
  CHECK(json["rows"][0]["loses"] == false);
}

TEST_CASE("a peer that responds at once loses nothing of the same table") {
  const TemporaryFolder folder;
  CHECK(ask(folder, "--response 0s").status == 0);
}

TEST_CASE("frames of 4096 B need more than SONiC's 1024 B") {
  const TemporaryFolder folder;
  // 100G over 5 m: 38 419 B against 33 792 B.
  const auto json = nlohmann::json::parse(ask(folder, "--mtu 4096 --json").out);
  CHECK(json["rows"][0]["margin_bytes"] == 33'792 - 38'419);
}

TEST_CASE("rows at the ends of what a table may say") {
  const TemporaryFolder folder;
  const auto first_row = [&](const std::string& row) {
    const std::string out = run_command(folder, "echo '" + row + "' >t; $SOYA headroom --table t --json").out;
    return nlohmann::json::parse(out)["rows"][0];
  };
  CHECK(first_row("100000 5m 0 0 0 0")["loses"] == true);
  CHECK(first_row("100 0.5m 0 0 5 0")["loses"] == true);
  CHECK(first_row("1 100000km 0 0 1099511627776 0")["loses"] == false);
  const CommandResult endless = run_command(folder, "echo '800000 5000km 0 0 5 0' >t; $SOYA headroom --table t");
  CHECK(endless.status == 2);
  // 2 x 25 ms at 100 B/ns, a frame of 1106 B on the wire, a PAUSE of 84 B and 579.2 ns at 100 B/ns.
  CHECK(endless.err ==
        "t:1:1: 800 Gbps over 5 000 km: 5 000 059 110 B are in flight when a PAUSE takes effect, in frames of 1 086 B; "
        "at most 4 194 304 frames and 128 GiB of headroom are simulated\n");
  // What makes it so much may be the response, or how small the frames are.
  const CommandResult slow = run_command(folder, "echo '800000 5m 0 0 5 0' >t; $SOYA headroom --table t --response 1s");
  CHECK(slow.status == 2);
  CHECK(contains(slow.err, "t:1:1: 800 Gbps over 5 m: 100 000 006 190 B are in flight"));
  const CommandResult tiny =
      run_command(folder, "echo '800000 300km 0 0 5 0' >t; $SOYA headroom --table t --mtu 1 --response 0s");
  CHECK(tiny.status == 2);
  CHECK(contains(tiny.err, "300 000 170 B are in flight when a PAUSE takes effect, in frames of 66 B;"));
}

TEST_CASE("a table that cannot be read, and options of a link beside it, are bad input") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& command) {
    const CommandResult result = run_command(folder, command);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    return result.err.substr(0, result.err.find('\n'));
  };
  CHECK(refusal("$SOYA headroom --table none.ini") == "none.ini: no such file");
  CHECK(refusal("$SOYA headroom --table .") == ".: is a directory");
  CHECK(refusal(": >e; $SOYA headroom --table e") == "e: file is empty");
  CHECK(refusal("echo 100000 >e; $SOYA headroom --table e") ==
        "e:1:1: expected the columns speed cable size xon xoff threshold and perhaps xon_offset, got 1 value");
  CHECK(refusal("$SOYA headroom --table e --rate 1Gbps") ==
        "soya headroom: --rate is of a link, and the rows of --table have theirs");
  CHECK(refusal("$SOYA headroom --table e --threads 0") ==
        "soya headroom: --threads: expected a number of threads from 1 to 1024, got \"0\"");
}
