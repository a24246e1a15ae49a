// Quantities as plain numbers in the units of tables: 300km as 300 000 "m". Everything that reads such a number goes
// this way, so equal texts are equal numbers.
// Simplifies: exact up to 2^53 base units; above, the nearest number. Source: docs/sweeps.md.
// Validated by tests/unit/scenario/unit_value_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/units.hpp"
#include "scenario/quantity.hpp"

namespace soya {

/// A unit of a table's column.
struct TableUnit {
  std::string_view name;  ///< "bytes", "gbps", "GBps", "us", "ms", "ps", "m"
  reading::Dimension dimension;
  std::int64_t base_units;  ///< in one of it
};

/// Absent where `name` is no unit with a dimension: "share", "mpps", "".
[[nodiscard]] std::optional<TableUnit> table_unit(std::string_view name);

[[nodiscard]] double in_unit(Int128 base_units, const TableUnit& unit);

struct ParsedValue {
  double value{0};
  reading::NumberFault fault{reading::NumberFault::none};
};

/// `text` in `unit`: 64KiB as 65536 bytes; without a unit a decimal or a ratio, 1/8 as 0.125.
[[nodiscard]] ParsedValue parse_in_unit(std::string_view text, const std::optional<TableUnit>& unit);

}  // namespace soya
