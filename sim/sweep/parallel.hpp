// Independent tasks on a few threads: which thread runs what never shows.
// Simplifies: tasks are of a size that makes a thread's start not matter. Source: docs/architecture.md, "Determinism".
// Validated by tests/unit/sweep/parallel_test.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace soya {

struct ParallelOptions {
  int threads{1};  ///< at most so many at a time, the caller's among them
  /// Asked from any thread before each task; once true, no further task starts.
  std::function<bool()> stopped{};
  /// After each task, with how many have ended; one call at a time, on whatever thread ended the task.
  std::function<void(std::size_t ended, std::size_t count)> progress{};
};

/// Calls `task(0)` to `task(count - 1)`, each once unless stopped. Once a task has thrown, no further one starts; of
/// those that threw, the exception of the first in order is thrown here, when all threads have ended.
void for_each_index(std::size_t count, const ParallelOptions& options, const std::function<void(std::size_t)>& task);

/// The results of the tasks in their order; absent where stopped before.
template <class Result>
[[nodiscard]] std::vector<std::optional<Result>> run_parallel(std::size_t count, const ParallelOptions& options,
                                                              const std::function<Result(std::size_t)>& task) {
  std::vector<std::optional<Result>> results(count);
  for_each_index(count, options, [&](std::size_t index) { results[index].emplace(task(index)); });
  return results;
}

}  // namespace soya
