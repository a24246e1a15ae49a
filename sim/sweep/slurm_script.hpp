// The text of a job script with which Slurm runs a sweep as an array, one shard a task.
// Simplifies: all tasks ask for the same; program, sweep and folder have the same paths on every node.
// Source: sbatch(1) of Slurm 22.05: options in a script, filename pattern. Validated by
// tests/unit/sweep/slurm_script_test.cpp and tests/slurm/run.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace soya {

/// Something that a job script cannot say.
class SlurmError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SlurmJob {
  std::string name;                       ///< of the sweep
  std::string program, sweep, folder;     ///< absolute paths: soya, SWEEP.yaml, what --out names
  std::int64_t shards{1};                 ///< tasks of the array
  std::optional<std::int64_t> at_once{};  ///< so many tasks at a time
  std::int64_t threads{1};                ///< of a task
  std::optional<std::string> partition{}, time{};
  std::vector<std::string> options{};    ///< further ones of sbatch: --account=x, or account=x
  std::vector<std::string> arguments{};  ///< further ones of soya sweep run: "--set", "fabric.mtu=4096"
};

/// Throws `SlurmError` where a text holds what a script cannot: a control character, a backslash in the folder, or
/// an option that sets the array.
[[nodiscard]] std::string slurm_script(const SlurmJob& job);

/// `text` as one word of a shell; as it is where nothing in it is special.
[[nodiscard]] std::string shell_word(std::string_view text);

/// The value of MaxArraySize in what `scontrol show config` prints; absent where it has none.
[[nodiscard]] std::optional<std::int64_t> max_array_size(std::string_view config);

/// The job number in what `sbatch --parsable` prints: "123" of "123;cluster".
[[nodiscard]] std::string submitted_job(std::string_view printed);

}  // namespace soya
