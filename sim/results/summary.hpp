// summary.json: the outcome of a run with stable keys in a fixed order.
// Simplifies: rows (hosts, links, queues, transfers, samples) are in results.sqlite only. No wall-clock value, so equal
// runs give equal bytes. Source: docs/results.md.
// Validated by tests/unit/results/summary_test.cpp.
#pragma once

#include <span>
#include <string>

#include "results/results.hpp"

namespace soya {

/// The results of a variant, or of the base under the empty name.
struct NamedResults {
  std::string name;
  RunResults results;
};

/// The summary of one run in one line, without a line feed.
[[nodiscard]] std::string summary_line(const RunResults& run);

/// The summary as pretty-printed JSON with a final line feed. The base's keys are at the top; `variants` follows only
/// if there are any. Numbers are the shortest text that reads back to the same value; what is not finite is null.
/// An interrupted run carries `"incomplete": true` behind `why_not`.
[[nodiscard]] std::string summary_json(const RunResults& base, std::span<const NamedResults> variants);

}  // namespace soya
