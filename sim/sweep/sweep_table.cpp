#include "sweep/sweep_table.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/suggest.hpp"
#include "results/summary_path.hpp"
#include "sweep/points_csv.hpp"

namespace soya {

namespace {

constexpr std::string_view plan_prefix = "plan.";
constexpr std::string_view outcome_word = "outcome";
constexpr std::size_t most_listed = 8;

std::string in_quotes(std::string_view text) {
  return "\"" + std::string{text} + "\"";
}

std::string names_of(std::span<const Column> columns) {
  std::string names;
  for (const Column& column : columns) names += (names.empty() ? "" : ", ") + column.name;
  return names.empty() ? "none" : names;
}

/// Last parts of names, too: "lenght" is meant for haul.length.
std::string column_hint(std::span<const Column> columns, std::string_view name) {
  std::vector<std::string_view> known;
  for (const Column& column : columns) {
    known.emplace_back(column.name);
    for (std::size_t dot = column.name.find('.'); dot != std::string::npos; dot = column.name.find('.', dot + 1)) {
      known.push_back(std::string_view{column.name}.substr(dot + 1));
    }
  }
  const auto near = nearest(name, known);
  return near ? "did you mean " + in_quotes(*near) + "?" : "the sweep's columns are " + names_of(columns);
}

/// Numbers of a point beside its summary, where the name is of this kind. What a search finds is called "answer", or as
/// the key that it is a value of.
std::optional<PointQuantity> extra_quantity(const StoreHead& head, std::string_view name) {
  if (name.starts_with(plan_prefix)) return PointQuantity{std::string{name}, std::string{unit_of_quantity(name)}};
  const std::string& key = head.answer.name;
  if (key.empty()) return std::nullopt;
  if (name == "answer" || name == key || is_column_ending(key, name)) return PointQuantity{"answer", head.answer.unit};
  if (name == "probes" || name == "monotone") return PointQuantity{std::string{name}, ""};
  return std::nullopt;
}

std::optional<NamedValue> named_value(const StoreHead& head, const StoredPoint& point, const PointValues& asked,
                                      std::string_view name) {
  if (const auto column = find_column(head.columns, name)) {
    const Cell& cell = point.cells.at(*column);
    if (cell.number) return NamedValue{*cell.number, head.columns[*column].unit};
    return NamedValue{cell.text};
  }
  if (name == outcome_word) return NamedValue{std::string{outcome_name(point.outcome)}};
  const auto extra = extra_quantity(head, name);
  const auto value = asked.value(extra ? std::string_view{extra->name} : name);
  if (!value) return std::nullopt;
  return NamedValue{*value, extra ? extra->unit : std::string{unit_of_quantity(name)}};
}

void refuse_unknown_plans(const std::vector<PointQuantity>& quantities, const std::set<std::string>& plans) {
  for (const PointQuantity& quantity : quantities) {
    if (!quantity.name.starts_with(plan_prefix) || plans.contains(quantity.name)) continue;
    std::string known;
    for (const std::string& each : plans) known += (known.empty() ? "" : ", ") + each;
    throw TableError{"no point has " + in_quotes(quantity.name) +
                     (known.empty() ? "; this store has no closed forms" : "; there are " + known)};
  }
}

void refuse_empty(const SweepTable& table, const std::optional<Condition>& where) {
  if (!table.rows.empty()) return;
  if (table.stored == 0) throw TableError{"the store has no points yet"};
  const std::string open = table.not_decided == 0
                               ? ""
                               : "; of " + std::to_string(table.not_decided) + " it is not known, for want of a value";
  throw TableError{"none of the " + std::to_string(table.stored) + " points has " + where->text() + open};
}

std::string fault_of(const ConditionFault& fault, std::string_view text) {
  return std::string{fault.what()} + " (at " + std::to_string(fault.position() + 1) + " of " + in_quotes(text) + ")";
}

}  // namespace

bool is_column_ending(std::string_view path, std::string_view name) {
  return path.size() > name.size() && path.ends_with(name) && path[path.size() - name.size() - 1] == '.';
}

std::optional<std::size_t> find_column(std::span<const Column> columns, std::string_view name) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
    if (is_column_ending(columns[i].name, name)) found.push_back(i);
  }
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return found.front();
  std::string names;
  for (const std::size_t each : found) names += (names.empty() ? "" : " or ") + columns[each].name;
  throw TableError{in_quotes(name) + " may be " + names + "; write more of it"};
}

