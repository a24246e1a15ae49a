#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>

#include "engine/simulation.hpp"
#include "exit_status.hpp"
#include "forecast.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "prepare.hpp"
#include "progress.hpp"
#include "results/results_folder.hpp"
#include "summary_text.hpp"
#include "sweep/parallel.hpp"

namespace soya::cli {

namespace {

enum class Answer { text, json };

struct RunOptions {
  std::string scenario;
  ReadOptions read;
  int threads{1};
  bool quiet{false};
  std::optional<std::string> out;
  Answer answer{Answer::text};
  CsvFiles csv{CsvFiles::none};
  std::optional<std::int64_t> memory_limit;  ///< bytes
};

RunOptions run_options(const Command& of, const Parsed& parsed) {
  RunOptions options;
  options.scenario = one_scenario(of, parsed);
  options.read = read_options(of, parsed);
  options.out = parsed.value("out");
  if (options.out && options.out->empty()) throw UsageError(usage_error(of, "--out: expected a folder, got \"\""));
  options.threads =
      static_cast<int>(whole_number(of, parsed, "threads", 1, 1024, "a number of threads from 1 to 1024").value_or(1));
  options.quiet = parsed.has("quiet");
  options.answer = parsed.has("json") ? Answer::json : Answer::text;
  options.csv = parsed.has("csv") ? CsvFiles::every_table : CsvFiles::none;
  options.memory_limit = memory_size(of, parsed);
  return options;
}

std::string safe_folder_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '-');
  return name.empty() || name == "." || name == ".." ? "scenario" : name;
}

std::filesystem::path output_folder(const RunOptions& options, const Scenario& scenario) {
  if (options.out) return *options.out;
  const std::string variant = options.read.variant ? "-" + *options.read.variant : "";
  return std::filesystem::path{"out"} / safe_folder_name(scenario.name + variant);
}

/// What the results of a run say before it ends, and for good if it never starts.
RunResults unstarted(const PlannedRun& planned, const char* why_not) {
  RunResults results;
  results.name = planned.scenario.name;
  results.seed = planned.scenario.seed;
  results.version = SOYA_VERSION;
  results.complete = false;
  results.why_not = {why_not};
  results.effective_scenario = effective_yaml(planned.scenario);
  return results;
}

/// Runs at a time, and threads of each: runs side by side come first, since they wait for nobody.
struct ThreadsOf {
  int runs{1};
  Threads each;
};

ThreadsOf shared_out(int threads, std::size_t runs) {
  const int at_a_time = std::min(threads, static_cast<int>(runs));
  return {at_a_time, {threads / at_a_time, false}};
}

/// Says where fewer threads than asked for are of use.
void note_idle_threads(const Simulation& simulation, const Threads& threads) {
  const PartitionsUsed used = simulation.partitions();
  const auto running = static_cast<int>(used.threads);
  if (running >= threads.count) return;
  if (used.parts == 1) {
    print_note(
        fmt::format("soya: --threads {}: one thread runs it: no cut of this fabric leaves threads enough to do "
                    "between two looks at each other\n",
                    threads.count));
  } else if (used.threads >= std::thread::hardware_concurrency()) {
    print_note(fmt::format("soya: --threads {}: {} run{} it: no more cores are given\n", threads.count,
                           running == 1 ? "one thread" : fmt::format("{} threads", running), running == 1 ? "s" : ""));
  } else {
    print_note(
        fmt::format("soya: --threads {}: {} threads run it: a finer cut would leave each too little to do between "
                    "two looks at the others\n",
                    threads.count, running));
  }
}

/// How many times faster than one thread the threads of a run make it at best.
double speed_up(const Simulation& built) {
  const PartitionsUsed used = built.partitions();
  return used.parts > 1 ? std::min(used.balance, static_cast<double>(used.threads)) : 1.0;
}

