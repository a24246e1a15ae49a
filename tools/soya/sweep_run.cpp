#include "sweep_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

#include "core/utf8.hpp"
#include "exit_status.hpp"
#include "failure.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "prepare.hpp"
#include "scenario/read_sweep.hpp"
#include "slurm.hpp"
#include "sweep/point_list.hpp"
#include "sweep/points_csv.hpp"
#include "sweep/shard.hpp"
#include "sweep/shard_folder.hpp"
#include "sweep/store_reader.hpp"
#include "sweep/sweep_run.hpp"
#include "sweep_progress.hpp"
#include "sweep_text.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

struct RunOptions {
  std::string file;
  ReadOptions read;
  std::optional<Shard> shard;
  std::filesystem::path parent;  ///< of the folders of all shards
  int threads{1};
  bool quiet{false};
  std::optional<std::int64_t> memory_limit;
  bool retry_crashed{false};
};

std::string one_sweep(const Command& self, const Parsed& parsed) {
  if (parsed.positional.size() == 1) return parsed.positional.front();
  throw UsageError(usage_error(self, fmt::format("expected one SWEEP file, got {}", parsed.positional.size())));
}

/// As many as there are cores, or as Slurm gives this task.
int usual_threads() {
  if (const char* given = std::getenv("SLURM_CPUS_PER_TASK")) {
    const int cpus = std::atoi(given);
    if (cpus > 0) return cpus;
  }
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::optional<Shard> shard_option(const Command& self, const Parsed& parsed) {
  try {
    if (const auto given = parsed.value("shard")) return parse_shard(*given);
    return shard_of_array(array_task_of_environment());
  } catch (const ShardError& error) {
    throw UsageError(usage_error(self, fmt::format("--shard: {}", error.what())));
  }
}

RunOptions run_options(const Command& self, const Parsed& parsed) {
  RunOptions options;
  options.file = one_sweep(self, parsed);
  options.read = read_options(self, parsed);
  options.shard = shard_option(self, parsed);
  options.parent = parsed.value("out").value_or("");
  if (parsed.has("out") && options.parent.empty()) {
    throw UsageError(usage_error(self, "--out: expected a folder, got \"\""));
  }
  options.threads = static_cast<int>(
      whole_number(self, parsed, "threads", 1, 1024, "a number of threads from 1 to 1024").value_or(usual_threads()));
  options.quiet = parsed.has("quiet");
  options.memory_limit = memory_size(self, parsed);
  options.retry_crashed = parsed.has("retry-crashed");
  return options;
}

std::filesystem::path folder_of(const RunOptions& options) {
  return options.shard ? options.parent / shard_folder(*options.shard) : options.parent;
}

/// Shards of two counts in a folder make up no sweep.
void refuse_other_shards(const Command& self, const RunOptions& options) {
  std::error_code none;
  if (!options.shard || !std::filesystem::is_directory(options.parent, none)) return;
  const std::vector<ShardFolder> there = shard_folders(options.parent);
  if (there.empty() || there.front().shard.count == options.shard->count) return;
  throw UsageError(usage_error(
      self, fmt::format("--shard {}: {} holds shards of {}; say so many, or choose another --out",
                        shard_text(*options.shard), visible(options.parent.string()), there.front().shard.count)));
}

/// A search whose ends do not differ even at the first point is asked wrongly: that is told before hours of it.
void refuse_blind_search(const SweepConfig& sweep, const PointSpace& space, const RunOptions& options) {
  if (!sweep.search || options.shard) return;
  const auto first = PointSpace::Cursor{space, {}}.next();
  if (!first) return;
  const auto fault = PointRunner{sweep, space, options.read}.ends_fault(*first, {});
  if (!fault) return;
  const Written& at = sweep.search->such_that;
  throw ScenarioError({{{sweep.file, at.line, at.column, "search"},
                        "at the first point (" + cells_text(columns_of(sweep), space.cells(*first)) + ") " + *fault}});
}

/// Warnings of the first point, and of the first with each further value: what is odd about a value shows there. Not of
/// all values: building a fabric for each may take long.
void print_warnings(const SweepConfig& sweep, const PointSpace& space, const RunOptions& options) {
  constexpr std::size_t most_looked_at = 32;
  ScenarioReader reader{sweep.scenario, options.read, sweep.file};
  Warnings warnings;
  const auto look_at = [&](const Point& point, const std::string& label) {
    try {
      const PlannedRun run{label, reader.read(space.laid(point))};
      warnings.add(run, Simulation{run.scenario});
    } catch (const ScenarioError&) {
      // What cannot be built becomes the result of its points.
    }
  };
  Point point{0, std::vector<std::size_t>(sweep.factors.size(), 0)};
  look_at(point, "");
  std::size_t looked_at = 0;
  for (std::size_t f = 0; f + 1 < sweep.factors.size(); ++f) {  // seeds, the last of them, warn of nothing
    const Factor& factor = sweep.factors[f];
    for (std::size_t level = 1; level < factor.levels.size() && looked_at < most_looked_at; ++level, ++looked_at) {
      point.levels[f] = level;
      look_at(point, cells_text(factor.columns, factor.levels[level].cells));
    }
    point.levels[f] = 0;
  }
  warnings.close("");
}

void refuse_too_large(const SweepOutcome& outcome, std::int64_t limit) {
  if (outcome.too_large == 0) return;
  throw MemoryRefusal(fmt::format(
      "{} point{} not run: the largest needs up to {} of memory, and the limit is {}.\n"
      "All others are done. Run the same command on a larger machine, or raise the limit with --memory-limit SIZE.",
      outcome.too_large, outcome.too_large == 1 ? " was" : "s were", size_text(outcome.largest_need),
      size_text(limit)));
}

int run_here(const std::vector<std::string>& arguments, const RunOptions& options, const SweepConfig& sweep,
             const PointSpace& space) {
  const std::filesystem::path folder = folder_of(options);
  RunningBoard board{static_cast<std::size_t>(options.threads)};
  SweepProgressLine line{options.quiet, notes_go_to_a_terminal()};
  const auto limit = memory_limit(options.memory_limit);
  SweepRun run{sweep,
               space,
               {options.read, folder, options.shard.value_or(Shard{}), options.threads, limit, options.retry_crashed,
                [&](const SweepProgress& progress) { line.show(progress); }},
               board};
  const auto in_child = [&](const std::function<int()>& work) {
    return reported(arguments, [&] {
      const int status = work();
      line.clear();
      return status;
    });
  };
  SupervisedWork work;
  work.any_left = [] { return true; };
  work.left = [&](std::int64_t point) { return !run.has_result(point); };
  work.run_all = [&] {
    return in_child([&] {
      refuse_too_large(run.run_all(), limit.value_or(0));
      return ExitStatus::sound;
    });
  };
  work.run_one = [&](std::int64_t point) {
    return in_child([&] {
      run.run_one(point);
      return ExitStatus::sound;
    });
  };
  work.record_crash = [&](std::int64_t point, const std::string& what) { run.record_crash(point, what); };
  const int status = supervise(board, work);
  const int signal = board.stop_signal();
  if (status != ExitStatus::sound && signal == 0) return status;

  StoreReader reader{folder / "sweep.sqlite"};
  const SweepSummary summary = sweep_summary(reader);
  if (signal != 0) {
    print_note(fmt::format("soya: stopped with {} of {} points done{}; the same command goes on\n",
                           grouped(summary.done), grouped(summary.points),
                           summary.done == 0 ? "" : ", all of them kept"));
    return ExitStatus::signal_base + signal;
  }
  write_points_csv(reader, folder / "points.csv");
  print_answer(sweep_summary_text(summary, folder.string() + ": points.csv sweep.sqlite", answer_colour()));
  return summary.outcomes.count(PointOutcome::crashed) != 0 ? ExitStatus::internal_error : ExitStatus::sound;
}

/// What a task of an array is told beside its shard.
std::vector<std::string> arguments_of(const Parsed& parsed) {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : parsed.values) {
    if (name != "set" && name != "seed" && name != "memory-limit" && name != "retry-crashed") continue;
    arguments.push_back("--" + name);
    if (name != "retry-crashed") arguments.push_back(value);
  }
  return arguments;
}

