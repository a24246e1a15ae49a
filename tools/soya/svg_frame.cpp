#include "svg_frame.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace soya::cli {

namespace {

constexpr double title_size = 16;
constexpr double turned_by = 40;
constexpr double turned_radians = turned_by * std::numbers::pi / 180;

/// Whether labels side by side would touch.
bool touch(const SvgArea& area, const std::vector<AxisTick>& ticks) {
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const double room = area.x(ticks[i].at) - area.x(ticks[i - 1].at);
    const double needed = (svg_width(ticks[i].label, label_size) + svg_width(ticks[i - 1].label, label_size)) / 2;
    if (needed + 6 > room) return true;
  }
  return false;
}

}  // namespace

double widest(const std::vector<AxisTick>& ticks) {
  double most = 0;
  for (const AxisTick& tick : ticks) most = std::max(most, svg_width(tick.label, label_size));
  return most;
}

double draw_titles(SvgBody& body, const std::string& title, const std::string& subtitle, double width) {
  double y = edge + 4;
  for (const std::string& line : svg_lines(title, title_size, width)) {
    y += title_size;
    body.text(edge, y, line, {.size = title_size, .style = "bold"});
    y += 4;
  }
  for (const std::string& line : svg_lines(subtitle, label_size, width)) {
    y += label_size + 3;
    body.text(edge, y, line, {.size = label_size, .style = "soft"});
  }
  return y + 4;
}

double draw_bottom(SvgBody& body, const SvgArea& area, const PlotAxis& axis) {
  constexpr double longest = 190;  // of a turned label
  const bool turned = axis.scale == AxisScale::categories && touch(area, axis.ticks);
  double depth = label_size + 8;
  double free_from = -edge;
  for (const AxisTick& tick : axis.ticks) {
    const double x = area.x(tick.at);
    const double half = svg_width(tick.label, label_size) / 2;
    if (turned) {
      if (x - free_from < label_size + 2) continue;
      // It ends under its tick, so it starts left of it, at the edge at the earliest.
      const double room = std::min(longest, (x + 4 - 2) / std::cos(turned_radians));
      const std::string label = svg_fitted(tick.label, label_size, room);
      body.text(x + 4, area.bottom() + 16, label,
                {.size = label_size, .anchor = Anchor::end, .style = "soft", .turned = -turned_by});
      depth = std::max(depth, 18 + svg_width(label, label_size) * std::sin(turned_radians));
      free_from = x;
    } else {
      if (x - half < free_from) continue;
      body.text(x, area.bottom() + 18, tick.label, {.size = label_size, .anchor = Anchor::middle, .style = "soft"});
      free_from = x + half + 6;
    }
  }
  const double y = area.bottom() + depth + 20;
  body.text(area.x(0.5), y, svg_fitted(axis.title, label_size, area.width + area.left - edge),
            {.size = label_size, .anchor = Anchor::middle});
  return y + 6;
}

double draw_notes(SvgBody& body, const std::vector<std::string>& notes, double top, double width) {
  constexpr std::size_t most_lines = 4;  // of one note: a reason may be a page
  double y = top;
  for (const std::string& note : notes) {
    std::vector<std::string> lines = svg_lines(note, small_size, width);
    if (lines.size() > most_lines) {
      lines.resize(most_lines);
      lines.back() += " …";
    }
    for (const std::string& line : lines) {
      y += small_size + 4;
      body.text(edge, y, line, {.size = small_size, .style = "soft"});
    }
  }
  return y;
}

void draw_left_title(SvgBody& body, const SvgArea& area, const std::string& title) {
  const double x = edge + label_size - 2;
  body.text(x, area.y(0.5), svg_fitted(title, label_size, area.height + 40),
            {.size = label_size, .anchor = Anchor::middle, .turned = -90});
}

}  // namespace soya::cli
