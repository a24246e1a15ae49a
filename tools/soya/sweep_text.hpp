// What a sweep came to, as one screen: points by outcome, why some have no result of their own, where the files are.
// Simplifies: of many reasons the most frequent ones. Source: docs/sweeps.md.
// Validated by tests/unit/tools/sweep_text_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "output.hpp"
#include "sweep/store_reader.hpp"

namespace soya::cli {

/// Why points are not sound, without the numbers in it that differ: how many, and the first of them.
struct OutcomeReason {
  PointOutcome outcome{PointOutcome::sound};
  std::string why_not;
  std::int64_t points{0};
  std::int64_t first{0};
};

struct SweepSummary {
  StoreHead head;
  std::int64_t points{0};  ///< of the shard
  std::int64_t done{0};
  std::map<PointOutcome, std::int64_t> outcomes;
  std::vector<OutcomeReason> reasons;  ///< the most frequent first
};

[[nodiscard]] SweepSummary sweep_summary(StoreReader& reader);

/// `files` is where the results are, as one line.
[[nodiscard]] std::string sweep_summary_text(const SweepSummary& summary, const std::string& files, Colour colour);

}  // namespace soya::cli