std::vector<Option> all_options() {
  std::vector<Option> options{{"out", "DIR", "folder of the sweep; default out/<name>"},
                              {"shard", "I/N", "points I, I + N, … alone, into DIR/shard-<I>-of-<N>"},
                              {"threads", "N", "points at a time; default all cores"},
                              set_option(),
                              seed_option(),
                              {"retry-crashed", "", "run again what crashed before"},
                              {"count", "", "print how many points there are"},
                              {"dry-run", "", "list the points as CSV, or the job script; run nothing"}};
  const std::vector<Option>& slurm = slurm_option_list();
  options.insert(options.end(), slurm.begin(), slurm.end());
  options.insert(options.end(), {memory_option(), {"quiet", "", "no progress on standard error"}, help_option()});
  return options;
}

int run(const Command& self, const Parsed& parsed) {
  RunOptions options = run_options(self, parsed);
  const SweepConfig sweep = read_sweep(options.file, options.read);
  check_quantities(sweep);
  const PointSpace space{sweep};
  if (options.parent.empty()) options.parent = std::filesystem::path{"out"} / sweep.name;
  const std::int64_t count = space.count();
  if (count == 0)
    throw ScenarioError({{{sweep.file, 0, 0, "only"}, "drops every combination, so the sweep has no points"}});
  if (parsed.has("count")) {
    print_answer(std::to_string(points_in(options.shard.value_or(Shard{}), count)) + "\n");
    return ExitStatus::sound;
  }
  if (const auto slurm = slurm_options(self, parsed)) {
    refuse_blind_search(sweep, space, options);
    return submit(self, *slurm, {sweep.name, options.file, options.parent.string(), count, arguments_of(parsed)});
  }
  const Shard shard = options.shard.value_or(Shard{});
  if (parsed.has("dry-run")) {
    list_points(sweep, space, shard, [](std::string_view text) { print_answer(text); });
    return ExitStatus::sound;
  }
  if (points_in(shard, count) == 0) {
    print_note(fmt::format("soya: shard {} has no point: the sweep has {}\n", shard_text(shard), grouped(count)));
    return ExitStatus::sound;
  }
  refuse_other_shards(self, options);
  print_warnings(sweep, space, options);
  refuse_blind_search(sweep, space, options);
  return run_here({self.name, options.file}, options, sweep, space);
}

}  // namespace

Command sweep_run_command() {
  return {"sweep run",
          "SWEEP",
          "simulate every point of a sweep; resumes by itself",
          "DIR gets sweep.sqlite, a row per finished point, and points.csv at the end.\n"
          "The same command goes on where it was stopped; a point is never run twice.\n"
          "A point that is not sound or is refused is a result. Exit status: 0 all have\n"
          "a result, 1 some crashed, 2 bad input, 4 the machine refused.\n",
          all_options(),
          {"soya sweep run scenarios/sweeps/bucket-size.yaml",
           "soya sweep run scenarios/sweeps/headroom-by-distance.yaml --shard 0/8"},
          run};
}

}  // namespace soya::cli
