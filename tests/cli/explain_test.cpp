// soya explain and soya schema, as a user meets them.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "support/run_command.hpp"

using namespace soya::test;

TEST_CASE("soya explain tells all of a key") {
  const TemporaryFolder folder;
  const std::string text =
      "nic.timeout: retransmission time-out; overrides the exponent\n"
      "  value      time, or the word none\n"
      "  spellings  10ns, 5us or 5µs, 1.5ms, 10s, 800ps\n"
      "  range      1ps to 2592000s\n"
      "  default    none: the exponent rules\n"
      "  example    nic: {timeout: 10ms}\n"
      "  also at    hosts.*.timeout\n";
  const CommandResult result = run_command(folder, "$SOYA explain nic.timeout");
  CHECK(result.status == 0);
  CHECK(result.out == text);
  CHECK(run_command(folder, "$SOYA explain hosts.h1.timeout").out == text);
  const std::string choice = run_command(folder, "$SOYA explain fabric.ip").out;
  CHECK(contains(choice, "\n  choices    ipv4, ipv6\n"));
  CHECK(contains(run_command(folder, "$SOYA explain flow.from").err, "; did you mean "));
}

TEST_CASE("soya explain lists the keys of a group, one line each") {
  const TemporaryFolder folder;
  CHECK(run_command(folder, "$SOYA explain pfc").out ==
        "fabric.pfc: priority flow control of every link\n"
        "\n"
        "Keys of fabric.pfc:\n"
        "  priorities  [3]    list of the lossless priorities; may be empty\n"
        "  quanta      65535  time of a pause in units of 512 bit times\n"
        "  refresh     1/2    a pause is repeated at this share of its time\n"
        "  response    auto   from the last byte of a pause to its effect\n");
  CHECK(
      contains(run_command(folder, "$SOYA explain 'workload[0]'").out, "\nKeys of workload[], exactly one of them:\n"));
  const CommandResult all = run_command(folder, "$SOYA explain");
  CHECK(all.status == 0);
  CHECK(contains(all.out, "\n  fabric.headroom "));
}

TEST_CASE("soya explain of a name in several places lists them") {
  const TemporaryFolder folder;
  CHECK(run_command(folder, "$SOYA explain rate").out ==
        "rate is a key in several places:\n"
        "  topology.link_types.*.rate  bits per second from the first end to the second\n"
        "  nic.receive.rate            at which frames leave the receive buffer\n");
}

TEST_CASE("everything that soya explain prints fits 100 columns") {
  const TemporaryFolder folder;
  const CommandResult all = run_command(
      folder,
      "{ $SOYA explain; for key in $($SOYA explain --paths); do $SOYA explain \"$key\" || echo \"$key\" >&2; done; }");
  CHECK(all.err.empty());
  std::istringstream lines{all.out};
  for (std::string line; std::getline(lines, line);) {
    std::size_t characters = 0;
    for (const char c : line) characters += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0 : 1;
    CHECK_MESSAGE(characters <= 100, line);
  }
}

TEST_CASE("an unknown key is refused with the nearest") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& arguments) {
    const CommandResult result = run_command(folder, "$SOYA " + arguments);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    return result.err.substr(0, result.err.find('\n'));
  };
  CHECK(refusal("explain fabric.headrom.size") ==
        "soya explain: unknown key \"fabric.headrom.size\"; did you mean fabric.headroom.size?");
  CHECK(refusal("explain nic.tx_depth") == "soya explain: unknown key \"nic.tx_depth\"; did you mean nic.queue_depth?");
  CHECK(refusal("explain frobnicate") ==
        "soya explain: unknown key \"frobnicate\"; soya explain lists the groups of keys");
  CHECK(refusal("explain FABRIC.Headroom.size") ==
        "soya explain: unknown key \"FABRIC.Headroom.size\"; did you mean fabric.headroom.size?");
  CHECK(refusal("explain --paths pfc") == "soya explain: --paths lists every key; leave out \"pfc\", or --paths");
  CHECK(refusal("explain a b") == "soya explain: one KEY at a time; \"b\" is one too many");
  CHECK(refusal("schema topolgy") ==
        "soya schema: expected scenario, topology or sweep, got \"topolgy\"; did you mean topology?");
  CHECK(refusal("schema topology scenario") == "soya schema: one schema at a time; \"scenario\" is one too many");
}

TEST_CASE("soya schema prints the schemas of docs") {
  const TemporaryFolder folder;
  const std::filesystem::path docs = std::filesystem::path{SOYA_SOURCE_DIR} / "docs";
  CHECK(run_command(folder, "$SOYA schema").out == read_text(docs / "scenario.schema.json"));
  CHECK(run_command(folder, "$SOYA schema scenario").out == read_text(docs / "scenario.schema.json"));
  CHECK(run_command(folder, "$SOYA schema topology").out == read_text(docs / "topology.schema.json"));
  CHECK(run_command(folder, "$SOYA schema sweep").out == read_text(docs / "sweep.schema.json"));
}
