// Ctrl-C, SIGTERM and kill -9 in the middle of a run.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/scenarios.hpp"
#include "support/run_command.hpp"
#include "support/sqlite_reader.hpp"

using namespace soya::test;
using Json = nlohmann::ordered_json;

namespace {

/// Waits until the run writes results, and for 20 s at most: a run that fails before must not hang the test.
const std::string until_writing =
    "n=0; until [ -e o/results.sqlite.partial ] || [ $n -ge 1000 ]; do sleep 0.02; n=$((n+1)); done";

/// Runs long.yaml, sends it `signal` once its results are being written, and returns its exit status.
CommandResult interrupted(const TemporaryFolder& folder, const std::string& signal, const std::string& options = "") {
  return run_command(folder, "$SOYA run long.yaml --out o " + options + " & p=$!\n" + until_writing +
                                 "; sleep 0.3\nkill -" + signal + " $p; wait $p");
}

}  // namespace

TEST_CASE("Ctrl-C and SIGTERM write what there is, marked incomplete, and exit 130 and 143") {
  const ScenarioFolder folder;
  struct Case {
    std::string signal;
    int status;
  };
  for (const Case& each : {Case{"INT", 130}, Case{"TERM", 143}}) {
    CAPTURE(each.signal);
    const CommandResult run = interrupted(folder, each.signal);
    CHECK(run.status == each.status);
    CHECK(contains(run.err, "soya: interrupted, writing what there is; a second signal ends at once\n"));
    CHECK(run.out.starts_with("long: INCOMPLETE, interrupted\n"));
    const Json json = Json::parse(read_text(folder / "o/summary.json"));
    CHECK(json["incomplete"] == true);
    CHECK(json["sound"] == false);
    CHECK(json["transfers"]["finished"] < 100'000);
    CHECK(run_command(folder, "LC_ALL=C ls -A o").out == "results.sqlite\nsummary.json\n");
    CHECK(SqliteReader{folder / "o/results.sqlite"}.ask("select complete from run") == "0");
  }
}

TEST_CASE("a second Ctrl-C ends at once and leaves what a killed run leaves") {
  const ScenarioFolder folder;
  // Equal signals that wait together count once, so it takes a few.
  const CommandResult run =
      run_command(folder, "$SOYA run long.yaml --out o & p=$!\n" + until_writing +
                              "; sleep 0.3\n"
                              "for i in 1 2 3 4 5 6 7 8; do kill -INT $p; sleep 0.005; done; wait $p");
  CHECK(run.status == 130);
  CHECK(run.out.empty());
  CHECK(std::filesystem::exists(folder / "o/results.sqlite.partial"));
  CHECK_FALSE(std::filesystem::exists(folder / "o/summary.json"));
}

TEST_CASE("--json of an interrupted run is the summary, marked incomplete") {
  const ScenarioFolder folder;
  const CommandResult run = interrupted(folder, "INT", "--json");
  CHECK(run.status == 130);
  CHECK(Json::parse(run.out)["incomplete"] == true);
}

TEST_CASE(
    "a killed run leaves its partial database readable and the earlier result whole, and the next run replaces both") {
  const ScenarioFolder folder;
  REQUIRE(run_command(folder, "$SOYA run incast.yaml --out o").status == 0);
  const std::string before = read_text(folder / "o/summary.json");
  CHECK(interrupted(folder, "KILL").status == 128 + 9);
  CHECK(read_text(folder / "o/summary.json") == before);
  CHECK(SqliteReader{folder / "o/results.sqlite.partial"}.ask("select complete, why_not from run") ==
        "0|still running");
  CHECK(run_command(folder, "$SOYA run incast.yaml --out o").status == 0);
  CHECK(run_command(folder, "LC_ALL=C ls -A o").out == "results.sqlite\nsummary.json\n");
}

TEST_CASE("whatever ends a rerun, the complete result stays byte for byte and the incomplete one goes beside it") {
  const ScenarioFolder folder;
  REQUIRE(run_command(folder, "$SOYA run incast.yaml --out o --csv && cp -r o before").status == 0);
  const std::string same = "rm -f o/*.partial*; diff -r before o";
  const std::string kept = "soya: o keeps its complete result; the incomplete one is in o.incomplete\n";

  const CommandResult run = interrupted(folder, "INT");
  CHECK(run.status == 130);
  CHECK(contains(run.err, kept));
  CHECK(contains(run.out, "\nResults: o.incomplete: results.sqlite summary.json\n"));
  CHECK(run_command(folder, "diff -r before o").status == 0);
  CHECK(Json::parse(read_text(folder / "o.incomplete/summary.json"))["incomplete"] == true);

  // The next one replaces it, and is as quiet about the rest as it was asked to be.
  const CommandResult again = interrupted(folder, "TERM", "--csv --quiet");
  CHECK(again.status == 143);
  CHECK(again.err == "soya: interrupted, writing what there is; a second signal ends at once\n" + kept);
  CHECK(run_command(folder, "diff -r before o").status == 0);
  CHECK(std::filesystem::exists(folder / "o.incomplete/run.csv"));

  std::filesystem::remove_all(folder / "o.incomplete");
  CHECK(interrupted(folder, "KILL").status == 128 + 9);
  CHECK(run_command(folder, same).status == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "o.incomplete"));
}

TEST_CASE("an interrupted run replaces an incomplete result, a whole run replaces either") {
  const ScenarioFolder folder;
  for (const char* signal : {"INT", "TERM"}) {
    CAPTURE(signal);
    CHECK_FALSE(contains(interrupted(folder, signal).err, "keeps"));
    CHECK_FALSE(std::filesystem::exists(folder / "o.incomplete"));
  }
  CHECK(run_command(folder, "$SOYA run incast.yaml --out o").status == 0);
  CHECK_FALSE(Json::parse(read_text(folder / "o/summary.json")).contains("incomplete"));
}

TEST_CASE("two runs into one folder: the second is refused, the first goes on") {
  const ScenarioFolder folder;
  const CommandResult both = run_command(folder, "$SOYA run long.yaml --out o >first 2>&1 & p=$!\n" + until_writing +
                                                     "\n"
                                                     "$SOYA run incast.yaml --out o --quiet; echo second $?\n"
                                                     "kill -INT $p; wait $p; echo first $?");
  CHECK(both.out == "second 4\nfirst 130\n");
  CHECK(both.err == "soya: cannot write o: another run is writing its results there\n");
  CHECK(Json::parse(read_text(folder / "o/summary.json"))["name"] == "long");
}
