// Measurements as a table for terminals or for a page.
// Simplifies: nothing. Validated by tests/cost.
#pragma once

#include <span>
#include <string>

#include "suite/measure.hpp"

namespace soya::bench {

enum class TableStyle : std::uint8_t { plain, markdown };

/// One heading and a line per measurement, each with its line end.
[[nodiscard]] std::string table_of(std::span<const Measurement> measurements, TableStyle style);

}  // namespace soya::bench
