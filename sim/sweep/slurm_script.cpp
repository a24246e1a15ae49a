#include "sweep/slurm_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/utf8.hpp"

namespace soya {

namespace {

std::string without_controls(const std::string& what, const std::string& text) {
  if (std::none_of(text.begin(), text.end(), is_control)) return text;
  throw SlurmError(
      fmt::format("{}: a job script cannot say \"{}\": it holds a control character", what, visible(text)));
}

/// A value of a #SBATCH line: there a backslash escapes in quotes of either kind.
std::string sbatch_word(const std::string& what, const std::string& text) {
  std::string word = "\"";
  for (const char c : without_controls(what, text)) {
    if (c == '"' || c == '\\') word += '\\';
    word += c;
  }
  return word + '"';
}

/// File of a task's log: Slurm replaces %a by the task, and would read other % in the folder's name, too.
std::string log_pattern(const std::string& folder) {
  if (folder.find('\\') != std::string::npos) {
    throw SlurmError(fmt::format("--out: Slurm writes no log below a folder with a backslash in its name, got \"{}\"",
                                 visible(folder)));
  }
  std::string pattern;
  for (const char c : folder) pattern += c == '%' ? "%%" : std::string{c};
  return pattern + "/log/%a.log";
}

/// Its dashes may be left out, since a command line takes --sbatch --account=x for two options.
std::string further_option(const std::string& given) {
  const std::string option = given.starts_with('-') ? given : "--" + given;
  const std::string name = option.substr(0, option.find_first_of("= "));
  const bool abbreviates_array = name.size() >= 4 && std::string_view{"--array"}.starts_with(name);
  if (abbreviates_array || option.starts_with("-a")) {
    throw SlurmError(
        fmt::format("--sbatch: the array has a task for each shard; write --shards and --at-once instead of \"{}\"",
                    visible(given)));
  }
  return without_controls("--sbatch", option);
}

std::string options_of(const SlurmJob& job) {
  std::string text;
  const auto add = [&text](const std::string& option) { text += "#SBATCH " + option + "\n"; };
  add("--job-name=" + sbatch_word("name", job.name));
  add(fmt::format("--array=0-{}{}", job.shards - 1, job.at_once ? fmt::format("%{}", *job.at_once) : ""));
  add("--ntasks=1");
  add(fmt::format("--cpus-per-task={}", job.threads));
  if (job.partition) add("--partition=" + sbatch_word("--partition", *job.partition));
  if (job.time) add("--time=" + sbatch_word("--time", *job.time));
  add("--requeue");
  add("--open-mode=append");
  add("--output=" + sbatch_word("--out", log_pattern(job.folder)));
  for (const std::string& option : job.options) add(further_option(option));
  return text;
}

std::string command_of(const SlurmJob& job) {
  const std::string folder = shell_word(without_controls("--out", job.folder));
  std::string text =
      fmt::format("exec {} sweep run {} --out {} \\\n", shell_word(without_controls("program", job.program)),
                  shell_word(without_controls("SWEEP", job.sweep)), folder);
  text += fmt::format("  --shard \"$SLURM_ARRAY_TASK_ID/{}\" --threads \"${{SLURM_CPUS_PER_TASK:-1}}\"", job.shards);
  for (const std::string& argument : job.arguments) text += " " + shell_word(without_controls("option", argument));
  return text + "\n";
}

}  // namespace

std::string slurm_script(const SlurmJob& job) {
  return fmt::format(
      "#!/bin/bash\n"
      "# {} {}, one a task. A task that is started again does what is missing.\n"
      "#SOYA shards={}\n"
      "{}\n"
      ": \"${{SLURM_ARRAY_TASK_ID:?this is a job script: give it to sbatch}}\"\n"
      "echo \"soya: task $SLURM_ARRAY_TASK_ID of job ${{SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}} on "
      "${{SLURMD_NODENAME:-$HOSTNAME}}, restart ${{SLURM_RESTART_COUNT:-0}}\"\n"
      "{}",
      job.shards, job.shards == 1 ? "shard" : "shards", job.shards, options_of(job), command_of(job));
}

std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view{"_-+=.,:/@%"}.find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string{text};
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string{c};
  return word + '\'';
}

std::optional<std::int64_t> max_array_size(std::string_view config) {
  constexpr std::string_view key = "MaxArraySize";
  for (std::size_t at = 0; at < config.size();) {
    const std::size_t end = std::min(config.find('\n', at), config.size());
    std::string_view line = config.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    line.remove_prefix(std::min(line.find_first_not_of(" ="), line.size()));
    std::int64_t size = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), size).ec == std::errc{}) return size;
  }
  return std::nullopt;
}

std::string submitted_job(std::string_view printed) {
  return std::string{printed.substr(0, printed.find_first_of("; \n"))};
}

}  // namespace soya