std::size_t column_named(std::span<const Column> columns, std::string_view name) {
  const auto found = find_column(columns, name);
  if (!found) throw TableError{"unknown column " + in_quotes(name) + "; " + column_hint(columns, name)};
  return *found;
}

PointQuantity quantity_named(const StoreHead& head, std::string_view name) {
  if (const auto extra = extra_quantity(head, name)) return *extra;
  if (name == "answer" || name == "probes" || name == "monotone") {
    throw TableError{in_quotes(name) + " is of a search, and this sweep has none"};
  }
  if (const auto fault = summary_path_fault(name)) throw TableError{*fault};
  return {std::string{name}, std::string{unit_of_quantity(name)}};
}

Condition table_condition(const StoreHead& head, std::string_view text) {
  try {
    Condition condition = Condition::parse(text);
    const auto known = [&](std::string_view name) -> std::optional<NameKind> {
      if (const auto column = find_column(head.columns, name)) {
        return NameKind{.unit = head.columns[*column].unit, .may_be_word = true};
      }
      if (name == outcome_word) return NameKind{.unit = "text"};
      if (name.starts_with(plan_prefix) || !summary_path_fault(name) || extra_quantity(head, name)) {
        return NameKind{.unit = quantity_named(head, name).unit, .bare_allowed = true};
      }
      return std::nullopt;
    };
    for (const Condition::Name& name : condition.names()) {
      if (known(name.text)) continue;
      // A word with a dot is a quantity that is spelled wrong, one without a column.
      const bool dotted = name.text.find_first_of(".[") != std::string::npos;
      throw TableError{dotted ? *summary_path_fault(name.text)
                              : "unknown name " + in_quotes(name.text) + "; " + column_hint(head.columns, name.text)};
    }
    if (const auto fault = condition.check(known)) throw TableError{fault_of(*fault, text)};
    return condition;
  } catch (const ConditionFault& fault) {
    throw TableError{fault_of(fault, text)};
  }
}

SweepTable read_table(const StoreHead& head, const PointSource& points, const TableQuestion& question) {
  SweepTable table{.head = head, .quantities = question.quantities, .numeric = {}, .rows = {}};
  std::set<std::string> plans;
  points([&](const StoredPoint& point) {
    ++table.stored;
    const PointValues asked{point};
    for (const auto& [key, number] : point.extra) {
      if (key.starts_with(plan_prefix)) plans.insert(key);
    }
    if (question.where) {
      const auto lookup = [&](std::string_view name) { return named_value(head, point, asked, name); };
      const auto holds = question.where->holds(lookup);
      if (!holds) ++table.not_decided;
      if (!holds || !*holds) return;
    }
    TableRow row{point.point, point.outcome, point.why_not, point.cells, {}};
    for (const PointQuantity& quantity : question.quantities) row.values.push_back(asked.value(quantity.name));
    table.rows.push_back(std::move(row));
  });
  refuse_empty(table, question.where);
  refuse_unknown_plans(question.quantities, plans);
  std::ranges::sort(table.rows, {}, &TableRow::point);
  for (std::size_t column = 0; column < head.columns.size(); ++column) {
    table.numeric.push_back(
        std::ranges::all_of(table.rows, [&](const TableRow& row) { return row.cells.at(column).number.has_value(); }));
  }
  return table;
}

std::vector<Cell> distinct_cells(const SweepTable& table, std::size_t column) {
  std::vector<Cell> cells;
  std::set<std::string> seen;
  for (const TableRow& row : table.rows) {
    const Cell& cell = row.cells[column];
    if (seen.insert(cell.text).second) cells.push_back(cell);
  }
  if (table.numeric[column]) {
    std::ranges::stable_sort(cells, {}, [](const Cell& cell) { return *cell.number; });
    // 100km and 100000m are one value.
    const auto same = [](const Cell& one, const Cell& other) { return *one.number == *other.number; };
    cells.erase(std::unique(cells.begin(), cells.end(), same), cells.end());
  }
  return cells;
}

std::string listed(const std::vector<Cell>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size() && i < most_listed; ++i) text += (i == 0 ? "" : ", ") + cells[i].text;
  return cells.size() <= most_listed ? text : text + " and " + std::to_string(cells.size() - most_listed) + " more";
}

}  // namespace soya
