#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plot_svg.hpp"
#include "svg_frame.hpp"
#include "svg_text.hpp"

namespace soya::cli {

namespace {

struct Rgb {
  double red, green, blue;
};

/// Cividis at equal steps, from its least to its most.
constexpr std::array<Rgb, 10> colour_map{{{0, 34, 78},
                                          {18, 53, 112},
                                          {59, 73, 108},
                                          {87, 93, 109},
                                          {112, 113, 115},
                                          {138, 134, 120},
                                          {165, 156, 116},
                                          {195, 179, 105},
                                          {225, 204, 85},
                                          {254, 232, 56}}};

Rgb colour_at(double at) {
  const double place = std::clamp(at, 0.0, 1.0) * (colour_map.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), colour_map.size() - 2);
  const double share = place - static_cast<double>(below);
  const Rgb& one = colour_map[below];
  const Rgb& other = colour_map[below + 1];
  return {one.red + share * (other.red - one.red), one.green + share * (other.green - one.green),
          one.blue + share * (other.blue - one.blue)};
}

std::string hex(const Rgb& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", static_cast<int>(std::lround(colour.red)),
                     static_cast<int>(std::lround(colour.green)), static_cast<int>(std::lround(colour.blue)));
}

constexpr double bar_width = 16;
constexpr double bar_gap = 28;

struct Grid {
  SvgArea area;
  double column{0}, row{0};  ///< of a cell
};

Grid grid_of(const HeatPicture& picture, double left, double top) {
  Grid grid;
  const auto columns = static_cast<double>(picture.columns.size());
  const auto rows = static_cast<double>(picture.rows.size());
  grid.column = std::clamp(560 / columns, 10.0, 96.0);
  grid.row = std::clamp(340 / rows, 10.0, 44.0);
  // Room for the colours' labels, whatever the rows.
  if (grid.row * rows < 120) grid.row = 120 / rows;
  grid.area = {left, top, grid.column * columns, grid.row * rows};
  return grid;
}

void draw_cell(SvgBody& body, const Grid& grid, const HeatCell& cell) {
  const double x = grid.area.left + grid.column * static_cast<double>(cell.column);
  const double y = grid.area.bottom() - grid.row * static_cast<double>(cell.row + 1);
  const std::string place = fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", svg_number(x + 0.5),
                                        svg_number(y + 0.5), svg_number(grid.column - 1), svg_number(grid.row - 1));
  const double middle = y + grid.row / 2 + 4;
  if (!cell.at) {
    body.add(fmt::format("<rect {} class=\"empty\"/>", place));
    const double half = std::min({grid.column, grid.row, 16.0}) / 4;
    body.add(
        fmt::format("<path d=\"M{0} {0}L-{0} -{0}M{0} -{0}L-{0} {0}\" transform=\"translate({1} {2})\" "
                    "class=\"mark key\"/>",
                    svg_number(half), svg_number(x + grid.column / 2), svg_number(y + grid.row / 2)));
    return;
  }
  const Rgb colour = colour_at(*cell.at);
  body.add(fmt::format("<rect {} fill=\"{}\"/>", place, hex(colour)));
  const bool dark = 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue < 128;
  const std::string_view style = dark ? "on-dark" : "on-light";
  if (svg_width(cell.label, small_size) <= grid.column - 6 && grid.row >= 16) {
    body.text(x + grid.column / 2, middle, cell.label, {.size = small_size, .anchor = Anchor::middle, .style = style});
  }
  if (!cell.unsound) return;
  body.add(fmt::format("<path d=\"M{} {}h9l-9 9z\" class=\"{}\"/>", svg_number(x + 2), svg_number(y + 2), style));
}

std::vector<AxisTick> ticks_of(const std::vector<std::string>& labels) {
  return category_axis("", labels).ticks;
}

void draw_rows(SvgBody& body, const Grid& grid, const HeatPicture& picture) {
  double free_from = grid.area.bottom() + label_size;
  for (const AxisTick& tick : ticks_of(picture.rows)) {
    const double y = grid.area.y(tick.at);
    if (free_from - y < label_size) continue;
    body.text(grid.area.left - 8, y + 4, tick.label, {.size = label_size, .anchor = Anchor::end, .style = "soft"});
    free_from = y;
  }
}

void draw_colours(SvgBody& body, const Grid& grid, const HeatPicture& picture) {
  const double x = grid.area.right() + bar_gap;
  std::string stops;
  for (std::size_t i = 0; i < colour_map.size(); ++i) {
    stops += fmt::format("<stop offset=\"{}\" stop-color=\"{}\"/>",
                         svg_number(static_cast<double>(i) / (colour_map.size() - 1)), hex(colour_map[i]));
  }
  body.add("<linearGradient id=\"colours\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">" + stops + "</linearGradient>");
  body.add(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"url(#colours)\"/>", svg_number(x),
                       svg_number(grid.area.top), svg_number(bar_width), svg_number(grid.area.height)));
  for (const AxisTick& tick : picture.colours.ticks) {
    const double y = grid.area.y(tick.at);
    body.line(x + bar_width, y, x + bar_width + 4, y, "axis");
    body.text(x + bar_width + 8, y + 4, tick.label, {.size = label_size, .style = "soft"});
  }
  const double title_x = x + bar_width + 8 + widest(picture.colours.ticks) + 16;
  body.text(title_x, grid.area.y(0.5), svg_fitted(picture.colours.title, label_size, grid.area.height + 60),
            {.size = label_size, .anchor = Anchor::middle, .turned = -90});
}

/// What the cells show, before the notes.
std::vector<std::string> notes_of(const HeatPicture& picture) {
  const bool unsound = std::ranges::any_of(picture.cells, &HeatCell::unsound);
  const bool empty = std::ranges::any_of(picture.cells, [](const HeatCell& cell) { return !cell.at; });
  std::string cells = picture.unit.name.empty() ? "" : "Numbers in cells: " + picture.unit.name + ".";
  if (empty) cells += (cells.empty() ? "" : " ") + std::string{"A cross: no value."};
  if (unsound) cells += (cells.empty() ? "" : " ") + std::string{"A corner: some run is not sound."};
  std::vector<std::string> notes = picture.notes;
  if (!cells.empty()) notes.insert(notes.begin(), cells);
  return notes;
}

}  // namespace

std::string svg_of(const HeatPicture& picture) {
  SvgBody body;
  const double left = edge + 2 * label_size + widest(ticks_of(picture.rows)) + 14;
  Grid grid = grid_of(picture, left, 0);
  const double right = grid.area.right() + bar_gap + bar_width + 8 + widest(picture.colours.ticks) + 24;
  const double inner = std::max(right - edge, 420.0);
  grid.area.top = draw_titles(body, picture.title, picture.subtitle, inner) + 16;
  for (const HeatCell& cell : picture.cells) draw_cell(body, grid, cell);
  draw_rows(body, grid, picture);
  draw_left_title(body, grid.area, picture.y_title);
  draw_colours(body, grid, picture);
  const double bottom = draw_bottom(body, grid.area, category_axis(picture.x_title, picture.columns));
  const double end = draw_notes(body, notes_of(picture), bottom + 6, inner);
  const std::string description = "Heat map of " + picture.colours.title + " over " + picture.x_title +
                                  " (across) and " + picture.y_title + " (upwards).";
  return svg_document({inner + 2 * edge, end + edge - 4, picture.title, description}, body);
}

}  // namespace soya::cli
