// What a store keeps as JSON in its columns: columns of a sweep, cells of a point, numbers by name. And the names of
// outcomes (sweep/stored_point.hpp).
// Simplifies: a number that is not finite is not kept. Source: docs/sweeps.md.
// Validated by tests/unit/sweep/sweep_store_test.cpp.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sweep/stored_point.hpp"

namespace soya {

/// A text in a store that no sweep writes.
class StoreTextError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] std::optional<PointOutcome> outcome_of(std::string_view name);

/// [{"name": "fabric.mtu", "unit": "bytes"}, …]
[[nodiscard]] std::string columns_text(const std::vector<Column>& columns);
/// These throw `StoreTextError`.
[[nodiscard]] std::vector<Column> columns_from(std::string_view text);

/// ["drops.lossless", …]
[[nodiscard]] std::string names_text(const std::vector<std::string>& names);
[[nodiscard]] std::vector<std::string> names_from(std::string_view text);

/// [["300km", 300000], ["shared-pool", null], …]: the text and the number of each cell.
[[nodiscard]] std::string cells_text(const std::vector<Cell>& cells);
[[nodiscard]] std::vector<Cell> cells_from(std::string_view text);

/// {"answer": 65536, …} in the order given.
[[nodiscard]] std::string numbers_text(const std::vector<std::pair<std::string, double>>& numbers);
[[nodiscard]] std::vector<std::pair<std::string, double>> numbers_from(std::string_view text);

}  // namespace soya
