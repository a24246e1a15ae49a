// A sweep's file to a validated sweep: axes, cases, zips, samples, seeds, a search.
// Simplifies: every list of levels is in memory; their product is not. Source: docs/sweeps.md.
// Validated by tests/unit/scenario/read_sweep_test.cpp and tests/errors/sweep_file_test.cpp.
#pragma once

#include <string>

#include "scenario/read.hpp"
#include "sweep/sweep_config.hpp"

namespace soya {

/// Reads `file`; `options` are those of its scenario. Every key that the sweep changes is known and takes the values
/// it is given, each by itself. Throws `ScenarioError` with all errors found.
[[nodiscard]] SweepConfig read_sweep(const std::string& file, const ReadOptions& options = {});

}  // namespace soya
