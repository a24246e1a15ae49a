// The sides of a comparison: what an operand names becomes runs, read from results or simulated now.
// Simplifies: runs of a scenario stay in memory; `soya run` keeps results. Source: docs/results.md.
// Validated by tests/cli/compare_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "outcome.hpp"
#include "scenario/read.hpp"

namespace soya::cli {

/// One side: a scenario under some seeds, ascending.
struct Side {
  std::string title;  ///< what the user wrote, and what --with adds
  std::vector<Outcome> runs;

  [[nodiscard]] const RunResults& first() const { return runs.front().run.results; }
};

/// FILE, or FILE@VARIANT, and the keys that --with lays over it.
struct SideSpec {
  std::string operand;
  std::vector<std::string> changes{};
};

struct CompareOptions {
  std::vector<SideSpec> sides;
  ReadOptions read;                   ///< --set and --seed, of every scenario
  std::optional<std::int64_t> seeds;  ///< runs per scenario
  std::optional<int> threads;         ///< absent: as many as there are cores, and memory for
  bool quiet{false};
  std::optional<std::int64_t> memory_limit;
};

struct Sides {
  std::vector<Side> all;
  int signal{0};  ///< that interrupted the runs; then `all` is empty
};

/// One side alone becomes its base and each of its variants. Every side has as many runs as the first. Throws
/// `ScenarioError` and `ResultsError`.
[[nodiscard]] Sides read_sides(const CompareOptions& options);

}  // namespace soya::cli
