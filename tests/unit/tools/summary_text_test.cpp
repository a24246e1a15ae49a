#include "soya/summary_text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "soya/display_width.hpp"
#include "soya/summary_tables.hpp"
#include "support/sample_results.hpp"

using namespace soya;
using namespace soya::cli;

namespace {

std::string summary(const RunResults& run, Colour colour = Colour::off) {
  return summary_text({{{"", run}, Expectation::sound}}, "out/x: results.sqlite summary.json", colour);
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; start = end + 1, end = text.find('\n', start)) {
    out.push_back(text.substr(start, end - start));
  }
  return out;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a training job: sound, plan beside measurement, the condition, which message size, where the files are") {
  CHECK(summary(test::ddp_results()) ==
        R"(janog55-ddp: SOUND
  no lossless frames dropped; 45 776 of 45 776 transfers finished; 2.724 s simulated; seed 1

Step time and exposed communication: measured, and planned by the closed form
  job  step    step ms       plan  exposed ms    plan  communication ms  idle ms
  ddp     0  1 362.100  1 361.900      12.100  11.900           888.500   12.100
  ddp     1  1 362.100  1 361.900      12.100  11.900           888.500   12.100
  ddp: backward 900.000 ms > data / bandwidth 480.000 ms: the condition holds; what follows the last
    gradient is exposed, 12.100 ms.

Slowest transfers (message: one RDMA message; slowdown: time / time alone on the path)
  flow       from       to         message        time  slowdown
  ddp/ring0  server1-a  server1-b    1 MiB  112.000 us      1.30

Fullest buffers (peaks in bytes; margin: headroom left, below zero what was missing)
  switch  port       prio  shared peak  headroom      of  margin B  drops
  leaf1   server1-a     3      262 144         0  37 422    37 422      0
  Of the whole buffer at one time: at most 1.6 % of 32 MiB, at leaf1.

No link was paused.

Results: out/x: results.sqlite summary.json
)");
}

TEST_CASE("a backward pass too short to hide the communication says how much of the step is exposed") {
  RunResults run = test::ddp_results();
  run.steps.resize(1);
  run.steps[0].backward_ms = 300;
  run.steps[0].exposed_ms = 192.7;
  run.steps[0].step_ms = 963.5;
  // 192.7 / 963.5 = 20.0 %.
  CHECK(contains(summary(run),
                 "ddp: backward 300.000 ms <= data / bandwidth 480.000 ms: too short to hide it; 192.700 ms are\n"
                 "    exposed, 20.0 % of the first step."));
  run.steps[0].exposed_ms = 0;
  CHECK(contains(summary(run), "nothing is exposed."));
  run.steps[0].plan_step_ms = 0;
  CHECK(contains(summary(run), "963.500     -       0.000     -"));
}

TEST_CASE("an unsound run leads with what, where, when and how much was missing") {
  const auto text = lines(summary(test::starved_results()));
  CHECK(text[0] == "incast: NOT SOUND");
  CHECK(text[1] == "  - lossless drop: 札幌-leaf1, port 札幌-host3, priority 3, first at 21.4 us: 5 frames (20 790 B)");
  CHECK(text[2] == "    found 2 048 B of headroom full; 22 838 B would have been needed");
  CHECK(text[3] == "  - 1 of 16 transfers is unfinished: incast/札幌-host3, 524 288 of 1 048 576 B acknowledged");
  CHECK(text[4] == "  5 lossless frames dropped; 15 of 16 transfers finished; 1.369 ms simulated; seed 7");
  const std::string all = summary(test::starved_results());
  CHECK(contains(all, "  incast/札幌-host3   札幌-host3   稚内-host1    1 MiB  unfinished         -\n"));
  // 2 048 B configured, 22 838 B needed: 20 790 B missing.
  CHECK(contains(all, "  札幌-leaf1  札幌-host3      3       87 000     2 048   2 048   -20 790      5\n"));
}

TEST_CASE("one reason more than there is room for is shown, several are counted") {
  RunResults run = test::starved_results();
  run.why_not = {"a", "b", "c", "d", "e", "f", "… and 26 more unfinished"};
  CHECK(contains(summary(run), "  - f\n  - … and 26 more unfinished\n  5 lossless frames dropped"));
  run.why_not.push_back("h");
  CHECK(contains(summary(run), "  - f\n  - and 2 more reasons in summary.json\n"));
}

TEST_CASE("packets sent again are said, also of a sound run: a time-out may be too short") {
  RunResults run = test::incast_results();
  run.transfers.retransmitted_packets = 12'345;
  CHECK(contains(summary(run), "of 16 transfers finished; 12 345 packets sent again; 1.369 "));
  run.transfers.retransmitted_packets = 1;
  CHECK(contains(summary(run), "; 1 packet sent again; "));
}

TEST_CASE("tables show the worst rows first") {
  const std::string text = summary(test::incast_results());
  const auto line_of = [&](const std::string& part) { return text.find(part); };
  CHECK(line_of("incast/札幌-host16") < line_of("incast/札幌-host15"));
  CHECK_FALSE(contains(text, "incast/札幌-host12"));
  CHECK(contains(text, "  札幌-host16  札幌-leaf1  1.100 ms      80.3 %             4\n"));
  // Headroom peaks are 20 790 + i of 37 422: the sixteenth leaves 16 616.
  CHECK(contains(text, "  札幌-leaf1  札幌-host16     3       87 000    20 806  37 422    16 616      0\n"));
  // 299 376 of 16 x 37 422.
  CHECK(contains(text,
                 "  Of all headroom at one time: at most 50.0 % of 598 752 B, by 14 of 16 groups, at 札幌-leaf1.\n"
                 "  For 99 % of the time 55.0 % of it or more was unused.\n"));
}

