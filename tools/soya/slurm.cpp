#include "slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/quantity_text.hpp"
#include "exit_status.hpp"
#include "output.hpp"
#include "program.hpp"
#include "results/files.hpp"
#include "sweep/shard_folder.hpp"
#include "sweep/slurm_script.hpp"

namespace soya::cli {

namespace {

namespace fs = std::filesystem;

/// Of Slurm as it comes: MaxArraySize 1001.
constexpr std::int64_t usual_most_tasks = 1000;
constexpr std::int64_t most_anywhere = 4'000'000;  // slurm.conf(5): MaxArraySize may not exceed 4000001

std::optional<std::int64_t> count_option(const Command& of, const Parsed& parsed, const std::string& name) {
  return whole_number(of, parsed, name, 1, most_anywhere, "a whole number from 1 to 4000000");
}

std::optional<std::string> text_option(const Command& of, const Parsed& parsed, const std::string& name) {
  std::optional<std::string> text = parsed.value(name);
  if (text && text->empty()) throw UsageError(usage_error(of, fmt::format("--{}: expected a value, got \"\"", name)));
  return text;
}

/// What the cluster says of itself; a note where it does not answer.
std::optional<std::int64_t> max_array_size_here() {
  const std::optional<ProgramEnd> end = run_program({"scontrol", "show", "config"});
  if (!end) return std::nullopt;
  if (end->status == 0) return max_array_size(end->out);
  print_note(fmt::format("soya: scontrol does not tell MaxArraySize, so arrays have at most {} tasks; it says:\n{}",
                         grouped(usual_most_tasks), end->notes));
  return std::nullopt;
}

std::string cluster_text(std::optional<std::int64_t> max_array_size) {
  if (max_array_size) return fmt::format("MaxArraySize of this cluster is {}", *max_array_size);
  return "no scontrol tells the cluster's MaxArraySize; --array-size N says it";
}

/// Tasks of an array.
std::int64_t most_tasks(const Command& of, const SlurmOptions& options, std::optional<std::int64_t> max_array_size) {
  const auto refuse = [&of](const std::string& why) { throw UsageError(usage_error(of, why)); };
  if (!max_array_size) return options.array_size.value_or(usual_most_tasks);
  const std::int64_t allowed = *max_array_size - 1;
  if (allowed < 1) refuse("--slurm: this cluster runs no arrays; " + cluster_text(max_array_size));
  if (options.array_size.value_or(allowed) > allowed) {
    refuse(fmt::format("--array-size {}: an array has at most {} tasks; {}", *options.array_size, allowed,
                       cluster_text(max_array_size)));
  }
  return options.array_size.value_or(allowed);
}

/// Into how many shards the results in `folder` are parted.
std::optional<std::int64_t> shards_in(const fs::path& folder) {
  std::error_code none;
  if (!fs::is_directory(folder, none)) return std::nullopt;
  const std::vector<ShardFolder> there = shard_folders(folder);
  return there.empty() ? std::nullopt : std::optional{there.front().shard.count};
}

SlurmJob job_of(const SlurmOptions& options, const SlurmSweep& sweep, std::int64_t shards) {
  SlurmJob job;
  job.name = sweep.name;
  job.program = fs::read_symlink("/proc/self/exe").string();
  job.sweep = fs::absolute(sweep.file).lexically_normal().string();
  job.folder = fs::absolute(fs::path{sweep.folder} / "").lexically_normal().parent_path().string();
  job.shards = shards;
  job.at_once = options.at_once;
  job.threads = options.threads;
  job.partition = options.partition;
  job.time = options.time;
  job.options = options.sbatch;
  job.arguments = sweep.arguments;
  return job;
}

/// The folder of the logs, too: Slurm does not make it, and a task without one fails.
fs::path write_script(const SlurmJob& job, const std::string& script) {
  const fs::path logs = fs::path{job.folder} / "log";
  std::error_code failed;
  fs::create_directories(logs, failed);
  if (failed) throw MachineError(logs.string(), system_reason(failed.value()));
  fs::path file = fs::path{job.folder} / "sweep.sbatch";
  atomic_write(file, script);
  return file;
}

}  // namespace

const std::vector<Option>& slurm_option_list() {
  static const std::vector<Option> list{
      {"slurm", "", "submit the sweep as a Slurm array, one shard a task"},
      {"partition", "NAME", ""},
      {"time", "TIME", "with --slurm: of a task, as sbatch has it"},
      {"shards", "N", ""},
      {"at-once", "N", "with --slurm: tasks, and how many at a time"},
      {"array-size", "N", "with --slurm: most tasks; default the cluster's limit"},
      {"sbatch", "OPTION", "with --slurm: for sbatch, account=x; repeatable"},
  };
  return list;
}

std::optional<SlurmOptions> slurm_options(const Command& of, const Parsed& parsed) {
  if (!parsed.has("slurm")) {
    for (const Option& option : slurm_option_list()) {
      if (!parsed.has(option.name)) continue;
      throw UsageError(usage_error(of, fmt::format("--{} without --slurm, which it is for", option.name)));
    }
    return std::nullopt;
  }
  if (parsed.has("shard")) {
    throw UsageError(usage_error(of, "--shard beside --slurm, which submits every shard; leave out one"));
  }
  SlurmOptions options;
  options.partition = text_option(of, parsed, "partition");
  options.time = text_option(of, parsed, "time");
  options.array_size = count_option(of, parsed, "array-size");
  options.shards = count_option(of, parsed, "shards");
  options.at_once = count_option(of, parsed, "at-once");
  options.threads = whole_number(of, parsed, "threads", 1, 1024, "a number of threads from 1 to 1024").value_or(1);
  options.dry_run = parsed.has("dry-run");
  for (const auto& [name, text] : parsed.values) {
    if (name != "sbatch") continue;
    if (text.empty()) throw UsageError(usage_error(of, "--sbatch: expected an option such as account=x, got \"\""));
    options.sbatch.push_back(text);
  }
  return options;
}

std::int64_t shards_of(const Command& of, const SlurmOptions& options, const ShardBounds& bounds) {
  const auto refuse = [&of](const std::string& why) { throw UsageError(usage_error(of, why)); };
  const std::int64_t most = most_tasks(of, options, bounds.max_array_size);
  const std::optional<std::int64_t> shards = options.shards ? options.shards : bounds.there;
  if (!shards) return std::min(bounds.points, most);
  if (bounds.there && *shards != *bounds.there) {
    refuse(fmt::format("--shards {}: what is in --out is one of {} shards; write --shards {}, or choose another --out",
                       *shards, *bounds.there, *bounds.there));
  }
  if (*shards > most) {
    refuse(fmt::format(
        "--shards {}: an array has at most {} tasks; {}", *shards, most,
        options.array_size ? fmt::format("--array-size is {}", most) : cluster_text(bounds.max_array_size)));
  }
  if (*shards > bounds.points) {
    refuse(fmt::format("--shards {}: the sweep has {} {}, so that some shards would have none", *shards, bounds.points,
                       bounds.points == 1 ? "point" : "points"));
  }
  return *shards;
}

std::string how_to_go_on(const SlurmSweep& sweep, std::int64_t shards, const std::string& job) {
  const std::string folder = shell_word(sweep.folder);
  const std::string script = shell_word((fs::path{sweep.folder} / "sweep.sbatch").string());
  return fmt::format(
      "job {0}: {1} {2} in {3} {4}, logs in {5}\n"
      "  watch                soya sweep status {6}\n"
      "  run what is missing  sbatch --array=$(soya sweep status {6} --missing) {7}\n"
      "  put it together      soya sweep merge {6}\n",
      job, grouped(sweep.points), sweep.points == 1 ? "point" : "points", grouped(shards),
      shards == 1 ? "shard" : "shards", (fs::path{sweep.folder} / "log").string(), folder, script);
}

int submit(const Command& of, const SlurmOptions& options, const SlurmSweep& sweep) {
  const std::int64_t shards = shards_of(of, options, {sweep.points, max_array_size_here(), shards_in(sweep.folder)});
  const SlurmJob job = job_of(options, sweep, shards);
  std::string script;
  try {
    script = slurm_script(job);
  } catch (const SlurmError& error) {
    throw UsageError(usage_error(of, error.what()));
  }
  if (options.dry_run) {
    print_answer(script);
    return ExitStatus::sound;
  }
  const std::string file = write_script(job, script).string();
  const std::optional<ProgramEnd> end = run_program({"sbatch", "--parsable", file});
  if (!end) {
    throw UsageError(usage_error(of,
                                 "sbatch is not there: run this where Slurm's commands are, or use another scheduler; "
                                 "--slurm --dry-run prints the script, --shard i/n is for any other scheduler"));
  }
  print_note(end->notes);
  if (end->status != 0) return ExitStatus::machine_refused;
  print_answer(how_to_go_on(sweep, shards, submitted_job(end->out)));
  return ExitStatus::sound;
}

}  // namespace soya::cli
