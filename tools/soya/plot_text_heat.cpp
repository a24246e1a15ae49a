#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "display_width.hpp"
#include "plot_text.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t width = 76;
constexpr std::size_t widest_label = 20;
constexpr std::size_t widest_cell = 10;

using Shades = std::array<std::string_view, 4>;
constexpr Shades block_shades{"░", "▒", "▓", "█"};
constexpr Shades ascii_shades{".", ":", "+", "#"};

const Shades& shades_of(const TextPictureStyle& style) {
  return style.glyphs == BarStyle::blocks ? block_shades : ascii_shades;
}

std::string_view shade_at(double at, const Shades& shades) {
  const auto place = static_cast<std::size_t>(at * static_cast<double>(shades.size()));
  return shades[std::min(place, shades.size() - 1)];
}

/// How wide a cell is, and whether its number has room in it.
struct CellLayout {
  std::size_t label{0};  ///< columns of the row labels
  std::size_t cell{1};
  bool numbers{false};
};

CellLayout layout_of(const HeatPicture& picture) {
  CellLayout layout;
  for (const std::string& row : picture.rows) layout.label = std::max(layout.label, display_width(row));
  layout.label = std::min(layout.label, widest_label);
  std::size_t needed = 1;
  bool unsound = false;
  for (const HeatCell& cell : picture.cells) {
    needed = std::max(needed, display_width(cell.label));
    unsound |= cell.unsound;
  }
  // The shade, a blank, the number, "!" and a blank.
  needed += unsound ? 4 : 3;
  const std::size_t room = (width - layout.label - 3) / picture.columns.size();
  layout.numbers = needed <= room;
  layout.cell = layout.numbers ? std::min(room, std::max(needed, widest_cell)) : std::clamp<std::size_t>(room, 1, 4);
  return layout;
}

std::string cell_text(const HeatCell* cell, const CellLayout& layout, const Shades& shades) {
  const std::string_view mark = cell != nullptr && cell->unsound ? "!" : "";
  if (cell == nullptr) return std::string(layout.cell, ' ');
  if (layout.numbers) {
    const std::string shade{cell->at ? shade_at(*cell->at, shades) : " "};
    const std::string number = cell->label.empty() ? "x" : cell->label;
    return pad_right(shade + " " + number + std::string{mark}, layout.cell);
  }
  if (!cell->at) return pad_right("x", layout.cell);
  std::string text;
  const std::size_t filled = std::max<std::size_t>(1, layout.cell - mark.size());
  for (std::size_t i = 0; i < filled; ++i) text += shade_at(*cell->at, shades);
  return layout.cell > 1 ? text + std::string{mark} : text;
}

std::string row_text(const HeatPicture& picture, std::size_t row, const CellLayout& layout, const Shades& shades) {
  std::vector<const HeatCell*> cells(picture.columns.size(), nullptr);
  for (const HeatCell& cell : picture.cells) {
    if (cell.row == row) cells[cell.column] = &cell;
  }
  std::string text;
  for (const HeatCell* cell : cells) text += cell_text(cell, layout, shades);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// Labels of the columns, as many as have room.
std::string column_labels(const HeatPicture& picture, const CellLayout& layout) {
  std::string text(layout.label + 3, ' ');
  std::size_t at = 0;
  std::size_t free_from = 0;
  const std::size_t all = layout.cell * picture.columns.size();
  for (std::size_t i = 0; i < picture.columns.size(); ++i) {
    const std::size_t start = i * layout.cell;
    const std::string label = layout.numbers ? shortened(picture.columns[i], layout.cell - 1) : picture.columns[i];
    if (start < free_from || (start + display_width(label) > all && i > 0)) continue;
    text += std::string(start - at, ' ') + label;
    at = start + display_width(label);
    free_from = at + 1;
  }
  return text + "\n";
}

/// What each shade stands for, in the unit of the numbers.
std::string shade_legend(const HeatPicture& picture, const Shades& shades) {
  std::string text;
  for (std::size_t i = 0; i < shades.size(); ++i) {
    const double top = picture.colours.value_at(static_cast<double>(i + 1) / static_cast<double>(shades.size()));
    text += fmt::format("{}{} to {}", i == 0 ? "" : "  ", shades[i], short_number(top / picture.unit.size));
  }
  return text;
}

std::string keys(const HeatPicture& picture) {
  std::string text;
  const bool unsound = std::ranges::any_of(picture.cells, &HeatCell::unsound);
  const bool empty = std::ranges::any_of(picture.cells, [](const HeatCell& cell) { return cell.label.empty(); });
  if (unsound) text += wrapped("! some run is not sound", width, " ", " ");
  if (empty) text += wrapped("x no value", width, " ", " ");
  return text;
}

}  // namespace

std::string text_of(const HeatPicture& picture, const TextPictureStyle& style) {
  const CellLayout layout = layout_of(picture);
  const Shades& shades = shades_of(style);
  const std::string_view side = style.glyphs == BarStyle::blocks ? "│" : "|";
  std::string text = wrapped(picture.title, width, " ", " ");
  if (!picture.subtitle.empty()) text += wrapped(picture.subtitle, width, " ", " ");
  text += "\n" + wrapped(picture.y_title, width, " ", " ");
  for (std::size_t row = picture.rows.size(); row-- > 0;) {
    text += " " + pad_left(shortened(picture.rows[row], layout.label), layout.label) + " " + std::string{side} +
            row_text(picture, row, layout, shades) + "\n";
  }
  text += column_labels(picture, layout);
  text += wrapped(picture.x_title, width, std::string(layout.label + 3, ' '), std::string(layout.label + 3, ' '));
  text += "\n" + wrapped(titled(picture.quantity, picture.unit) + ":", width, " ", " ");
  text += "  " + shade_legend(picture, shades) + "\n";
  text += keys(picture);
  for (const std::string& note : picture.notes) text += wrapped(note, width, " ", "   ");
  return text;
}

}  // namespace soya::cli
