#include "sweep/points_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "results/csv.hpp"

namespace soya {

namespace {

/// Which columns hold numbers: those with a unit, and those whose cells all have one.
std::vector<bool> numeric_columns(StoreReader& store) {
  const std::vector<Column>& columns = store.head().columns;
  std::vector<bool> numeric(columns.size(), true);
  store.for_each(
      [&](const StoredPoint& point) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
          if (columns[i].unit.empty() && !point.cells[i].number) numeric[i] = false;
        }
      },
      StoreDetail::without_effective);
  return numeric;
}

std::string header(const StoreHead& head) {
  std::vector<Value> names;
  names.emplace_back("point");
  names.emplace_back("id");
  for (const Column& column : head.columns) names.emplace_back(csv_name(column));
  for (const char* const name : {"outcome", "why_not", "quantity", "unit", "value"}) names.emplace_back(name);
  return csv_record(names);
}

}  // namespace

std::vector<std::string> quantities_of(const StoreHead& head) {
  std::vector<std::string> quantities{"sound"};
  if (!head.answer.name.empty()) quantities.insert(quantities.end(), {"answer", "probes", "monotone"});
  for (const std::string& name : head.keep) {
    if (std::ranges::find(quantities, name) == quantities.end()) quantities.push_back(name);
  }
  return quantities;
}

std::string_view unit_of(const StoreHead& head, std::string_view quantity) {
  if (quantity == "answer" && !head.answer.name.empty()) return head.answer.unit;
  return unit_of_quantity(quantity);
}

Value csv_value(const Cell& cell, bool numeric) {
  constexpr std::size_t exact_digits = 15;  // 10^15 is below 2^53
  const bool whole = cell.text.find_first_not_of("0123456789") == std::string::npos;
  if (!numeric || !cell.number || (whole && cell.text.size() > exact_digits)) return cell.text;
  return *cell.number;
}

std::string csv_name(const Column& column) {
  return column.unit.empty() ? column.name : column.name + "_" + column.unit;
}

PointValues::PointValues(const StoredPoint& point) : point_{point} {
  if (!point.summary.empty()) summary_.emplace(point.summary);
}

std::optional<double> PointValues::value(std::string_view quantity) const {
  if (quantity == "sound") return point_.outcome == PointOutcome::sound ? 1.0 : 0.0;
  for (const auto& [name, number] : point_.extra) {
    if (name == quantity) return number;
  }
  return summary_ ? summary_->value(quantity) : std::nullopt;
}

void write_points(StoreReader& store, PendingFile& file) {
  const StoreHead& head = store.head();
  const std::vector<bool> numeric = numeric_columns(store);
  const std::vector<std::string> quantities = quantities_of(head);
  file.write(header(head));
  std::vector<Value> row;
  const auto write_point = [&](const StoredPoint& point) {
    row.clear();
    row.emplace_back(point.point);
    row.emplace_back(point.id);
    for (std::size_t i = 0; i < numeric.size(); ++i) row.push_back(csv_value(point.cells[i], numeric[i]));
    row.emplace_back(std::string{outcome_name(point.outcome)});
    row.emplace_back(point.why_not);
    const std::size_t common = row.size();
    const PointValues values{point};
    for (const std::string& quantity : quantities) {
      row.resize(common);
      row.emplace_back(quantity);
      row.emplace_back(std::string{unit_of(head, quantity)});
      row.emplace_back();
      if (const std::optional<double> value = values.value(quantity)) row.back().emplace<double>(*value);
      file.write(csv_record(row));
    }
  };
  store.for_each(
      [&](const StoredPoint& point) {
        try {
          write_point(point);
        } catch (const std::invalid_argument&) {
          throw StoreDamaged(store.file(), fmt::format("the summary of point {} is none", point.point));
        }
      },
      StoreDetail::without_effective);
}

void write_points_csv(StoreReader& store, const std::filesystem::path& target) {
  PendingFile file{target};
  write_points(store, file);
  file.finish();
  file.publish();
  sync_folder(target.has_parent_path() ? target.parent_path() : std::filesystem::path{"."});
}

}  // namespace soya
