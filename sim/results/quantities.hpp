// The outcome of a run in a few dozen numbers, by name: what is compared between runs.
// Simplifies: a distribution is its percentiles by nearest rank; a job is the mean over its steps or collectives.
// Source: docs/results.md. Validated by tests/unit/results/quantities_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "results/results.hpp"

namespace soya {

enum class Unit { picoseconds, bytes, gbps, gigabytes_per_second, share, ratio, count };

struct Quantity {
  std::string name;  ///< unique in a run, e.g. "step time, job ddp"
  Unit unit{Unit::count};
  double value{0};      ///< finite
  std::string where{};  ///< of an extreme: the link, queue or flow that has it
};

/// In a fixed order: steps, collectives, perftest, transfers, links, pauses, buffers, drops. What a run has not, or is
/// not finite, is left out.
[[nodiscard]] std::vector<Quantity> quantities_of(const RunResults& run);

}  // namespace soya
