// soya run: the same file gives the same bytes, and the order of a list is not an input.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/scenarios.hpp"
#include "support/run_command.hpp"
#include "support/sqlite_reader.hpp"

using namespace soya::test;

namespace {

/// Flows that start together and collide on NICs and ports; two pairs share source and destination, two are equal.
const std::vector<std::string> collisions = {
    "{from: h1, to: h3, size: 1MiB}",  "{from: h2, to: h3, size: 2MiB}",
    "{from: h1, to: h3, size: 700KB}", "{from: h3, to: h1, size: 1MB, messages: 3}",
    "{from: h2, to: h3, size: 2MiB}",  "{from: h2, to: h1, size: 300KB, name: 札幌}",
};

std::string scenario(std::vector<std::string> flows, std::size_t one, std::size_t other) {
  std::swap(flows[one], flows[other]);
  std::string text = R"(name: order
topology:
  nodes: {h1: host, h2: host, h3: host, s1: switch}
  links: [{between: [h1, s1]}, {between: [h2, s1]}, {between: [h3, s1]}]
fabric: {buffer: {size: 512KiB}}
workload:
  - flows:
)";
  for (const std::string& flow : flows) text += "      - " + flow + "\n";
  return text;
}

/// Every transfer there was, whatever its row, and the tables that have no order of the file.
std::string outcome(const std::filesystem::path& folder) {
  SqliteReader reader{folder / "results.sqlite"};
  return reader.ask("select * from transfer order by flow, from_host, to_host, start_ps, finish_ps") + '\n' +
         reader.ask("select * from link") + '\n' + reader.ask("select * from queue") + '\n' +
         reader.ask("select * from host");
}

}  // namespace

TEST_CASE("ten runs of a scenario give the same bytes of summary.json") {
  const ScenarioFolder folder;
  write_text(folder / "order.yaml", scenario(collisions, 0, 0));
  const std::string first = run_command(folder, "$SOYA run order.yaml --json --quiet").out;
  CHECK(contains(first, "\"finished\": 8,"));
  for (int run = 2; run <= 10; ++run) {
    CHECK(run_command(folder, "$SOYA run order.yaml --json --quiet").out == first);
    CHECK(read_text(folder / "out/order/summary.json") == first);
  }
}

TEST_CASE("swapping two flows in a file swaps their results and nothing else") {
  const ScenarioFolder folder;
  write_text(folder / "order.yaml", scenario(collisions, 0, 0));
  const std::string summary = run_command(folder, "$SOYA run order.yaml --json --quiet --out base").out;
  const std::string base = outcome(folder / "base");
  REQUIRE(contains(base, "h2>h1/札幌"));
  for (std::size_t one = 0; one < collisions.size(); ++one) {
    for (std::size_t other = one + 1; other < collisions.size(); ++other) {
      CAPTURE(one);
      CAPTURE(other);
      write_text(folder / "order.yaml", scenario(collisions, one, other));
      CHECK(run_command(folder, "$SOYA run order.yaml --json --quiet --out swapped").out == summary);
      CHECK(outcome(folder / "swapped") == base);
    }
  }
}
