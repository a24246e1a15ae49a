// soya sweep run --slurm: submits a sweep as an array of Slurm, or prints the script with which that would happen.
// Simplifies: one cluster, the one that scontrol and sbatch of this machine know. Source: docs/sweeps.md.
// Validated by tests/unit/tools/slurm_test.cpp and tests/slurm/run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace soya::cli {

struct SlurmOptions {
  std::optional<std::string> partition, time;
  std::optional<std::int64_t> array_size;  ///< most tasks
  std::optional<std::int64_t> shards, at_once;
  std::int64_t threads{1};          ///< of a task
  std::vector<std::string> sbatch;  ///< further options
  bool dry_run{false};
};

/// What `soya sweep run` declares beside its own --threads and --dry-run.
[[nodiscard]] const std::vector<Option>& slurm_option_list();

/// Absent without --slurm. Throws `UsageError`, also where --slurm is missing beside an option that is Slurm's.
[[nodiscard]] std::optional<SlurmOptions> slurm_options(const Command& of, const Parsed& parsed);

/// The sweep that is submitted.
struct SlurmSweep {
  std::string name;
  std::string file;                    ///< as the user wrote it
  std::string folder;                  ///< the same
  std::int64_t points{0};              ///< at least 1
  std::vector<std::string> arguments;  ///< for soya sweep run in every task: "--set", "fabric.mtu=4096"
};

/// What bounds the number of shards, beside the options.
struct ShardBounds {
  std::int64_t points{1};
  std::optional<std::int64_t> max_array_size{};  ///< of the cluster; absent where no scontrol tells
  std::optional<std::int64_t> there{};           ///< into how many the folder's results are parted; absent: none there
};

/// How many shards: one task for each; where none are asked for, as many as are there, or as there may be. Throws
/// `UsageError` where `options` ask for what `bounds` do not allow.
[[nodiscard]] std::int64_t shards_of(const Command& of, const SlurmOptions& options, const ShardBounds& bounds);

/// What is told of a submitted job.
[[nodiscard]] std::string how_to_go_on(const SlurmSweep& sweep, std::int64_t shards, const std::string& job);

/// Writes FOLDER/sweep.sbatch and submits it, and tells how to go on; with --dry-run prints the script and does
/// neither. Returns the exit status: 4 where sbatch refuses. Throws `UsageError` where there is no sbatch.
[[nodiscard]] int submit(const Command& of, const SlurmOptions& options, const SlurmSweep& sweep);

}  // namespace soya::cli
