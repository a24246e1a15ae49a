// soya import sonic-buffers: a switch profile that a scenario extends.
#include <doctest/doctest.h>

#include "support/run_command.hpp"
#include "support/snapshot.hpp"

using namespace soya::test;

namespace {

// NSDI'23 (Bai et al.), appendix A, as the JSON of a SONiC switch.
const char* const azure = R"({
  "BUFFER_POOL": {
    "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "18000000", "xoff": "6000000"},
    "egress_lossless_pool": {"type": "egress", "mode": "static", "size": "24000000"},
    "egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "14000000"}},
  "BUFFER_PROFILE": {
    "pg_lossless_100000_300m_profile": {"pool": "ingress_lossless_pool", "size": "1248", "xoff": "96928",
                                        "xon": "1248", "xon_offset": "2496", "dynamic_th": "-3"},
    "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "static_th": "24000000"},
    "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "-1"}}})";

const char* const scenario = R"(extends: tor.yaml
name: imported
topology:
  nodes: {h1: host, h2: host, h3: host, tor: switch}
  links: [{between: [h1, tor]}, {between: [h2, tor]}, {between: [h3, tor]}]
workload:
  - incast: {receiver: h3, senders: 2, size: 1MiB}
)";

}  // namespace

TEST_CASE("the Azure switch becomes a profile with a comment on every line") {
  const TemporaryFolder folder;
  write_text(folder / "buffers.json", azure);
  const CommandResult result = run_command(folder, "$SOYA import sonic-buffers buffers.json");
  CHECK(result.status == 0);
  check_snapshot("cli/snapshots/import_azure.txt", result.out);
  CHECK(contains(result.err,
                 "not mapped: BUFFER_POOL egress_lossy_pool type egress, mode dynamic, size 14000000: one memory "));
  // Each complaint stands in the file, too.
  std::istringstream lines{result.err};
  for (std::string line; std::getline(lines, line);) CHECK(contains(result.out, "#   " + line.substr(12) + "\n"));
}

TEST_CASE("an imported profile reads back through extends and runs") {
  const TemporaryFolder folder;
  write_text(folder / "buffers.json", azure);
  write_text(folder / "s.yaml", scenario);
  CHECK(run_command(folder, "$SOYA import sonic-buffers buffers.json --out tor.yaml").out.empty());
  const CommandResult check = run_command(folder, "$SOYA check s.yaml");
  CHECK(check.status == 0);
  for (const char* key : {"size: 24MB ", "reserved: 1248B ", "alpha: 1/8 ", "xon_offset: 2496B ", "lossy_alpha: 1/2 ",
                          "mode: shared-pool ", "pool: 6MB ", "cap: 96928B "}) {
    CHECK_MESSAGE(contains(check.out, std::string{"    "} + key + " # tor.yaml:"), key);
  }
  CHECK(run_command(folder, "$SOYA run s.yaml --quiet").status == 0);
}

TEST_CASE("a Tomahawk with a row of its table reads back, too") {
  const TemporaryFolder folder;
  write_text(folder / "config_db.json", R"({"PORT": {"Ethernet0": {"speed": "40000"}}, "BUFFER_POOL":
      {"ingress_lossless_pool": {"mode": "dynamic", "size": "10875072", "xoff": "4194112"}}})");
  write_text(folder / "pg_profile_lookup.ini", "40000 5m 1248 2288 66560 0 2288\n40000 40m 1248 2288 71552 0 2288\n");
  write_text(folder / "s.yaml", scenario);
  const std::string import = "$SOYA import sonic-buffers config_db.json pg_profile_lookup.ini --speed 40Gbps ";
  CHECK(run_command(folder, import + "--cable 40m --out tor.yaml").status == 0);
  const CommandResult check = run_command(folder, "$SOYA check s.yaml");
  CHECK(check.status == 0);
  // 10 875 072 + 4 194 112.
  CHECK(contains(check.out, "    size: 15069184B "));
  CHECK(contains(check.out, "    cap: 71552B "));
  CHECK(contains(check.out, "    alpha: 1 "));
  CHECK(run_command(folder, import).status == 2);
}

TEST_CASE("an import that is told too little or cannot write says so") {
  const TemporaryFolder folder;
  write_text(folder / "buffers.json", azure);
  write_text(folder / "empty.json", "{}");
  const auto refusal = [&](const std::string& arguments, int status) {
    const CommandResult result = run_command(folder, "$SOYA import " + arguments);
    CHECK(result.status == status);
    CHECK(result.out.empty());
    return result.err.substr(0, result.err.find('\n'));
  };
  CHECK(refusal("", 2) == "soya import: import what? Write: soya import sonic-buffers FILE...");
  CHECK(refusal("sonic-bufers x", 2) ==
        "soya import: unknown kind \"sonic-bufers\"; known: sonic-buffers; did you mean sonic-buffers?");
  CHECK(refusal("sonic-buffers", 2) == "soya import: which FILE? Name the JSON of a switch's buffers");
  CHECK(refusal("sonic-buffers none.json", 2) == "none.json: no such file");
  CHECK(refusal("sonic-buffers empty.json", 2) ==
        "empty.json: no BUFFER_POOL here; give the JSON of a switch: its buffers.json or config_db.json");
  CHECK(refusal("sonic-buffers buffers.json --speed 100000", 2) ==
        "soya import: --speed: expected a rate such as 100Gbps or 12.5GB/s, got \"100000\"");
  CHECK(refusal("sonic-buffers empty.json buffers.json --out ./buffers.json", 2) ==
        "soya import: --out: \"./buffers.json\" is read here; write to another file");
  CHECK(soya::test::read_text(folder / "buffers.json") == azure);
  CHECK(refusal("sonic-buffers buffers.json --out .", 4) == "soya: cannot write .: Is a directory");
  CHECK(refusal("sonic-buffers buffers.json --out none/tor.yaml", 4) ==
        "soya: cannot write none/tor.yaml: No such file or directory");
}
