#include "summary_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "display_width.hpp"
#include "perftest_text.hpp"
#include "summary_tables.hpp"
#include "text_table.hpp"
#include "variants_text.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t reasons_shown = 6;
constexpr std::size_t line_width = 100;

std::string_view verdict_colour(Verdict verdict) {
  constexpr std::string_view bold_green = "1;32";
  constexpr std::string_view bold_red = "1;31";
  constexpr std::string_view bold_yellow = "1;33";
  switch (verdict) {
    case Verdict::sound:
      return bold_green;
    case Verdict::unsound_as_expected:
      return bold_green;
    case Verdict::unsound:
      return bold_red;
    case Verdict::sound_against_expectation:
      return bold_red;
    case Verdict::incomplete:
      return bold_yellow;
  }
  return bold_red;
}

std::string reasons(const RunResults& run) {
  std::string text;
  // A single one more takes no more room than the line that would stand for it.
  const std::size_t shown = run.why_not.size() == reasons_shown + 1 ? reasons_shown + 1 : reasons_shown;
  for (std::size_t i = 0; i < std::min(shown, run.why_not.size()); ++i) {
    text += wrapped(printable(run.why_not[i]), line_width, "  - ", "    ");
  }
  if (run.why_not.size() > shown) {
    text += fmt::format("  - and {} more reasons in summary.json\n", run.why_not.size() - shown);
  }
  return text;
}

/// One line of totals under the verdict.
std::string totals(const RunResults& run) {
  std::string text = fmt::format("{} lossless frames dropped; {} of {} transfers finished",
                                 run.drops.lossless == 0 ? "no" : grouped(run.drops.lossless),
                                 grouped(run.transfers.finished), grouped(run.transfers.count));
  if (run.drops.lossy > 0) text += fmt::format("; {} frames of lossy priorities dropped", grouped(run.drops.lossy));
  if (run.drops.link > 0)
    text += fmt::format("; {} frame{} lost on links", grouped(run.drops.link), run.drops.link == 1 ? "" : "s");
  const std::int64_t again = run.transfers.retransmitted_packets;
  if (again > 0) text += fmt::format("; {} packet{} sent again", grouped(again), again == 1 ? "" : "s");
  text += fmt::format("; {} simulated; seed {}", duration_text(run.simulated_ps), run.seed);
  return wrapped(text, line_width, "  ", "  ");
}

/// A line for each time that switches came to route by a failure or repair, the last ones where they are many.
std::string reconvergences(const RunResults& run) {
  constexpr std::size_t shown = 3;
  std::string text;
  const std::size_t count = run.reconvergences.size();
  for (std::size_t i = count > shown ? count - shown : 0; i < count; ++i) {
    const ReconvergenceRow& row = run.reconvergences[i];
    std::string line = fmt::format("rerouted at {} {}; {} frame{} lost until then", duration_text(row.time_ps),
                                   row.what, grouped(row.lost_frames), row.lost_frames == 1 ? "" : "s");
    if (row.cut_off_hosts > 0)
      line += fmt::format("; {} host{} cut off: {}", grouped(row.cut_off_hosts), row.cut_off_hosts == 1 ? "" : "s",
                          row.cut_off);
    text += wrapped(printable(line), line_width, "  ", "    ");
  }
  return text;
}

std::string base_text(const Outcome& outcome, Colour colour) {
  const RunResults& run = outcome.run.results;
  const Verdict found = verdict(outcome);
  const std::string& variant = outcome.run.name;
  std::string text = fmt::format("{}{}: {}\n", shortened(printable(run.name), variant.empty() ? 60 : 40),
                                 variant.empty() ? "" : ", variant " + shortened(printable(variant), 30),
                                 coloured(verdict_text(found), verdict_colour(found), colour));
  text += reasons(run) + totals(run) + reconvergences(run);
  const std::string steps = step_table(run);
  std::vector<std::string> sections = perftest_sections(run);
  sections.push_back(steps.empty() ? collective_table(run) : steps);
  if (!only_perftest(run)) sections.push_back(transfer_table(run));
  sections.push_back(buffer_table(run));
  sections.push_back(accelerator_table(run));
  sections.push_back(tier_table(run));
  sections.push_back(paused_table(run));
  sections.push_back(long_pause_table(run));
  for (const std::string& section : sections) {
    if (section.empty()) continue;
    const std::size_t title_end = section.find('\n');
    text += "\n" + coloured(section.substr(0, title_end), bold, colour) + section.substr(title_end);
  }
  return text;
}

}  // namespace

std::string summary_text(const std::vector<Outcome>& outcomes, const std::string& files, Colour colour) {
  std::string text = base_text(outcomes.front(), colour);
  if (outcomes.size() > 1) text += variants_text(outcomes, colour);
  return text + "\n" + wrapped("Results: " + printable(files), line_width, "", "  ");
}

}  // namespace soya::cli
