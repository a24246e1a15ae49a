// The points of a sweep's store as a table for pictures and fits: the cells of their columns, and the quantities that
// somebody asks for.
// Simplifies: what is not asked for is not kept, so a table of a million points is as large as its cells.
// Source: docs/sweeps.md. Validated by tests/unit/sweep/sweep_table_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/condition.hpp"
#include "sweep/stored_point.hpp"

namespace soya {

/// A question that the store has no answer to, in a sentence.
class TableError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number of a point, by the name that docs/sweeps.md gives it.
struct PointQuantity {
  std::string name;  ///< "sound", "answer", "plan.headroom_budget_bytes", "steps.step_ms.max"
  std::string unit;  ///< as a column's
  bool operator==(const PointQuantity&) const = default;
};

/// Whether `name` is all of a column's `path` from some dot on.
[[nodiscard]] bool is_column_ending(std::string_view path, std::string_view name);

/// The column of that name or, where one alone ends so, of that ending: length for topology.link_types.haul.length.
/// Nothing where none does. Throws `TableError` where several do.
[[nodiscard]] std::optional<std::size_t> find_column(std::span<const Column> columns, std::string_view name);
/// The same, and throws where there is none.
[[nodiscard]] std::size_t column_named(std::span<const Column> columns, std::string_view name);

/// Throws `TableError` where no point can have it, with the nearest that points have.
[[nodiscard]] PointQuantity quantity_named(const StoreHead& head, std::string_view name);

/// A condition on columns and quantities of points, and "outcome". Throws `TableError`.
[[nodiscard]] Condition table_condition(const StoreHead& head, std::string_view text);

struct TableRow {
  std::int64_t point{0};
  PointOutcome outcome{PointOutcome::sound};
  std::string why_not;
  std::vector<Cell> cells;
  std::vector<std::optional<double>> values;  ///< of the quantities
};

struct SweepTable {
  StoreHead head;
  std::vector<PointQuantity> quantities;
  std::vector<bool> numeric;    ///< for each column: every cell has a number
  std::vector<TableRow> rows;   ///< by point
  std::int64_t stored{0};       ///< points of the store, with those that the condition leaves out
  std::int64_t not_decided{0};  ///< left out because the condition asks for what they do not have
};

/// What a store does with `visit`: calls it for each of its points, in any order.
using PointSource = std::function<void(const std::function<void(const StoredPoint&)>& visit)>;

struct TableQuestion {
  std::vector<PointQuantity> quantities;
  std::optional<Condition> where{};
};

/// Throws `TableError` where no point is left, or none has a closed form that is asked for.
[[nodiscard]] SweepTable read_table(const StoreHead& head, const PointSource& points, const TableQuestion& question);

/// The values that a column has, in the order of numbers, or of the points.
[[nodiscard]] std::vector<Cell> distinct_cells(const SweepTable& table, std::size_t column);

/// "5 m, 10 m, … 40 more": for messages.
[[nodiscard]] std::string listed(const std::vector<Cell>& cells);

}  // namespace soya
