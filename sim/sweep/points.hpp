// The points of a sweep, one after another: the product of its factors without what its conditions drop. Nothing of the
// product is held in memory.
// Simplifies: with conditions, the number of points is known only after all combinations were looked at.
// Source: docs/sweeps.md. Validated by tests/unit/sweep/points_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/condition.hpp"
#include "scenario/read.hpp"
#include "sweep/stored_point.hpp"
#include "sweep/sweep_config.hpp"

namespace soya {

/// One combination of levels.
struct Point {
  std::int64_t number{0};           ///< among the points of the sweep, from 0
  std::vector<std::size_t> levels;  ///< by factor
};

class PointSpace final {
 public:
  /// `sweep` outlives it. Throws `ScenarioError` where a condition is none, or names what is no column.
  explicit PointSpace(const SweepConfig& sweep);

  /// Points of the whole sweep.
  [[nodiscard]] std::int64_t count() const;
  [[nodiscard]] std::vector<Cell> cells(const Point& point) const;
  /// What the point lays over the scenario.
  [[nodiscard]] Laid laid(const Point& point) const;

  /// Goes through the points of a shard in the order of their numbers.
  class Cursor final {
   public:
    Cursor(const PointSpace& space, Shard shard);
    /// Nothing behind the last one.
    [[nodiscard]] std::optional<Point> next();

   private:
    [[nodiscard]] std::optional<Point> next_of_product();
    [[nodiscard]] std::optional<Point> next_of_conditions();

    const PointSpace& space_;
    Shard shard_;
    std::int64_t combination_{0};
    std::int64_t number_{0};  ///< of the next point
  };

 private:
  [[nodiscard]] std::vector<std::size_t> levels_of(std::int64_t combination) const;
  [[nodiscard]] bool is_point(const std::vector<std::size_t>& levels) const;
  /// What a condition may compare with the column of this name, or of this ending; remembers where its cells are.
  [[nodiscard]] std::optional<NameKind> kind_of(const std::vector<Column>& columns, std::string_view name);

  struct ColumnPlace {
    std::size_t factor;
    std::size_t column;  ///< of that factor
  };

  const SweepConfig& sweep_;
  std::vector<Condition> only_;
  std::map<std::string, ColumnPlace, std::less<>> places_;  ///< of the names in `only_`
  std::int64_t combinations_{1};
};

}  // namespace soya
