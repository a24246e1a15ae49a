#include "dot_canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace soya::cli {

namespace {

constexpr long across = 2;
constexpr long down = 4;

/// U+2800 and the bits of its dots, as UTF-8.
std::string braille(unsigned dots) {
  std::string text{"\xE2"};
  text += static_cast<char>(0xA0U + (dots >> 6U));
  text += static_cast<char>(0x80U + (dots & 0x3FU));
  return text;
}

}  // namespace

long DotCanvas::dot_x(double x) const {
  const long last = static_cast<long>(columns_) * across - 1;
  return std::lround(std::clamp(x, 0.0, 1.0) * static_cast<double>(last));
}

long DotCanvas::dot_y(double y) const {
  const long last = static_cast<long>(rows_) * down - 1;
  return std::lround((1 - std::clamp(y, 0.0, 1.0)) * static_cast<double>(last));
}

std::size_t DotCanvas::column_of(double x) const {
  return static_cast<std::size_t>(dot_x(x) / across);
}

std::size_t DotCanvas::row_of(double y) const {
  return static_cast<std::size_t>(dot_y(y) / down);
}

void DotCanvas::dot(long x, long y, std::string_view colour) {
  // The order in which Unicode numbers the dots: three rows of the left column, of the right one, then the fourth row.
  constexpr std::array<std::array<unsigned, across>, down> bits{
      {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
  Cell& cell = cells_[static_cast<std::size_t>(y / down) * columns_ + static_cast<std::size_t>(x / across)];
  cell.dots |= bits[static_cast<std::size_t>(y % down)][static_cast<std::size_t>(x % across)];
  cell.colour = colour;
}

void DotCanvas::line(CanvasPlace from, CanvasPlace to, std::string_view colour) {
  const long x = dot_x(from.x);
  const long y = dot_y(from.y);
  const long steps = std::max(std::labs(dot_x(to.x) - x), std::labs(dot_y(to.y) - y));
  for (long i = 0; i <= steps; ++i) {
    const double share = steps == 0 ? 0 : static_cast<double>(i) / static_cast<double>(steps);
    dot(x + std::lround(share * static_cast<double>(dot_x(to.x) - x)),
        y + std::lround(share * static_cast<double>(dot_y(to.y) - y)), colour);
  }
}

void DotCanvas::mark(CanvasPlace at, char mark, std::string_view colour) {
  Cell& cell = cells_[row_of(at.y) * columns_ + column_of(at.x)];
  cell.mark = cell.mark == '\0' || cell.mark == mark ? mark : '*';
  cell.colour = colour;
}

std::string DotCanvas::row(std::size_t row, BarStyle glyphs, Colour colour) const {
  std::string text;
  std::string blanks;
  for (std::size_t column = 0; column < columns_; ++column) {
    const Cell& cell = cells_[row * columns_ + column];
    if (cell.mark == '\0' && cell.dots == 0) {
      blanks += ' ';
      continue;
    }
    const std::string drawn = cell.mark != '\0'            ? std::string(1, cell.mark)
                              : glyphs == BarStyle::blocks ? braille(cell.dots)
                                                           : ".";
    text += blanks + (cell.colour.empty() ? drawn : coloured(drawn, cell.colour, colour));
    blanks.clear();
  }
  return text;
}

}  // namespace soya::cli
