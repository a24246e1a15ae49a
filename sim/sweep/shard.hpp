// How a part of a sweep is written: 3/8 on a command line, shard-00003-of-00008 as a folder, a task of a Slurm array,
// and lists of such parts.
// Simplifies: a shard takes every n-th point, so parts are even where neighbours cost alike.
// Source: sbatch(1), --array and its output variables (Slurm 22.05); docs/sweeps.md.
// Validated by tests/unit/sweep/shard_test.cpp and tests/unit/sweep/index_list_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/stored_point.hpp"

namespace soya {

/// A text that is no shard, or an array that says none; `what()` begins with what was expected.
class ShardError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "3/8"; digits are decimal, whatever zeros lead. Throws `ShardError`.
[[nodiscard]] Shard parse_shard(std::string_view text);
/// "3/8".
[[nodiscard]] std::string shard_text(const Shard& shard);

/// How many of `points` points the shard has.
[[nodiscard]] std::int64_t points_in(const Shard& shard, std::int64_t points);
[[nodiscard]] inline bool has_point(const Shard& shard, std::int64_t point) {
  return point % shard.count == shard.index;
}

/// Name of its folder inside the sweep's: shard-00012-of-01000, with more digits where the count has more.
[[nodiscard]] std::string shard_folder(const Shard& shard);
/// Absent where `name` is not one that `shard_folder` gives.
[[nodiscard]] std::optional<Shard> shard_of_folder(std::string_view name);

/// What Slurm tells a task of an array; absent: not set.
struct ArrayTask {
  std::optional<std::string> id, min, max, step, count;
};
/// SLURM_ARRAY_TASK_ID and its kin of this process.
[[nodiscard]] ArrayTask array_task_of_environment();
/// Task `id` of the array min-max:step is shard (id - min) / step; absent outside an array. Throws `ShardError` where
/// the array is a list such as 1,3,7, whose members tell their place by no formula.
[[nodiscard]] std::optional<Shard> shard_of_array(const ArrayTask& task);

/// Indices, ascending and each once, as `--array=` takes them: "3,17-20"; empty where there is none.
[[nodiscard]] std::string index_list(const std::vector<std::int64_t>& indices);
inline constexpr std::int64_t most_listed = 10'000'000;
/// Reverse of `index_list`, in any order and with steps ("4-10:2"); an index that comes twice counts once. Throws
/// `ShardError`, also where there are more than `most_listed`.
[[nodiscard]] std::vector<std::int64_t> parse_index_list(std::string_view text);

}  // namespace soya
