// An area of terminal cells in which lines are drawn in dots, two across and four down in each cell.
// Simplifies: a cell has the colour of what was drawn last. Source: Bresenham, "Algorithm for computer control of a
// digital plotter", 1965; Unicode 15, block "Braille Patterns". Validated by tests/unit/tools/plot_text_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "output.hpp"
#include "text_bar.hpp"

namespace soya::cli {

/// A place from 0 to 1, upwards.
struct CanvasPlace {
  double x{0}, y{0};
};

class DotCanvas final {
 public:
  DotCanvas(std::size_t columns, std::size_t rows) : columns_{columns}, rows_{rows}, cells_(columns * rows) {}

  void line(CanvasPlace from, CanvasPlace to, std::string_view colour);
  /// A character over the dots; where another is, "*".
  void mark(CanvasPlace at, char mark, std::string_view colour);

  [[nodiscard]] std::size_t column_of(double x) const;
  [[nodiscard]] std::size_t row_of(double y) const;  ///< from the top
  /// A row of cells, without blanks at its end.
  [[nodiscard]] std::string row(std::size_t row, BarStyle glyphs, Colour colour) const;

 private:
  struct Cell {
    unsigned dots{0};
    char mark{'\0'};
    std::string_view colour;
  };

  void dot(long x, long y, std::string_view colour);
  [[nodiscard]] long dot_x(double x) const;
  [[nodiscard]] long dot_y(double y) const;

  std::size_t columns_;
  std::size_t rows_;
  std::vector<Cell> cells_;
};

}  // namespace soya::cli