/// Runs the plan on a few threads; the results are in the order of the plan whichever thread ran what.
class Runner final {
 public:
  Runner(const std::vector<PlannedRun>& plan, const std::vector<RunEstimate>& estimates, const ThreadsOf& threads,
         ProgressBoard& board, const InterruptWatch& watch)
      : plan_{plan}, estimates_{estimates}, threads_{threads}, board_{board}, watch_{watch}, results_(plan.size()) {}

  /// `first` is the simulation of the first run, built already. Throws what the first failed run threw.
  std::vector<RunResults> run_all(std::unique_ptr<Simulation> first) {
    first_ = std::move(first);
    for_each_index(plan_.size(), {.threads = threads_.runs, .stopped = {}, .progress = {}}, [this](std::size_t index) {
      try {
        results_[index] = run_one(index);
      } catch (...) {
        board_.stop_all();
        throw;
      }
    });
    return std::move(results_);
  }

 private:
  RunResults run_one(std::size_t index) {
    const PlannedRun& planned = plan_[index];
    if (watch_.signal() != 0) return unstarted(planned, "interrupted before it started");
    std::unique_ptr<Simulation> simulation =
        index == 0 ? std::move(first_) : std::make_unique<Simulation>(planned.scenario, threads_.each);
    RunProgress progress{board_, planned.variant, estimates_[index].packet_hops};
    RunResults results = simulation->run(&progress);
    if (results.effective_scenario.empty()) results.effective_scenario = effective_yaml(planned.scenario);
    return results;
  }

  const std::vector<PlannedRun>& plan_;
  const std::vector<RunEstimate>& estimates_;
  ThreadsOf threads_;
  ProgressBoard& board_;
  const InterruptWatch& watch_;
  std::vector<RunResults> results_;
  std::unique_ptr<Simulation> first_;
};

ProgressStyle progress_style(const RunOptions& options) {
  if (options.quiet) return ProgressStyle::none;
  return notes_go_to_a_terminal() ? ProgressStyle::bar : ProgressStyle::lines;
}

void print_closing(const std::vector<RunResults>& results, double elapsed_s, const Forecast& expected) {
  std::int64_t events = 0;
  std::int64_t packet_hops = 0;
  for (const RunResults& run : results) {
    events += run.events;
    packet_hops += run.packet_hops;
  }
  const std::int64_t memory = peak_resident_memory();
  print_note(closing_line(events, packet_hops, elapsed_s, memory) + "\n");
  print_note(taken_line({packet_hops, memory, elapsed_s}, expected) + "\n");
}

std::vector<NamedResults> named(const std::vector<PlannedRun>& plan, std::vector<RunResults> results) {
  std::vector<NamedResults> runs;
  for (std::size_t i = 0; i < plan.size(); ++i) runs.push_back({plan[i].variant, std::move(results[i])});
  return runs;
}

std::string files_line(const std::filesystem::path& place, const std::vector<std::string>& names) {
  std::string line = place.string() + ":";
  for (const std::string& name : names) line += " " + name;
  return line;
}

/// Writes the result and returns where it is; what is not the folder that was asked for is told.
std::filesystem::path publish(ResultsFolder& folder, const std::vector<NamedResults>& runs) {
  std::filesystem::path place = folder.publish(runs);
  if (place != folder.folder()) {
    print_message("soya: " + folder.folder().string() + " keeps its complete result; the incomplete one is in " +
                  place.string() + "\n");
  }
  return place;
}

int status_of(const std::vector<Outcome>& outcomes, int signal) {
  if (signal != 0) return ExitStatus::signal_base + signal;
  const bool failed =
      std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) { return fails(verdict(outcome)); });
  return failed ? ExitStatus::not_sound : ExitStatus::sound;
}

