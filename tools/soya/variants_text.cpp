#include "variants_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "display_width.hpp"
#include "summary_tables.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t line_width = 100;

/// A column of numbers: its title and the cell of a run.
struct Column {
  const char* title;
  std::string (*cell)(const RunResults& run);
};

/// The largest of a member of the steps, in milliseconds; "-" for a run without training.
template <double StepRow::*Member>
std::string longest(const RunResults& run) {
  if (run.steps.empty()) return "-";
  double most = 0;
  for (const StepRow& step : run.steps) most = std::max(most, step.*Member);
  return milliseconds(most);
}

std::string margin(const RunResults& run) {
  const std::optional<std::int64_t> bytes = run.buffers.headroom_margin_bytes;
  return bytes ? grouped(*bytes) : "-";
}

std::string goodput(const RunResults& run) {
  const double gbps = run.transfers.goodput_gbps_max;
  return std::isnan(gbps) ? "-" : fmt::format("{:.2f}", gbps);
}

constexpr Column of_training[] = {{"step ms", longest<&StepRow::step_ms>},
                                  {"exposed ms", longest<&StepRow::exposed_ms>}};
constexpr Column of_transfers[] = {
    {"simulated", [](const RunResults& run) { return duration_text(run.simulated_ps); }},
    {"slowdown p99", [](const RunResults& run) { return slowdown_text(run.transfers.slowdown_p99); }}};
constexpr Column of_flows[] = {{"flow Gbps", goodput}};
constexpr Column of_losses[] = {
    {"lost", [](const RunResults& run) { return grouped(run.drops.link); }},
    {"resent", [](const RunResults& run) { return grouped(run.transfers.retransmitted_packets); }}};
/// The fastest size of a run's perftest jobs; "-" for a run without one.
template <std::optional<double> PerftestRow::*Member>
std::string fastest(const RunResults& run) {
  double most = 0;
  for (const PerftestRow& row : run.perftest) most = std::max(most, (row.*Member).value_or(0));
  return most > 0 ? fmt::format("{:.2f}", most) : "-";
}

constexpr Column of_perftest[] = {{"steady Gbps", fastest<&PerftestRow::steady_gbps>},
                                  {"closed form", fastest<&PerftestRow::bound_gbps>}};
constexpr Column of_drops[] = {{"drops", [](const RunResults& run) { return grouped(run.drops.lossless); }}};
constexpr Column of_headroom[] = {
    {"headroom peak", [](const RunResults& run) { return grouped(run.buffers.headroom_peak_bytes); }}};
constexpr Column of_pauses[] = {{"margin B", margin}, {"paused max", [](const RunResults& run) {
                                                         return fmt::format("{:.1f} %", run.pfc.paused_share_max * 100);
                                                       }}};

/// Whether `holds` for one of the runs.
template <class Holds>
bool any(const std::vector<Outcome>& outcomes, Holds holds) {
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [&](const Outcome& outcome) { return holds(outcome.run.results); });
}

std::vector<Column> columns_of(const std::vector<Outcome>& outcomes) {
  std::vector<Column> columns;
  const auto add = [&](const auto& some) {
    for (const Column& column : some) columns.push_back(column);
  };
  const bool losses = any(outcomes, [](const RunResults& run) { return run.drops.link > 0; });
  const bool pauses =
      any(outcomes, [](const RunResults& run) { return run.pfc.pause_frames > 0 || run.drops.lossless > 0; });
  const bool training = any(outcomes, [](const RunResults& run) { return !run.steps.empty(); });
  if (training) add(of_training);
  const bool perftest = any(outcomes, [](const RunResults& run) { return !run.perftest.empty(); });
  if (perftest) add(of_perftest);
  if (!training && !losses && !perftest) add(of_transfers);
  if (losses && !training && !perftest) add(of_flows);
  if (losses) add(of_losses);
  add(of_drops);
  if (!losses) add(of_headroom);
  if (pauses || !losses) add(of_pauses);
  return columns;
}

std::string sound_text(const Outcome& outcome) {
  const RunResults& run = outcome.run.results;
  if (!run.complete) return "incomplete";
  if (run.sound) return "yes";
  return outcome.expect == Expectation::unsound ? "no, expected" : "no";
}

/// Why a variant is not what its scenario expects, or not sound.
std::string remark(const Outcome& outcome) {
  const RunResults& run = outcome.run.results;
  const std::string name = shortened(printable(outcome.run.name), 30);
  if (verdict(outcome) == Verdict::sound_against_expectation) {
    return wrapped(name + ": expect: unsound, but the run is sound", line_width, "  ", "    ");
  }
  return run.why_not.empty() ? "" : wrapped(name + ": " + printable(run.why_not.front()), line_width, "  ", "    ");
}

}  // namespace

std::string variants_text(const std::vector<Outcome>& outcomes, Colour colour) {
  const std::vector<Column> columns = columns_of(outcomes);
  std::vector<TextColumn> titles{{"run", Align::left, 20}, {"sound", Align::left, 12}};
  for (const Column& column : columns) titles.push_back({column.title, Align::right});
  TextTable table{std::move(titles)};
  for (const Outcome& outcome : outcomes) {
    std::vector<std::string> row{outcome.run.name.empty() ? "base" : outcome.run.name, sound_text(outcome)};
    for (const Column& column : columns) row.push_back(column.cell(outcome.run.results));
    table.add(std::move(row));
  }
  std::string text = "\n" + coloured("Variants side by side", bold, colour) + "\n" + table.text();
  for (const Outcome& outcome : outcomes) {
    if (!outcome.run.name.empty()) text += remark(outcome);
  }
  return text;
}

}  // namespace soya::cli
