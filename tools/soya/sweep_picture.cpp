#include "sweep_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace soya::cli {

namespace {

constexpr std::size_t most_lines = 24;
constexpr std::size_t most_cells = 60;
constexpr std::size_t colours_of_one_column = 7;

/// Both columns are numeric only where every cell has a number; sizes are binary where all are written so.
bool is_binary(const std::vector<Cell>& cells) {
  return std::ranges::all_of(cells, [](const Cell& cell) { return cell.text.ends_with("iB") || cell.number == 0.0; });
}

std::vector<std::string> texts(const std::vector<Cell>& cells) {
  std::vector<std::string> all;
  for (const Cell& cell : cells) all.push_back(cell.text);
  return all;
}

std::size_t rank_of(const std::vector<Cell>& cells, const Cell& cell, bool numeric) {
  const auto found = std::ranges::find_if(
      cells, [&](const Cell& each) { return numeric ? *each.number == *cell.number : each.text == cell.text; });
  return static_cast<std::size_t>(found - cells.begin());
}

std::string default_title(const SweepTable& table, const PictureQuestion& question) {
  std::string over = short_name(table.head.columns, question.x);
  return table.head.name + ": " + quantity_title(table) + " over " + over;
}

std::string counted(std::int64_t least, std::int64_t most) {
  const std::string many = most == 1 ? " point" : " points";
  return (least == most ? std::to_string(most) : fmt::format("{} to {}", least, most)) + many;
}

/// "mean of 5 points, from least to most; where mode == dsh".
std::string subtitle_of(const std::vector<PointGroup>& groups, const std::string& spread, const std::string& where) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  for (const PointGroup& group : groups) {
    if (group.values > 0) least = std::min(least, group.values);
    most = std::max(most, group.values);
  }
  std::string text = most > 1 ? "mean of " + counted(least, most) + spread : "";
  if (!where.empty()) text += (text.empty() ? "where " : "; where ") + where;
  return text;
}

AxisRange range_of_values(const SweepTable& table, const PointGroups& all, bool log) {
  const PointQuantity& quantity = table.quantities.front();
  AxisRange range{quantity_title(table), quantity.unit, false, std::numeric_limits<double>::infinity(),
                  -std::numeric_limits<double>::infinity()};
  for (const PointGroup& group : all.groups) {
    if (group.values == 0 || (log && group.least <= 0)) continue;
    range.least = std::min(range.least, group.least);
    range.most = std::max(range.most, group.most);
  }
  if (range.most >= range.least) return range;
  std::string why;
  for (const std::string& note : all.notes) why += "; " + note;
  throw TableError{"there is no value of " + quantity.name + (log ? " above 0" : "") + " to draw" + why};
}

/// What a log scale has no place for is told.
std::int64_t off_scale(const PointGroups& all) {
  return std::ranges::count_if(all.groups,
                               [](const PointGroup& group) { return group.values > 0 && group.least <= 0; });
}

PlotAxis x_axis(const SweepTable& table, const PictureQuestion& question) {
  const Column& column = table.head.columns[question.x];
  const std::vector<Cell> cells = distinct_cells(table, question.x);
  if (!table.numeric[question.x]) {
    if (question.log_x) throw TableError{"--log: " + column.name + " has words (" + listed(cells) + ")"};
    return category_axis(column.name, texts(cells));
  }
  const AxisRange range{column.name, column.unit, is_binary(cells), *cells.front().number, *cells.back().number};
  if (!question.log_x) return linear_axis(range, false);
  if (range.least > 0) return log_axis(range);
  throw TableError{"--log: " + column.name + " is " + cells.front().text +
                   " at some points, and a log scale has no place for it; leave these out by --where"};
}

PlotPlace place_of(const PointGroup& group, double x, const PlotAxis& y) {
  return {x, y.place(group.mean), y.place(group.least), y.place(group.most), group.unsound > 0, false};
}

/// Colours tell the values of the first column apart, marks those of the second; of one column, both do.
void style(PlotLine& line, std::size_t number, const std::vector<std::size_t>& ranks) {
  const bool two = ranks.size() == 2;
  line.colour = (two ? ranks[0] : number) % colours_of_one_column;
  line.form = two ? ranks[1] : number;
}

class Lines {
 public:
  Lines(const SweepTable& table, const PictureQuestion& question, LinePicture& picture)
      : table_{table}, question_{question}, picture_{picture}, x_cells_{distinct_cells(table, question.x)} {
    for (const std::size_t column : question.by) by_cells_.push_back(distinct_cells(table, column));
  }

  void add(const PointGroup& group) {
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < question_.by.size(); ++i) {
      ranks.push_back(rank_of(by_cells_[i], group.key[i], table_.numeric[question_.by[i]]));
    }
    if (picture_.lines.empty() || ranks != ranks_) begin(group, ranks);
    PlotLine& line = picture_.lines.back();
    const double x = x_of(group.key.back());
    const bool off = question_.log_y && group.values > 0 && group.least <= 0;
    if (group.without > 0 || off) line.gaps.push_back(x);
    if (group.values == 0 || off) {
      joined_ = false;
      return;
    }
    line.places.push_back(place_of(group, x, picture_.y));
    line.places.back().joined = joined_ && table_.numeric[question_.x];
    joined_ = true;
  }

 private:
  void begin(const PointGroup& group, const std::vector<std::size_t>& ranks) {
    PlotLine line;
    for (std::size_t i = 0; i < ranks.size(); ++i) line.name += (i == 0 ? "" : ", ") + group.key[i].text;
    style(line, picture_.lines.size(), ranks);
    picture_.lines.push_back(std::move(line));
    ranks_ = ranks;
    joined_ = false;
  }

  [[nodiscard]] double x_of(const Cell& cell) const {
    if (table_.numeric[question_.x]) return picture_.x.place(*cell.number);
    return picture_.x.place(static_cast<double>(rank_of(x_cells_, cell, false)));
  }

  const SweepTable& table_;
  const PictureQuestion& question_;
  LinePicture& picture_;
  std::vector<Cell> x_cells_;
  std::vector<std::vector<Cell>> by_cells_;
  std::vector<std::size_t> ranks_;  ///< of the line that is drawn
  bool joined_{false};
};

