// Points that agree in the columns of a picture, taken together: what remains between them is the seed.
// Simplifies: spread is least to most. Source: docs/sweeps.md. Validated by tests/unit/sweep/point_groups_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sweep/sweep_table.hpp"

namespace soya {

struct PointGroup {
  std::vector<Cell> key;  ///< for each of the columns
  std::int64_t values{0};
  double mean{0}, least{0}, most{0};  ///< where `values` is above 0
  std::int64_t unsound{0};            ///< of `values`
  std::int64_t without{0};            ///< points that do not have the quantity
};

struct PointGroups {
  std::vector<PointGroup> groups;  ///< in the order of the columns' values, the last column fastest
  /// What somebody who looks at the groups must know: points without a value, and why; runs that are not sound; columns
  /// that go along with those of the picture.
  std::vector<std::string> notes;
};

/// Groups of `quantity`, by its place in the table. Throws `TableError` where points of one group differ in more than
/// the seed: `advice` says what to do about it.
[[nodiscard]] PointGroups group_points(const SweepTable& table, const std::vector<std::size_t>& columns,
                                       std::size_t quantity, const std::string& advice);

}  // namespace soya