TEST_CASE("every summary fits one screen: at most 100 columns and 45 lines") {
  RunResults wild = test::starved_results();
  wild.steps = std::vector<StepRow>(100, test::ddp_results().steps[0]);
  wild.name = std::string(200, 'n');
  wild.why_not = std::vector<std::string>(50, std::string(60, 'w') + " " + std::string(60, 'x'));
  for (auto& row : wild.transfer_rows) row.flow = row.from = row.to = std::string(90, 'f');
  for (auto& row : wild.links) row.from = row.to = std::string(90, 'l');
  for (auto& row : wild.queues) row.node = row.port = std::string(90, 'q');
  for (auto& row : wild.queues) {
    row.shared_peak_bytes = row.headroom_peak_bytes = row.headroom_configured_bytes = 268'435'456;
    row.headroom_needed_bytes = 2 * 268'435'456;
  }
  for (const RunResults& run : {test::ddp_results(), test::incast_results(), test::starved_results(), wild}) {
    const auto text = lines(summary(run));
    CHECK(text.size() <= (run.steps.size() > 50 ? 55 : 45));
    for (const std::string& line : text) CHECK_MESSAGE(display_width(line) <= 100, line);
  }
}

TEST_CASE("a variant that runs alone is named in the headline") {
  const auto head = [](const std::string& variant, const std::string& name) {
    RunResults run = test::ddp_results();
    run.name = name;
    return lines(summary_text({{{variant, run}, Expectation::sound}}, "out/x: summary.json", Colour::off))[0];
  };
  CHECK(head("", "janog55-ddp") == "janog55-ddp: SOUND");
  CHECK(head("short", "janog55-ddp") == "janog55-ddp, variant short: SOUND");
  // Long names leave room for the verdict: 40 + ", variant " + 30 + ": SOUND".
  CHECK(display_width(head(std::string(99, 'v'), std::string(99, 'n'))) == 40 + 10 + 30 + 7);
}

TEST_CASE("verdicts, and which of them make the exit status 3") {
  const auto of = [](RunResults run, Expectation expect) { return verdict({{"", std::move(run)}, expect}); };
  CHECK(of(test::incast_results(), Expectation::sound) == Verdict::sound);
  CHECK(of(test::starved_results(), Expectation::sound) == Verdict::unsound);
  CHECK(of(test::starved_results(), Expectation::unsound) == Verdict::unsound_as_expected);
  CHECK(of(test::incast_results(), Expectation::unsound) == Verdict::sound_against_expectation);
  RunResults interrupted = test::starved_results();
  interrupted.complete = false;
  CHECK(of(interrupted, Expectation::sound) == Verdict::incomplete);
  CHECK(fails(Verdict::unsound));
  CHECK(fails(Verdict::sound_against_expectation));
  CHECK_FALSE(fails(Verdict::sound));
  CHECK_FALSE(fails(Verdict::unsound_as_expected));
  CHECK_FALSE(fails(Verdict::incomplete));
}

TEST_CASE("colour only where asked for, a name's control characters never reach the terminal") {
  CHECK(contains(summary(test::ddp_results(), Colour::on), "janog55-ddp: \x1b[1;32mSOUND\x1b[0m\n"));
  RunResults evil = test::incast_results();
  evil.name = "a\x1b[2Jb";
  evil.why_not = {"c\x1b]0;d"};
  evil.transfer_rows[15].flow = "\x1b[31m";
  CHECK_FALSE(contains(summary(evil), "\x1b"));
}

TEST_CASE("a run without anything is three lines") {
  RunResults run;
  run.name = "empty";
  run.sound = true;
  CHECK(summary(run) ==
        "empty: SOUND\n  no lossless frames dropped; 0 of 0 transfers finished; 0 ps simulated; seed 0\n\n"
        "Results: out/x: results.sqlite summary.json\n");
}

TEST_CASE("pauses over links of 10 km and more are shown beside the formula, those over shorter ones are not") {
  RunResults run;
  run.pauses.push_back(test::long_pause());
  run.pauses.push_back(test::long_pause());
  run.pauses.back().port = "host1";
  run.pauses.back().round_trip_ps = 99'999'999;  // 10 m short of 10 km
  CHECK(long_pause_table(run) ==
        "Pauses over long links (bytes stored at XON, and what full rate takes; dry: nothing stored)\n"
        "  switch    port     cycles   longest  in flight   XON at B  full rate B  dry/cycle   formula\n"
        "  wakkanai  sapporo       2  4.706 ms          9  6 997 914   37 353 126   2.357 ms  2.357 ms\n"
        "  54 refreshes; every pause was refreshed in time.\n");
  run.pauses.front().expired = 1;
  CHECK(long_pause_table(run).ends_with("  54 refreshes; 1 pause ran out while it was meant.\n"));
  run.pauses.erase(run.pauses.begin());
  CHECK(long_pause_table(run).empty());
}
