// What the SVG of a line picture and of a heat map have in common: titles, notes, labels along the bottom.
// Simplifies: nothing. Source: tools/soya/plot_svg.hpp. Validated by tests/unit/tools/plot_svg_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "plot_axis.hpp"
#include "svg_text.hpp"

namespace soya::cli {

/// The area between the axes.
struct SvgArea {
  double left{0}, top{0}, width{0}, height{0};
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
  [[nodiscard]] double x(double at) const { return left + at * width; }
  [[nodiscard]] double y(double at) const { return bottom() - at * height; }
};

inline constexpr double label_size = 12;
inline constexpr double small_size = 11.5;
inline constexpr double edge = 20;  ///< free around everything

/// Title and subtitle in `width` pixels from the left edge; returns where they end.
[[nodiscard]] double draw_titles(SvgBody& body, const std::string& title, const std::string& subtitle, double width);

/// Labels under the area, turned where they would touch, and left out where that does not help; below them the title.
/// Returns where that ends.
[[nodiscard]] double draw_bottom(SvgBody& body, const SvgArea& area, const PlotAxis& axis);

/// Notes from `top` on; returns where they end.
[[nodiscard]] double draw_notes(SvgBody& body, const std::vector<std::string>& notes, double top, double width);

/// Title along the left edge.
void draw_left_title(SvgBody& body, const SvgArea& area, const std::string& title);

/// The widest label.
[[nodiscard]] double widest(const std::vector<AxisTick>& ticks);

}  // namespace soya::cli
