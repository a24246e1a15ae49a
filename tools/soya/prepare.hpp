// What `run` and `check` do before anything is simulated: read the base and its variants, print warnings, hold the
// estimated memory against the limit.
// Simplifies: nothing. Source: docs/results.md. Validated by tests/cli/check_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/run_estimate.hpp"
#include "engine/simulation.hpp"
#include "scenario/read.hpp"

namespace soya::cli {

/// A scenario to run, under the name of its variant; empty for the base.
struct PlannedRun {
  std::string variant;
  Scenario scenario;
};

/// The base and every variant, or one variant alone where `options` names it. Throws `ScenarioError` with the errors of
/// all of them, each once.
[[nodiscard]] std::vector<PlannedRun> read_runs(const std::string& file, const ReadOptions& options);

/// Prints warnings to standard error, each once and the first few only: a long list hides the answer.
class Warnings final {
 public:
  /// What reading the scenario found odd but legal.
  void add(const PlannedRun& run);
  /// That, and what building it added.
  void add(const PlannedRun& run, const Simulation& built);
  /// Says how many were not printed; `rest` is where they are.
  void close(const std::string& rest) const;

 private:
  void print(const std::string& variant, const std::string& warning);

  std::set<std::string> seen_;
};

/// Builds every run, so that a mistake in the last variant shows now and not in an hour, and prints the warnings.
/// Returns the first run's simulation, and what each of them is expected to do. Throws `ScenarioError` with what
/// reading cannot find: a flow without a path, headroom that does not fit its buffer.
struct BuiltRuns {
  std::unique_ptr<Simulation> first;
  std::vector<RunEstimate> estimates;  ///< in the order of the runs
};
[[nodiscard]] BuiltRuns build_first(const std::vector<PlannedRun>& runs, const std::string& rest,
                                    const Threads& threads = {});

/// Bytes that `at_a_time` of the runs need together at most.
[[nodiscard]] std::int64_t estimated_need(const std::vector<PlannedRun>& runs, int at_a_time);

/// Throws `MemoryRefusal` with the numbers when `need` is above `limit`.
void refuse_beyond(std::optional<std::int64_t> limit, std::int64_t need, const Scenario& scenario);

}  // namespace soya::cli