/// Marks of several lines at one category stand side by side.
void set_apart(LinePicture& picture) {
  if (picture.x.scale != AxisScale::categories || picture.lines.size() < 2) return;
  const double room = 0.6 / picture.x.high / static_cast<double>(picture.lines.size());
  const double first = -0.5 * room * static_cast<double>(picture.lines.size() - 1);
  for (std::size_t i = 0; i < picture.lines.size(); ++i) {
    const double shift = first + room * static_cast<double>(i);
    for (PlotPlace& place : picture.lines[i].places) place.x += shift;
    for (double& gap : picture.lines[i].gaps) gap += shift;
  }
}

void refuse_many(std::size_t count, std::size_t most, const std::string& what) {
  if (count <= most) return;
  throw TableError{
      fmt::format("{} {} are more than a picture can tell apart ({}); fix some by --where", count, what, most)};
}

}  // namespace

std::string short_name(const std::vector<Column>& columns, std::size_t column) {
  const std::string& name = columns[column].name;
  for (std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0; dot = name.rfind('.', dot - 1)) {
    try {
      if (find_column(columns, name.substr(dot + 1)) == column) return name.substr(dot + 1);
    } catch (const TableError&) {
      continue;  // not alone with this ending
    }
  }
  return name;
}

std::string quantity_title(const SweepTable& table) {
  const PointQuantity& quantity = table.quantities.front();
  return quantity.name == "answer" ? "answer for " + table.head.answer.name : quantity.name;
}

PointGroups picture_groups(const SweepTable& table, const PictureQuestion& question) {
  std::vector<std::size_t> columns = question.by;
  columns.push_back(question.x);
  return group_points(table, columns, 0, "draw its values as lines by --by, or fix one by --where");
}

LinePicture line_picture(const SweepTable& table, const PictureQuestion& question) {
  PointGroups all = picture_groups(table, question);
  LinePicture picture;
  picture.title = question.title.value_or(default_title(table, question));
  picture.subtitle = subtitle_of(all.groups, ", with least and most", question.where);
  picture.x = x_axis(table, question);
  const AxisRange range = range_of_values(table, all, question.log_y);
  picture.y = question.log_y ? log_axis(range) : linear_axis(range, true);
  for (const std::size_t column : question.by) {
    picture.line_title += (picture.line_title.empty() ? "" : ", ") + short_name(table.head.columns, column);
  }
  Lines lines{table, question, picture};
  for (const PointGroup& group : all.groups) {
    lines.add(group);
    if (group.values > 1 && group.most > group.least) picture.spread = true;
  }
  refuse_many(picture.lines.size(), most_lines, "lines");
  set_apart(picture);
  picture.notes = std::move(all.notes);
  if (const std::int64_t off = question.log_y ? off_scale(all) : 0; off > 0) {
    picture.notes.push_back(fmt::format("{} of {} places have values that are not above 0, and no place on a log scale",
                                        off, all.groups.size()));
  }
  return picture;
}

HeatPicture heat_picture(const SweepTable& table, const PictureQuestion& question) {
  PointGroups all = picture_groups(table, question);
  const std::size_t row_column = question.by.front();
  const std::vector<Cell> columns = distinct_cells(table, question.x);
  const std::vector<Cell> rows = distinct_cells(table, row_column);
  refuse_many(columns.size(), most_cells, "columns");
  refuse_many(rows.size(), most_cells, "rows");
  HeatPicture picture;
  picture.title =
      question.title.value_or(default_title(table, question) + " and " + short_name(table.head.columns, row_column));
  picture.subtitle = subtitle_of(all.groups, "", question.where);
  picture.x_title = table.head.columns[question.x].name;
  picture.y_title = table.head.columns[row_column].name;
  picture.columns = texts(columns);
  picture.rows = texts(rows);
  const AxisRange range = range_of_values(table, all, question.log_y);
  picture.colours = question.log_y ? log_axis(range) : linear_axis(range, true);
  picture.quantity = range.name;
  picture.unit = shown_unit(range.unit, range.binary, std::max(std::abs(range.least), std::abs(range.most)));
  for (const PointGroup& group : all.groups) {
    HeatCell cell;
    cell.column = rank_of(columns, group.key.back(), table.numeric[question.x]);
    cell.row = rank_of(rows, group.key.front(), table.numeric[row_column]);
    cell.unsound = group.unsound > 0;
    if (group.values > 0) cell.label = short_number(group.mean / picture.unit.size);
    if (group.values > 0 && (!question.log_y || group.mean > 0)) {
      cell.at = std::clamp(picture.colours.place(group.mean), 0.0, 1.0);
    }
    picture.cells.push_back(std::move(cell));
  }
  picture.notes = std::move(all.notes);
  return picture;
}

}  // namespace soya::cli
