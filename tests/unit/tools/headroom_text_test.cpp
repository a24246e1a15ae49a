#include "soya/headroom_text.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/run_command.hpp"
#include "support/units_io.hpp"

using namespace soya;
using namespace soya::cli;
using soya::test::contains;

namespace {

/// `count` ports alike of a switch, 5 m at 100G, found with 8316 B of 13 203.
ScenarioHeadroom ports_alike(std::size_t count) {
  ScenarioHeadroom answer;
  answer.run.name = "bench";
  answer.run.sound = true;
  PortKind kind{};
  kind.link.rate = 100_Gbps;
  kind.link.one_way = 25_ns;
  kind.length = 5_m;
  kind.budget = headroom_budget(query_of(kind.link));
  kind.sized_by_port = true;
  kind.worst = WorstCaseAnswer{8316_B, {}, true, 1};
  kind.here = SmallestHere{4158_B, 13'203_B, true, 1};
  for (std::size_t i = 1; i <= count; ++i) {
    PortFigures port{};
    port.node = "s";
    port.port = "h" + std::to_string(i);
    port.configured = 13'203_B;
    port.peak = Bytes{static_cast<std::int64_t>(i)};
    kind.ports.push_back(port);
  }
  answer.kinds.push_back(kind);
  return answer;
}

std::ptrdiff_t rows(const std::string& text) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = text.find("\n  s port "); at != std::string::npos; at = text.find("\n  s port ", at + 1))
    ++count;
  return count;
}

std::string text_of(const ScenarioHeadroom& answer) {
  return headroom_text(answer, PortRows::alike_together);
}

}  // namespace

TEST_CASE("up to 16 ports have a row each in both tables, more are one row unless asked for") {
  CHECK(rows(text_of(ports_alike(16))) == 32);
  const std::string many = text_of(ports_alike(17));
  CHECK(rows(many) == 2);
  CHECK(contains(many, "\n  s port h1                17  100Gbps "));
  CHECK(contains(many, "  17 B "));  // the highest peak of all
  CHECK(rows(headroom_text(ports_alike(17), PortRows::each)) == 34);
}

TEST_CASE("the ratio is budget to worst case, and the part that dominates is named") {
  const std::string text = text_of(ports_alike(1));
  CHECK(text.starts_with("bench: lossless with the headroom configured\n"));
  CHECK(contains(text, "8 316 B            1.59\n"));  // 13 203 / 8316 = 1.588
  // A = 625 + 4178 + 84, and two frames of 4158 B, which are 63 % of 13 203 B.
  CHECK(contains(text, "two frames 63 %\n"));
  CHECK_FALSE(contains(text, "lost here"));
}

TEST_CASE("a variant is named, and modes of a port say whose bytes the tables show") {
  ScenarioHeadroom answer = ports_alike(1);
  CHECK(headroom_text(answer, PortRows::each, "long").starts_with("bench, variant long: lossless with "));
  CHECK_FALSE(contains(text_of(answer), "of a port"));
  answer.kinds.front().mode = PortSharedHeadroom{};
  CHECK(contains(text_of(answer), "\n  port-shared: configured, peak and smallest here are of a port,"));
  answer.kinds.front().mode = DynamicSharedHeadroom{};
  CHECK(contains(text_of(answer), "\n  dsh: configured, peak and smallest here are of a port's insurance;"));
}

TEST_CASE("what is odd about an answer is marked and explained") {
  ScenarioHeadroom answer = ports_alike(1);
  PortKind& kind = answer.kinds.front();
  kind.here = SmallestHere{0_B, 13'203_B, true, 1};
  CHECK(contains(text_of(answer), "0 B: no frame ever enters such headroom in this scenario."));
  kind.here = SmallestHere{std::nullopt, 3947_B, true, 1};
  CHECK(contains(text_of(answer), "  > 3 947 B  "));
  CHECK(contains(text_of(answer), ">: loses frames even with the largest size"));
  kind.here = SmallestHere{4158_B, 13'203_B, false, 1};
  CHECK(contains(text_of(answer), "  4 158 B *  "));
  CHECK(contains(text_of(answer), "*: not monotone: "));
  CHECK_FALSE(contains(text_of(answer), "Cells: "));
  kind.link.cell = 208_B;
  CHECK(contains(text_of(answer), "Cells: the worst case has the largest frames"));
  kind.mode = NoHeadroom{};
  kind.sized_by_port = false;
  kind.here.reset();
  CHECK(contains(text_of(answer), "  none  "));
  CHECK(contains(text_of(answer), "-: a port with a share of a pool, or without headroom,"));
  CHECK(headroom_missing(answer) == "");
}

TEST_CASE("a scenario that loses frames, or is unsound otherwise, says that first") {
  ScenarioHeadroom answer = ports_alike(1);
  answer.run.sound = false;
  answer.run.why_not = {"stalled: at 1 s no data frame had started for 10 ms"};
  CHECK(text_of(answer).starts_with(
      "bench: NOT SOUND, though no lossless frame is dropped\n  - stalled: at 1 s no data frame had started"));
  answer.run.drops.lossless = 3;
  answer.kinds.front().ports.front().dropped = 3;
  CHECK(text_of(answer).starts_with("bench: LOSES FRAMES with the headroom configured\n  - stalled"));
  CHECK(contains(text_of(answer), "lost here\n"));
  CHECK(contains(text_of(answer), "  3 frames\n"));
}

TEST_CASE("what a stopped search has not found is named") {
  ScenarioHeadroom answer = ports_alike(2);
  CHECK(headroom_missing(answer) == "");
  answer.kinds.front().here.reset();
  answer.kinds.front().worst.reset();
  answer.pools.push_back({.nodes = {"s"},
                          .switches = {},
                          .pool = 1_MB,
                          .cap = {},
                          .groups = 2,
                          .covered = {},
                          .peak = {},
                          .needed = {},
                          .groups_peak = 1,
                          .here = {}});
  CHECK(headroom_missing(answer) ==
        "missing: smallest here of s port h1, smallest in the worst case of s port h1, smallest pool of s\n");
  CHECK(contains(text_of(answer), "  not searched  "));
  answer.run.complete = false;
  CHECK(headroom_missing(answer).starts_with("missing: the rest of the run, "));
  CHECK(text_of(answer).starts_with("bench: INCOMPLETE, interrupted before its own run had ended\n"));
  CHECK(contains(text_of(answer), "  1 group  "));
}
