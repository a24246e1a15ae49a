// A sweep: one scenario under every combination of some values, plain and validated.
// Simplifies: a sample is a factor whose levels are listed, so it is as long as its list.
// Source: docs/sweeps.md. Validated by tests/unit/scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/laid_value.hpp"

namespace soya {

/// A column of the table of points. Units are those of docs/sweeps.md: "bytes", "gbps", "us", "m"; empty: a plain
/// number where every cell of the column has one, else words.
struct Column {
  std::string name;  ///< a key path, the name of a list of cases, "variant" or "seed"
  std::string unit;
  bool operator==(const Column&) const = default;
};

/// The value of one column at one point.
struct Cell {
  std::string text;              ///< as YAML would have it: 300km, shared-pool
  std::optional<double> number;  ///< in the column's unit
  bool operator==(const Cell&) const = default;
};

/// One choice of a factor.
struct Level {
  std::vector<Cell> cells;        ///< one for each of the factor's columns
  std::vector<LaidValue> values;  ///< what it lays over the scenario
  std::optional<std::string> variant{};
  std::optional<std::uint64_t> seed{};
};

/// What varies by itself: an axis, a zip of axes, a list of cases, a sample, the seeds.
struct Factor {
  std::vector<Column> columns;
  std::vector<Level> levels;
};

/// A text of the sweep's file, with its place.
struct Written {
  std::string text;
  int line{0};
  int column{0};
};

enum class SearchGoal { smallest, largest };

/// The smallest or largest value of one key with which a condition holds, found at every point.
struct SearchConfig {
  SearchGoal goal{SearchGoal::smallest};
  Written path;
  std::string unit;       ///< of its column: "bytes", …
  std::string base_unit;  ///< what `low`, `high` and `resolution` count: "B", "bps", "ps", "mm" or nothing
  double per_unit{1};     ///< base units in one `unit`
  std::int64_t low{0};    ///< the ends, both tried
  std::int64_t high{0};
  std::int64_t resolution{1};  ///< the answer is right to so much
  Written such_that;
};

struct SweepConfig {
  std::string name;
  std::string file;              ///< as the user wrote it
  std::string scenario;          ///< path of the scenario's file
  std::string text;              ///< of the sweep's file
  std::vector<LaidValue> fixed;  ///< laid over the scenario at every point, below the levels' values
  /// Combinations in the order of the file: the last factor changes fastest, and it is the seeds.
  std::vector<Factor> factors;
  std::vector<Written> only;  ///< conditions on columns; a combination that fails one is no point
  std::optional<SearchConfig> search;
  std::vector<Written> keep;  ///< paths of the summary, for points.csv
};

/// Columns of all factors, in order.
[[nodiscard]] inline std::vector<Column> columns_of(const SweepConfig& sweep) {
  std::vector<Column> columns;
  for (const Factor& factor : sweep.factors) {
    columns.insert(columns.end(), factor.columns.begin(), factor.columns.end());
  }
  return columns;
}

}  // namespace soya
