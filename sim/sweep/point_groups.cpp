#include "sweep/point_groups.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

namespace soya {

namespace {

constexpr std::string_view seed = "seed";

/// The place of a cell among the values of its column.
class Ranks {
 public:
  Ranks(const SweepTable& table, std::size_t column) : numeric_{table.numeric[column]} {
    const std::vector<Cell> cells = distinct_cells(table, column);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (numeric_) {
        by_number_.emplace(*cells[i].number, i);
      } else {
        by_text_.emplace(cells[i].text, i);
      }
    }
  }
  [[nodiscard]] std::size_t of(const Cell& cell) const {
    return numeric_ ? by_number_.at(*cell.number) : by_text_.at(cell.text);
  }
  [[nodiscard]] std::size_t size() const { return numeric_ ? by_number_.size() : by_text_.size(); }

 private:
  bool numeric_;
  std::map<double, std::size_t> by_number_;
  std::map<std::string, std::size_t, std::less<>> by_text_;
};

using Key = std::vector<std::size_t>;
using Members = std::map<Key, std::vector<const TableRow*>>;

Members members_of(const SweepTable& table, const std::vector<std::size_t>& columns) {
  std::vector<Ranks> ranks;
  for (const std::size_t column : columns) ranks.emplace_back(table, column);
  Members members;
  for (const TableRow& row : table.rows) {
    Key key;
    for (std::size_t i = 0; i < columns.size(); ++i) key.push_back(ranks[i].of(row.cells[columns[i]]));
    members[key].push_back(&row);
  }
  return members;
}

/// The values that `column` has within a group, where it has more than one.
std::vector<Cell> mixed_in(const SweepTable& table, const Members& members, std::size_t column, const Ranks& ranks) {
  for (const auto& [key, rows] : members) {
    const std::size_t first = ranks.of(rows.front()->cells[column]);
    const auto differs = [&](const TableRow* row) { return ranks.of(row->cells[column]) != first; };
    if (std::ranges::any_of(rows, differs)) return distinct_cells(table, column);
  }
  return {};
}

/// Refuses a column that differs within a group. Those that differ from group to group, as columns that are zipped with
/// one of the picture do, are told of.
std::string judge_other_columns(const SweepTable& table, const std::vector<std::size_t>& columns,
                                const Members& members, const std::string& advice) {
  std::string along;
  for (std::size_t column = 0; column < table.head.columns.size(); ++column) {
    const std::string& name = table.head.columns[column].name;
    if (name == seed || std::ranges::find(columns, column) != columns.end()) continue;
    const Ranks ranks{table, column};
    if (ranks.size() == 1) continue;
    const std::vector<Cell> mixed = mixed_in(table, members, column, ranks);
    if (!mixed.empty()) {
      throw TableError{"points differ in " + name + " too (" + listed(mixed) + "): " + advice};
    }
    along += (along.empty() ? "" : ", ") + name;
  }
  return along;
}

PointGroup summed(const std::vector<const TableRow*>& rows, const std::vector<std::size_t>& columns,
                  std::size_t quantity) {
  PointGroup group;
  for (const std::size_t column : columns) group.key.push_back(rows.front()->cells[column]);
  for (const TableRow* row : rows) {
    const std::optional<double> value = row->values.at(quantity);
    if (!value) {
      ++group.without;
      continue;
    }
    group.least = group.values == 0 ? *value : std::min(group.least, *value);
    group.most = group.values == 0 ? *value : std::max(group.most, *value);
    group.mean += *value;
    ++group.values;
    if (row->outcome == PointOutcome::unsound) ++group.unsound;
  }
  // Equal values have exactly themselves as mean.
  if (group.values > 0) {
    group.mean = std::clamp(group.mean / static_cast<double>(group.values), group.least, group.most);
  }
  return group;
}

struct Counted {
  std::int64_t count{0};
  std::string why;  ///< of the first
};

/// "1 of 40 points is not sound", "2 of 40 points are not sound".
std::string sentence(const SweepTable& table, const Counted& counted, std::string_view one, std::string_view several) {
  return std::to_string(counted.count) + " of " + std::to_string(table.rows.size()) +
         (table.rows.size() == 1 ? " point " : " points ") + std::string{counted.count == 1 ? one : several} +
         (counted.why.empty() ? "" : ": " + counted.why);
}

struct Reason {
  PointOutcome outcome;
  std::string_view one, several;
};

void tell_outcomes(const SweepTable& table, std::size_t quantity, std::vector<std::string>& notes) {
  constexpr std::array<Reason, 5> reasons{
      {{PointOutcome::refused, "cannot be built", "cannot be built"},
       {PointOutcome::no_answer, "has no answer", "have no answer"},
       {PointOutcome::crashed, "crashed", "crashed"},
       {PointOutcome::unsound, "is not sound and has no such value", "are not sound and have no such value"},
       {PointOutcome::sound, "has no such value", "have no such value"}}};
  std::map<PointOutcome, Counted> without;
  Counted unsound;
  for (const TableRow& row : table.rows) {
    const bool has_value = row.values.at(quantity).has_value();
    if (has_value && row.outcome != PointOutcome::unsound) continue;
    Counted& counted = has_value ? unsound : without[row.outcome];
    if (++counted.count == 1) counted.why = row.why_not;
  }
  for (const Reason& reason : reasons) {
    const auto found = without.find(reason.outcome);
    if (found != without.end()) notes.push_back(sentence(table, found->second, reason.one, reason.several));
  }
  if (unsound.count == 0) return;
  notes.push_back(sentence(table, unsound, "is not sound, and counts here", "are not sound, and count here"));
}

}  // namespace

PointGroups group_points(const SweepTable& table, const std::vector<std::size_t>& columns, std::size_t quantity,
                         const std::string& advice) {
  PointGroups result;
  const Members members = members_of(table, columns);
  const std::string along = judge_other_columns(table, columns, members, advice);
  for (const auto& [key, rows] : members) result.groups.push_back(summed(rows, columns, quantity));
  tell_outcomes(table, quantity, result.notes);
  if (!along.empty()) result.notes.push_back("what differs along with these: " + along);
  return result;
}

}  // namespace soya
