// A picture of a sweep before it is drawn: lines over an axis, or a heat map, with places from 0 to 1. The SVG and the
// terminal draw the same.
// Simplifies: at most 24 lines, and 60 columns and rows of a heat map. Source: docs/sweeps.md.
// Validated by tests/unit/tools/sweep_picture_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plot_axis.hpp"
#include "sweep/point_groups.hpp"
#include "sweep/sweep_table.hpp"

namespace soya::cli {

struct PlotPlace {
  double x{0}, y{0}, least{0}, most{0};  ///< 0 to 1; `y` is the mean
  bool unsound{false};                   ///< a run among its points is not sound
  bool joined{false};                    ///< to the place before
};

struct PlotLine {
  std::string name;  ///< values of the columns that tell lines apart; empty where there is one line
  std::size_t colour{0};
  std::size_t form{0};  ///< of its marks and dashes
  std::vector<PlotPlace> places;
  std::vector<double> gaps;  ///< along x: points without a value
};

struct LinePicture {
  std::string title;
  std::string subtitle;
  PlotAxis x, y;
  std::string line_title;  ///< the columns that tell lines apart
  std::vector<PlotLine> lines;
  bool spread{false};  ///< some places have several values
  std::vector<std::string> notes;
};

struct HeatCell {
  std::size_t column{0}, row{0};
  std::optional<double> at;  ///< 0 to 1 along the colours; absent: no value
  std::string label;
  bool unsound{false};
};

struct HeatPicture {
  std::string title;
  std::string subtitle;
  std::string x_title, y_title;
  std::vector<std::string> columns, rows;  ///< rows from the bottom
  std::string quantity;                    ///< title without unit
  PlotAxis colours;
  ShownUnit unit;  ///< of the cells' labels
  std::vector<HeatCell> cells;
  std::vector<std::string> notes;
};

/// What is to be drawn: the table's first quantity over a column.
struct PictureQuestion {
  std::size_t x{0};
  std::vector<std::size_t> by;  ///< of lines; of a heat map the column of its other axis
  std::optional<std::string> title{};
  std::string where;                ///< as it was written; empty where there is none
  bool log_x{false}, log_y{false};  ///< of a heat map `log_y` is that of its colours
};

/// Throw `TableError`.
[[nodiscard]] LinePicture line_picture(const SweepTable& table, const PictureQuestion& question);
[[nodiscard]] HeatPicture heat_picture(const SweepTable& table, const PictureQuestion& question);

/// Groups in the order by, x.
[[nodiscard]] PointGroups picture_groups(const SweepTable& table, const PictureQuestion& question);

/// The shortest ending that names this column alone.
[[nodiscard]] std::string short_name(const std::vector<Column>& columns, std::size_t column);

/// The quantity with what it is of: "answer for fabric.headroom.size".
[[nodiscard]] std::string quantity_title(const SweepTable& table);

}  // namespace soya::cli