/// Beside JSON on standard output, standard error says why the exit status is 3.
void print_failures(const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes) {
    const Verdict found = verdict(outcome);
    if (!fails(found)) continue;
    const RunResults& run = outcome.run.results;
    const std::string name = outcome.run.name.empty() ? run.name : run.name + ", variant " + outcome.run.name;
    print_note("soya: " + name + ": " + verdict_text(found));
    print_note(found == Verdict::unsound && !run.why_not.empty() ? ": " + run.why_not.front() + "\n" : "\n");
  }
}

std::vector<Outcome> outcomes_of(const std::vector<PlannedRun>& plan, std::vector<NamedResults> runs) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < plan.size(); ++i) outcomes.push_back({std::move(runs[i]), plan[i].scenario.expect});
  return outcomes;
}

int run(const Command& self, const Parsed& parsed) {
  const RunOptions options = run_options(self, parsed);
  const auto limit = memory_limit(options.memory_limit);
  const std::vector<PlannedRun> plan = read_runs(options.scenario, options.read);
  const ThreadsOf threads = shared_out(options.threads, plan.size());
  const std::int64_t need = estimated_need(plan, threads.runs);
  refuse_beyond(limit, need, plan.front().scenario);

  const InterruptWatch watch;
  BuiltRuns built = build_first(plan, ": table run, column warnings, of results.sqlite", threads.each);
  if (!options.quiet) note_idle_threads(*built.first, threads.each);
  ResultsFolder folder{output_folder(options, plan.front().scenario), options.csv};
  for (const PlannedRun& planned : plan) folder.live().add(unstarted(planned, "still running"), planned.variant);
  folder.live().commit();

  Forecast expected;
  if (!options.quiet) {
    expected = forecast_of(built.estimates, {threads.runs, speed_up(*built.first)}, need, measured_seconds_per_hop());
    print_note(forecast_line(expected) + "\n");
  }
  ProgressBoard board{folder.live(), watch, progress_style(options), {}};
  std::vector<RunResults> results =
      Runner{plan, built.estimates, threads, board, watch}.run_all(std::move(built.first));
  const double elapsed_s = board.elapsed_s();
  board.clear();
  if (watch.signal() != 0) print_note("soya: interrupted, writing what there is; a second signal ends at once\n");
  if (!options.quiet) print_closing(results, elapsed_s, expected);

  std::vector<NamedResults> runs = named(plan, std::move(results));
  const std::filesystem::path place = publish(folder, runs);
  const std::string json = summary_json(runs.front().results, std::span{runs}.subspan(1));
  const std::vector<Outcome> outcomes = outcomes_of(plan, std::move(runs));
  if (options.answer == Answer::json) print_failures(outcomes);
  print_answer(options.answer == Answer::json
                   ? json
                   : summary_text(outcomes, files_line(place, folder.file_names()), answer_colour()));
  return status_of(outcomes, watch.signal());
}

}  // namespace

Command run_command() {
  return {"run",
          "SCENARIO",
          "simulate; summary on standard output, results on disk",
          "Runs base and variants side by side. Writes results.sqlite and summary.json to\n"
          "DIR; an earlier result stays until the new one is whole. An interrupted run\n"
          "writes what there is, to DIR.incomplete where DIR holds a complete result.\n"
          "Exit status: 0 sound, 2 bad input, 3 not sound, 4 the machine refused.\n",
          {set_option(),
           seed_option(),
           {"variant", "NAME", "run this variant alone, into out/<name>-<variant>"},
           {"out", "DIR", "folder of the results; default out/<name>"},
           {"json", "", "print summary.json instead of the summary"},
           {"csv", "", "write every table as CSV too"},
           {"threads", "N", "up to N cores, also of one run; default 1; same results"},
           memory_option(),
           {"quiet", "", "no progress and no closing line on standard error"},
           help_option()},
          {"soya run scenarios/janog55-ddp.yaml --set 'workload[0].ddp.backward=300ms'",
           "soya run scenarios/incast.yaml --out results/incast --csv"},
          run};
}

}  // namespace soya::cli
