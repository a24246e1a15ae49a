// Two sides of a comparison, each the same scenario under some seeds: which numbers of the outcome changed.
// Runs are paired by seed; a difference is a change when a paired t test tells it from the spread over seeds, with one
// per cent of false ones among all. Simplifies: differences are taken for normal; those below 0.1 % are not told.
// Source: Student, Biometrika 6 (1908); Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995). Validated by
// tests/unit/results/comparison_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/quantities.hpp"

namespace soya {

/// What can be said of a difference.
enum class Finding {
  change,     ///< beyond the spread of seeds; or no seed makes a difference, and the sides do
  untold,     ///< one run on each side of the same seed: a difference, and nothing to hold it against
  no_change,  ///< within the spread, below 0.1 %, or none
};

struct Difference {
  std::string name;
  Unit unit{Unit::count};
  double before{0}, after{0};                 ///< means over seeds
  std::optional<double> relative;             ///< (after − before) / |before|; absent where before is 0
  std::optional<double> uncertainty;          ///< standard error of after − before; absent: one pair
  std::optional<double> p;                    ///< of the t test; absent: one pair, or no spread at all
  std::string where_before{}, where_after{};  ///< of the first pair's extremes
  Finding finding{Finding::no_change};
};

/// A quantity that not every run has: what it measures did not happen there, or did not end.
struct Unpaired {
  std::string name;
  Unit unit{Unit::count};
  std::size_t runs_before{0}, runs_after{0};  ///< that have it
  std::optional<double> before{}, after{};    ///< means over those
};

struct Comparison {
  std::vector<Difference> differences;  ///< changes first, and the largest relative difference first within a finding
  std::vector<Unpaired> unpaired;
};

/// Whether the inputs of the sides differ in more than the seed.
enum class Cause { none, some };

/// `before` and `after` are equally many runs, at least one, paired by position. Of one pair, differences are `untold`
/// where there is a cause and the seeds are equal, and else no change.
[[nodiscard]] Comparison compare(std::span<const RunResults> before, std::span<const RunResults> after, Cause cause);

}  // namespace soya
