#include "compare_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "engine/simulation.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "prepare.hpp"
#include "results/reader.hpp"
#include "scenario/differences.hpp"
#include "sweep/parallel.hpp"

namespace soya::cli {

namespace {

constexpr std::int64_t usual_seeds = 8;
constexpr std::chrono::seconds between_notes{10};

/// A side before its runs: those of results are there, those of a scenario are to be simulated.
struct Draft {
  std::string title;
  std::string file;
  std::optional<std::string> variant;
  std::vector<std::string> changes;
  std::vector<Outcome> stored;
  [[nodiscard]] bool is_stored() const { return !stored.empty(); }
};

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// results.sqlite that `path` names: itself, or of its folder. Nothing where it is a scenario.
std::optional<std::filesystem::path> results_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return std::filesystem::path{path} / "results.sqlite";
  constexpr std::string_view magic = "SQLite format 3";
  std::string start(magic.size(), '\0');
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream{path, std::ios::binary}.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == magic ? std::optional<std::filesystem::path>{path} : std::nullopt;
}

/// "out/a,out/b": results of several seeds, unless a file has that name.
std::vector<std::string> split_list(const std::string& operand) {
  if (exists(operand)) return {operand};
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= operand.size();) {
    const std::size_t end = std::min(operand.find(',', from), operand.size());
    parts.push_back(operand.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

/// FILE@VARIANT, either of which may hold an @ of its own: the longest FILE that is there.
std::pair<std::string, std::optional<std::string>> split_variant(const std::string& operand) {
  if (exists(operand)) return {operand, std::nullopt};
  std::size_t at = operand.rfind('@');
  for (std::size_t end = at; end != std::string::npos && end > 0; end = operand.rfind('@', end - 1)) {
    if (!std::ranges::all_of(split_list(operand.substr(0, end)), exists)) continue;
    at = end;
    break;
  }
  if (at == std::string::npos || at == 0) return {operand, std::nullopt};
  return {operand.substr(0, at), operand.substr(at + 1)};
}

/// One seed counted twice would be no spread, and everything a change.
void refuse_twice(const Draft& draft) {
  const auto seed = [](const Outcome& outcome) { return outcome.run.results.seed; };
  const auto twice = std::ranges::adjacent_find(draft.stored, {}, seed);
  if (twice == draft.stored.end()) return;
  throw ResultsError(
      fmt::format("{}: two results of seed {}; name one result of each seed", draft.title, seed(*twice)));
}

Expectation expectation_of(const RunResults& run) {
  return effective_value(run.effective_scenario, "expect") == "unsound" ? Expectation::unsound : Expectation::sound;
}

Outcome stored_run(std::vector<NamedResults> runs, const std::optional<std::string>& variant, const std::string& file) {
  const std::string name = variant.value_or("");
  const auto found = std::ranges::find(runs, name, &NamedResults::name);
  if (found == runs.end() && !variant) throw ResultsError(file + ": holds no base run; run the scenario again");
  if (found == runs.end()) {
    std::string known;
    for (const NamedResults& run : runs) known += run.name.empty() ? "" : (known.empty() ? "" : ", ") + run.name;
    throw ResultsError(
        fmt::format("{}: has no variant \"{}\"; {}", file, name, known.empty() ? "it has none" : "known: " + known));
  }
  const Expectation expect = expectation_of(found->results);
  return {std::move(*found), expect};
}

/// `known_variant`: of one operand alone, which is a file as it stands.
Draft draft_of(const SideSpec& spec, const std::optional<std::string>& known_variant = std::nullopt) {
  auto [rest, variant] = known_variant ? std::pair{spec.operand, known_variant} : split_variant(spec.operand);
  if (variant && variant->empty())
    throw ResultsError(spec.operand + ": the name of a variant stands behind @; add it, or take the @ out");
  Draft draft{spec.operand, rest, std::move(variant), spec.changes, {}};
  if (known_variant) draft.title += '@' + *known_variant;
  for (const std::string& change : spec.changes)
    draft.title += (&change == spec.changes.data() ? " with " : ", ") + change;
  const std::vector<std::string> parts = split_list(rest);
  for (const std::string& part : parts) {
    if (part.empty() && parts.size() > 1)
      throw ResultsError(rest + ": a comma without a folder beside it; take it out");
    const auto file = results_file(part);
    if (file) {
      if (!spec.changes.empty()) throw ResultsError(part + ": --with changes a scenario, and these are results");
      draft.stored.push_back(stored_run(read_results(*file), draft.variant, file->string()));
    } else if (parts.size() > 1) {
      throw ResultsError(part + ": is no folder of results; a list names results of several seeds");
    }
  }
  std::ranges::stable_sort(draft.stored, {}, [](const Outcome& outcome) { return outcome.run.results.seed; });
  refuse_twice(draft);
  return draft;
}

/// The base and every variant of the one operand there is.
std::vector<Draft> variants_of(const SideSpec& spec, const ReadOptions& read) {
  std::vector<std::string> names;
  if (const auto file = results_file(spec.operand)) {
    for (const NamedResults& run : read_results(*file)) {
      if (!run.name.empty()) names.push_back(run.name);
    }
  } else {
    names = variant_names(spec.operand, read);
  }
  std::vector<Draft> drafts{draft_of(spec)};
  for (const std::string& name : names) drafts.push_back(draft_of(spec, name));
  return drafts;
}

std::vector<std::uint64_t> seeds_of(const Draft& draft) {
  std::vector<std::uint64_t> seeds;
  for (const Outcome& outcome : draft.stored) seeds.push_back(outcome.run.results.seed);
  return seeds;
}

/// Beside results a scenario runs under their seeds, so that runs pair; else under its own and those that follow.
std::vector<PlannedRun> planned_runs(const Draft& draft, const std::vector<Draft>& all, const CompareOptions& options) {
  ReadOptions read = options.read;
  read.variant = draft.variant;
  read.sets.insert(read.sets.end(), draft.changes.begin(), draft.changes.end());
  const Scenario scenario = read_scenario(draft.file, read);
  const auto stored = std::ranges::find_if(all, &Draft::is_stored);
  std::vector<std::uint64_t> seeds;
  if (stored != all.end()) {
    seeds = seeds_of(*stored);
  } else {
    const auto count = static_cast<std::uint64_t>(options.seeds.value_or(usual_seeds));
    for (std::uint64_t k = 0; k < count; ++k) seeds.push_back(scenario.seed + k);
  }
  std::vector<PlannedRun> runs;
  for (const std::uint64_t seed : seeds) {
    read.seed = seed;
    runs.push_back({draft.variant.value_or(""), read_scenario(draft.file, read)});
  }
  return runs;
}

/// Stops a run when a signal has come.
class StopOnSignal final : public RunMonitor {
 public:
  explicit StopOnSignal(const InterruptWatch& watch) : watch_{watch} {}
  bool proceed(const Progress&) override { return watch_.signal() == 0; }
  void transfer_finished(const TransferRow&) override {}

 private:
  const InterruptWatch& watch_;
};

/// What was asked for, or all cores as far as memory reaches. Throws `MemoryRefusal`.
int affordable_threads(const std::vector<PlannedRun>& plan, const CompareOptions& options) {
  const auto limit = memory_limit(options.memory_limit);
  int threads = options.threads.value_or(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  while (!options.threads && threads > 1 && limit && estimated_need(plan, threads) > *limit) --threads;
  refuse_beyond(limit, estimated_need(plan, threads), plan.front().scenario);
  return threads;
}

std::vector<RunResults> simulate(const std::vector<PlannedRun>& plan, bool quiet, int threads,
                                 const InterruptWatch& watch) {
  std::vector<RunResults> results(plan.size());
  ParallelOptions parallel{.threads = threads, .stopped = [&] { return watch.signal() != 0; }, .progress = {}};
  const auto started = std::chrono::steady_clock::now();
  auto next_note = started + between_notes;
  if (!quiet) {
    parallel.progress = [&](std::size_t ended, std::size_t count) {
      const auto now = std::chrono::steady_clock::now();
      if (now < next_note) return;
      next_note = now + between_notes;
      const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - started).count();
      const double left =
          static_cast<double>(elapsed) * static_cast<double>(count - ended) / static_cast<double>(ended);
      print_note(fmt::format("soya: {} of {} runs, about {:.0f} s left\n", ended, count, left));
    };
  }
  for_each_index(plan.size(), parallel, [&](std::size_t index) {
    StopOnSignal monitor{watch};
    Simulation simulation{plan[index].scenario};
    results[index] = simulation.run(&monitor);
    results[index].effective_scenario = effective_yaml(plan[index].scenario);
    results[index].samples.clear();
  });
  return results;
}

/// One run of each scenario: its seeds differ in nothing that a warning is about.
std::vector<PlannedRun> first_runs(const std::vector<PlannedRun>& plan, const std::vector<std::size_t>& counts) {
  std::vector<PlannedRun> firsts;
  std::size_t next = 0;
  for (const std::size_t count : counts) {
    if (count > 0) firsts.push_back(plan[next]);
    next += count;
  }
  return firsts;
}

void refuse_unequal(const std::vector<Side>& sides) {
  for (const Side& side : sides) {
    if (side.runs.size() == sides.front().runs.size()) continue;
    const std::size_t first = sides.front().runs.size();
    throw ResultsError(fmt::format("{} has {} run{} and {} has {}; runs are paired by seed, so name as many of each",
                                   sides.front().title, first, first == 1 ? "" : "s", side.title, side.runs.size()));
  }
}

/// What would be read and then have no effect.
void refuse_idle_options(const std::vector<Draft>& drafts, const CompareOptions& options) {
  const auto stored = std::ranges::find_if(drafts, &Draft::is_stored);
  if (stored == drafts.end()) return;
  const std::string results = stored->title + " is a result: ";
  if (options.seeds || options.read.seed) {
    throw ResultsError(results + "scenarios beside it run under its seeds; leave " +
                       (options.seeds ? "--seeds" : "--seed") + " out");
  }
  if (!options.read.sets.empty() && std::ranges::all_of(drafts, &Draft::is_stored)) {
    throw ResultsError(results + "--set changes scenarios, and there is none; leave it out");
  }
}

}  // namespace

Sides read_sides(const CompareOptions& options) {
  std::vector<Draft> drafts;
  if (options.sides.size() == 1) {
    drafts = variants_of(options.sides.front(), options.read);
  } else {
    for (const SideSpec& spec : options.sides) drafts.push_back(draft_of(spec));
  }
  refuse_idle_options(drafts, options);
  std::vector<PlannedRun> plan;
  std::vector<std::size_t> counts;
  for (const Draft& draft : drafts) {
    std::vector<PlannedRun> runs = draft.is_stored() ? std::vector<PlannedRun>{} : planned_runs(draft, drafts, options);
    counts.push_back(runs.size());
    std::ranges::move(runs, std::back_inserter(plan));
  }
  Sides sides;
  std::vector<RunResults> results;
  if (!plan.empty()) {
    const int threads = affordable_threads(plan, options);
    const InterruptWatch watch;
    build_first(first_runs(plan, counts), "").first.reset();
    results = simulate(plan, options.quiet, threads, watch);
    sides.signal = watch.signal();
    if (sides.signal != 0) return sides;
  }
  std::size_t next = 0;
  for (std::size_t d = 0; d < drafts.size(); ++d) {
    Side side{drafts[d].title, std::move(drafts[d].stored)};
    for (std::size_t k = 0; k < counts[d]; ++k, ++next) {
      side.runs.push_back({{plan[next].variant, std::move(results[next])}, plan[next].scenario.expect});
    }
    sides.all.push_back(std::move(side));
  }
  refuse_unequal(sides.all);
  return sides;
}

}  // namespace soya::cli
