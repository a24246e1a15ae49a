// points.csv: the points of a store as a tidy table, which pandas and R read without help. One row for each quantity of
// each point, sorted by point; every point has the same quantities in the same order.
//
//   point,id,topology.link_types.haul.length_m,seed,outcome,why_not,quantity,unit,value
//
// Simplifies: what the store does not know (a run that never ended, a list without rows) is an empty value.
// Source: RFC 4180; Wickham, "Tidy Data", Journal of Statistical Software 59 (10), 2014.
// Validated by tests/unit/sweep/points_csv_test.cpp.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/csv.hpp"
#include "results/files.hpp"
#include "results/summary_path.hpp"
#include "sweep/store_reader.hpp"

namespace soya {

/// Columns that every points.csv has; no column of a sweep may be called so.
inline constexpr std::array<std::string_view, 7> points_csv_columns{"point",    "id",   "outcome", "why_not",
                                                                    "quantity", "unit", "value"};

/// "sound"; of a search "answer", "probes" and "monotone"; then what the sweep keeps. Each once.
[[nodiscard]] std::vector<std::string> quantities_of(const StoreHead& head);
/// Empty where it has none.
[[nodiscard]] std::string_view unit_of(const StoreHead& head, std::string_view quantity);
/// A cell in its column: a number, or the word that stands there. Whole numbers beyond what a double holds keep their
/// digits: seeds.
[[nodiscard]] Value csv_value(const Cell& cell, bool numeric);
/// "topology.link_types.haul.length_m".
[[nodiscard]] std::string csv_name(const Column& column);

/// Values of one point by name of the quantity.
class PointValues final {
 public:
  /// Throws `std::invalid_argument` where the point's summary is none.
  explicit PointValues(const StoredPoint& point);
  /// "sound" is 1 or 0; then the point's own numbers count, then its summary's.
  [[nodiscard]] std::optional<double> value(std::string_view quantity) const;

 private:
  const StoredPoint& point_;
  std::optional<SummaryText> summary_;
};

/// Writes the table in memory for one point. Throws `StoreError` and `MachineError`.
void write_points(StoreReader& store, PendingFile& file);
/// The same as a whole file or none.
void write_points_csv(StoreReader& store, const std::filesystem::path& target);

}  // namespace soya
