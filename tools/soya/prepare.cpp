#include "prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <variant>

#include "exit_status.hpp"
#include "output.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t warnings_shown = 8;

std::size_t flow_count(const Scenario& scenario) {
  std::size_t flows = 0;
  for (const JobConfig& job : scenario.jobs) {
    if (const auto* list = std::get_if<FlowsConfig>(&job)) flows += list->flows.size();
  }
  return flows;
}

/// "1 flow", "2 048 flows".
std::string number_of(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

/// Of several runs a complaint about a variant names it, as one about reading it does.
std::unique_ptr<Simulation> built_of(const PlannedRun& run, bool alone, const Threads& threads) {
  try {
    return std::make_unique<Simulation>(run.scenario, threads);
  } catch (const ScenarioError& error) {
    if (alone || run.variant.empty()) throw;
    std::vector<Diagnostic> named = error.diagnostics();
    for (Diagnostic& diagnostic : named) diagnostic.message += " (in variant \"" + run.variant + "\")";
    throw ScenarioError(std::move(named));
  }
}

}  // namespace

std::vector<PlannedRun> read_runs(const std::string& file, const ReadOptions& given) {
  FileTexts texts;
  ReadOptions options = given;
  options.texts = &texts;
  std::vector<PlannedRun> runs;
  // The base comes first and alone: every variant would repeat its errors.
  runs.push_back({options.variant.value_or(""), read_scenario(file, options)});
  if (options.variant) return runs;
  std::vector<Diagnostic> errors;
  std::set<std::string> seen;
  for (const std::string& name : variant_names(file, options)) {
    ReadOptions with_variant = options;
    with_variant.variant = name;
    try {
      runs.push_back({name, read_scenario(file, with_variant)});
    } catch (const ScenarioError& error) {
      for (const Diagnostic& diagnostic : error.diagnostics()) {
        if (seen.insert(diagnostic.text()).second) errors.push_back(diagnostic);
      }
    }
  }
  if (!errors.empty()) throw ScenarioError(errors);
  return runs;
}

void Warnings::add(const PlannedRun& run) {
  for (const Diagnostic& warning : run.scenario.warnings) print(run.variant, warning.text());
}

void Warnings::add(const PlannedRun& run, const Simulation& built) {
  add(run);
  for (const std::string& warning : built.warnings()) print(run.variant, warning);
}

void Warnings::print(const std::string& variant, const std::string& warning) {
  if (!seen_.insert(warning).second || seen_.size() > warnings_shown) return;
  print_message("warning: " + (variant.empty() ? "" : variant + ": ") + warning + "\n");
}

void Warnings::close(const std::string& rest) const {
  if (seen_.size() <= warnings_shown) return;
  print_note(
      fmt::format("warning: and {} more{}\n", grouped(static_cast<long long>(seen_.size() - warnings_shown)), rest));
}

BuiltRuns build_first(const std::vector<PlannedRun>& runs, const std::string& rest, const Threads& threads) {
  Warnings warnings;
  std::unique_ptr<Simulation> built;
  std::vector<RunEstimate> estimates;
  for (const PlannedRun& run : runs) {
    // One at a time: two built simulations would need twice the memory that was asked for.
    built.reset();
    built = built_of(run, runs.size() == 1, threads);
    warnings.add(run, *built);
    estimates.push_back(estimate_run(*built));
  }
  warnings.close(rest);
  if (runs.size() > 1) {
    built.reset();
    built = std::make_unique<Simulation>(runs.front().scenario, threads);
  }
  return {std::move(built), std::move(estimates)};
}

std::int64_t estimated_need(const std::vector<PlannedRun>& runs, int at_a_time) {
  std::vector<std::int64_t> needs;
  for (const PlannedRun& run : runs) needs.push_back(estimated_memory_bytes(run.scenario));
  std::sort(needs.begin(), needs.end(), std::greater<>{});
  const std::size_t together = std::min(needs.size(), static_cast<std::size_t>(at_a_time));
  // An estimate may be the most that 64 bits hold, and two of them are no less.
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto plus = [](std::int64_t sum, std::int64_t need) { return need > most - sum ? most : sum + need; };
  return std::accumulate(needs.begin(), needs.begin() + static_cast<std::ptrdiff_t>(together), std::int64_t{0}, plus);
}

void refuse_beyond(std::optional<std::int64_t> limit, std::int64_t need, const Scenario& scenario) {
  if (!limit || need <= *limit) return;
  const auto flows = static_cast<long long>(flow_count(scenario));
  throw MemoryRefusal(
      fmt::format("{} needs up to {} of memory ({} B: {}{}), and the limit is {}.\n"
                  "Make it smaller, or raise the limit with --memory-limit SIZE.",
                  scenario.name, size_text(need), grouped(need), number_of(std::ssize(scenario.nics), "host"),
                  flows > 0 ? fmt::format(", {} listed", number_of(flows, "flow")) : "", size_text(*limit)));
}

}  // namespace soya::cli
