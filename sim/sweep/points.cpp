#include "sweep/points.hpp"

#include <algorithm>
#include <utility>

#include "sweep/sweep_table.hpp"

namespace soya {

namespace {

Diagnostic complaint(const SweepConfig& sweep, const Written& condition, const std::string& message) {
  return {{sweep.file, condition.line, condition.column, "only"}, "in \"" + condition.text + "\": " + message};
}

}  // namespace

PointSpace::PointSpace(const SweepConfig& sweep) : sweep_{sweep} {
  for (const Factor& factor : sweep_.factors) combinations_ *= std::ssize(factor.levels);
  std::vector<Diagnostic> faults;
  const std::vector<Column> columns = columns_of(sweep_);
  for (const Written& text : sweep_.only) {
    try {
      Condition condition = Condition::parse(text.text);
      for (const Condition::Name& name : condition.names()) (void)column_named(columns, name.text);
      const auto fault = condition.check([&](std::string_view name) { return kind_of(columns, name); });
      if (fault) throw ConditionFault{*fault};
      only_.push_back(std::move(condition));
    } catch (const ConditionFault& fault) {
      faults.push_back(complaint(sweep_, text, fault.what()));
    } catch (const TableError& fault) {
      faults.push_back(complaint(sweep_, text, fault.what()));
    }
  }
  if (!faults.empty()) throw ScenarioError{faults};
}

std::optional<NameKind> PointSpace::kind_of(const std::vector<Column>& columns, std::string_view name) {
  const auto index = find_column(columns, name);
  if (!index) return std::nullopt;
  ColumnPlace place{0, *index};
  while (place.column >= sweep_.factors[place.factor].columns.size()) {
    place.column -= sweep_.factors[place.factor].columns.size();
    ++place.factor;
  }
  places_.emplace(name, place);
  const bool numbers = std::ranges::all_of(sweep_.factors[place.factor].levels, [&](const Level& level) {
    return level.cells[place.column].number.has_value();
  });
  return NameKind{numbers ? columns[*index].unit : "text", false, false};
}

std::int64_t PointSpace::count() const {
  if (only_.empty()) return combinations_;
  std::int64_t count = 0;
  for (std::int64_t c = 0; c < combinations_; ++c) count += is_point(levels_of(c)) ? 1 : 0;
  return count;
}

std::vector<std::size_t> PointSpace::levels_of(std::int64_t combination) const {
  std::vector<std::size_t> levels(sweep_.factors.size());
  for (std::size_t f = levels.size(); f-- > 0;) {
    const std::int64_t size = std::ssize(sweep_.factors[f].levels);
    levels[f] = static_cast<std::size_t>(combination % size);
    combination /= size;
  }
  return levels;
}

bool PointSpace::is_point(const std::vector<std::size_t>& levels) const {
  const auto lookup = [&](std::string_view name) -> std::optional<NamedValue> {
    const auto known = places_.find(name);
    if (known == places_.end()) return std::nullopt;
    const auto& [factor_index, column] = known->second;
    const Factor& factor = sweep_.factors[factor_index];
    const Cell& cell = factor.levels[levels[factor_index]].cells[column];
    if (cell.number) return NamedValue{*cell.number, factor.columns[column].unit};
    return NamedValue{cell.text};
  };
  return std::ranges::all_of(only_, [&](const Condition& condition) { return condition.holds(lookup) == true; });
}

std::vector<Cell> PointSpace::cells(const Point& point) const {
  std::vector<Cell> cells;
  for (std::size_t f = 0; f < point.levels.size(); ++f) {
    const std::vector<Cell>& more = sweep_.factors[f].levels[point.levels[f]].cells;
    cells.insert(cells.end(), more.begin(), more.end());
  }
  return cells;
}

Laid PointSpace::laid(const Point& point) const {
  Laid laid{sweep_.fixed, std::nullopt, std::nullopt};
  for (std::size_t f = 0; f < point.levels.size(); ++f) {
    const Level& level = sweep_.factors[f].levels[point.levels[f]];
    laid.values.insert(laid.values.end(), level.values.begin(), level.values.end());
    if (level.variant) laid.variant = level.variant;
    if (level.seed) laid.seed = level.seed;
  }
  return laid;
}

PointSpace::Cursor::Cursor(const PointSpace& space, Shard shard)
    : space_{space}, shard_{shard}, combination_{space.only_.empty() ? shard.index : 0} {}

std::optional<Point> PointSpace::Cursor::next() {
  return space_.only_.empty() ? next_of_product() : next_of_conditions();
}

std::optional<Point> PointSpace::Cursor::next_of_product() {
  if (combination_ >= space_.combinations_) return std::nullopt;
  Point point{combination_, space_.levels_of(combination_)};
  // A sum beyond the last number is behind the last point, too.
  combination_ =
      shard_.count > space_.combinations_ - combination_ ? space_.combinations_ : combination_ + shard_.count;
  return point;
}

std::optional<Point> PointSpace::Cursor::next_of_conditions() {
  for (; combination_ < space_.combinations_; ++combination_) {
    std::vector<std::size_t> levels = space_.levels_of(combination_);
    if (!space_.is_point(levels)) continue;
    const std::int64_t number = number_++;
    if (number % shard_.count != shard_.index) continue;
    ++combination_;
    return Point{number, std::move(levels)};
  }
  return std::nullopt;
}

}  // namespace soya
