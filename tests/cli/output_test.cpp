// Places that cannot be written: a reason, exit 4, and never a partial file under a final name.
#include <doctest/doctest.h>

#include "cli/scenarios.hpp"
#include "support/run_command.hpp"
#include "support/sqlite_reader.hpp"

using namespace soya::test;

namespace {

std::string listing(const TemporaryFolder& folder, const std::string& name) {
  return run_command(folder, "LC_ALL=C ls -A " + name).out;
}

}  // namespace

TEST_CASE("a file where a folder should be is refused before the run") {
  const ScenarioFolder folder;
  const CommandResult parent = run_command(folder, "$SOYA run incast.yaml --out incast.yaml/out");
  CHECK(parent.status == 4);
  CHECK(parent.out.empty());
  CHECK(contains(parent.err, "soya: cannot write incast.yaml/out: incast.yaml is not a folder\n"));
  const CommandResult device = run_command(folder, "$SOYA run incast.yaml --out /dev/full");
  CHECK(device.status == 4);
  CHECK(contains(device.err, "soya: cannot write /dev/full: /dev/full is not a folder\n"));
}

TEST_CASE("a disk that takes no more leaves nothing, or the earlier result untouched") {
  const ScenarioFolder folder;
  // Standard error goes through cat: the limit is meant for the results.
  const std::string limited =
      "{ prlimit --fsize=9000 $SOYA run incast.yaml --out o/p --csv; echo $? >status; } 2>&1 | cat >&2";
  CHECK(contains(run_command(folder, limited).err, "soya: cannot write o/p/results.sqlite.partial: File too large\n"));
  CHECK(read_text(folder / "status") == "4\n");
  CHECK_FALSE(std::filesystem::exists(folder / "o"));

  CHECK(run_command(folder, "$SOYA run incast.yaml --out o/p").status == 0);
  const std::string before = run_command(folder, "cat o/p/*").out;
  CHECK(contains(run_command(folder, limited).err, ": File too large\n"));
  CHECK(listing(folder, "o/p") == "results.sqlite\nsummary.json\n");
  CHECK(run_command(folder, "cat o/p/*").out == before);
}

TEST_CASE("whichever write fails, final names hold whole files only") {
  const ScenarioFolder folder;
  REQUIRE(run_command(folder, "$SOYA run incast.yaml --out whole --csv").status == 0);
  const std::string whole = listing(folder, "whole");
  int refused = 0;
  for (int kilobytes = 4; kilobytes <= 120; kilobytes += 8) {
    const std::string limit = std::to_string(kilobytes * 1024);
    const int status =
        run_command(folder, "prlimit --fsize=" + limit + " $SOYA run incast.yaml --quiet --out o --csv 2>/dev/null")
            .status;
    if (status == 0) {
      CHECK(listing(folder, "o") == whole);
      break;
    }
    CHECK(status == 4);
    ++refused;
    CHECK_FALSE(std::filesystem::exists(folder / "o"));
  }
  CHECK(refused > 0);
}

TEST_CASE("standard output that is full or closed is exit 4, and the results are there") {
  const ScenarioFolder folder;
  const CommandResult full = run_command(folder, "$SOYA run incast.yaml --quiet >/dev/full");
  CHECK(full.status == 4);
  CHECK(full.err == "soya: cannot write standard output: No space left on device\n");
  CHECK(std::filesystem::exists(folder / "out/札幌-incast/summary.json"));
  const CommandResult closed = run_command(folder, "$SOYA run incast.yaml --quiet >&-");
  CHECK(closed.status == 4);
  CHECK(closed.err == "soya: cannot write standard output: Bad file descriptor\n");
  // Without a standard output the first file opened must not become it.
  CHECK(SqliteReader{folder / "out/札幌-incast/results.sqlite"}.ask("pragma integrity_check") == "ok");
  CHECK(run_command(folder, "$SOYA --help >/dev/full").status == 4);
}

TEST_CASE("a reader that has gone is no error") {
  const ScenarioFolder folder;
  const CommandResult piped =
      run_command(folder, "{ $SOYA run incast.yaml --json --quiet; echo $? >status; } | true; cat status");
  CHECK(piped.out == "0\n");
  CHECK(piped.err.empty());
}

TEST_CASE("colour is for terminals, and NO_COLOR is honoured there") {
  const ScenarioFolder folder;
  // No terminal, no colour, whatever the environment says. What decides is in tests/unit/tools/output_test.cpp.
  const CommandResult piped = run_command(folder, "env -u NO_COLOR TERM=xterm $SOYA run incast.yaml --quiet | cat");
  CHECK(contains(piped.out, "SOUND"));
  CHECK_FALSE(contains(piped.out + piped.err, "\x1b"));
  // A bare chroot has no pseudo-terminals; where there are some, the command is asked on one.
  if (run_command(folder, "script -qec true /dev/null").status != 0) return;
  const std::string terminal = "script -qec \"$SOYA run incast.yaml --quiet\" /dev/null";
  CHECK(contains(run_command(folder, "env -u NO_COLOR TERM=xterm " + terminal).out, "\x1b[1;32mSOUND\x1b[0m"));
  CHECK_FALSE(contains(run_command(folder, "NO_COLOR=1 TERM=xterm " + terminal).out, "\x1b"));
  CHECK_FALSE(contains(run_command(folder, "env -u NO_COLOR TERM=dumb " + terminal).out, "\x1b"));
}
