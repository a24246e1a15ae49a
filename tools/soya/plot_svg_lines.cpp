#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "plot_svg.hpp"
#include "svg_frame.hpp"
#include "svg_text.hpp"

namespace soya::cli {

namespace {

constexpr double area_width = 560;
constexpr double area_height = 340;
constexpr double legend_gap = 24;
constexpr double legend_row = 20;
constexpr double swatch = 46;  ///< of a line in the legend
constexpr double most_legend = 320;

constexpr std::array<std::string_view, 6> dashes{"", "7 4", "2 3", "10 3 2 3", "4 2", "12 3 2 3 2 3"};

/// Paths about 0 0, as large as a circle of radius 4.
constexpr std::array<std::string_view, 8> marks{"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
                                                "M-3.6 -3.6h7.2v7.2h-7.2z",
                                                "M0 -4.8L4.6 3.4H-4.6z",
                                                "M0 -5L5 0L0 5L-5 0z",
                                                "M0 4.8L4.6 -3.4H-4.6z",
                                                "M-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
                                                "M0 -4.8L4.6 -1.5L2.8 3.9H-2.8L-4.6 -1.5z",
                                                "M-2.2 -4.4H2.2L4.6 0L2.2 4.4H-2.2L-4.6 0z"};

std::string dash_of(const PlotLine& line) {
  const std::string_view dash = dashes[line.form % dashes.size()];
  return dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash);
}

std::string at(double x, double y) {
  return svg_number(x) + " " + svg_number(y);
}

void draw_mark(SvgBody& body, const PlotLine& line, double x, double y, bool unsound) {
  body.add(fmt::format("<path d=\"{}\" transform=\"translate({})\" class=\"mark c{} {}\"/>",
                       marks[line.form % marks.size()], at(x, y), line.colour,
                       unsound ? "hollow" : fmt::format("f{}", line.colour)));
}

void draw_cross(SvgBody& body, double x, double y, std::string_view style) {
  body.add(
      fmt::format("<path d=\"M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5\" transform=\"translate({})\" class=\"mark {}\"/>",
                  at(x, y), style));
}

/// Runs of places that are joined.
std::vector<std::vector<PlotPlace>> runs_of(const PlotLine& line) {
  std::vector<std::vector<PlotPlace>> runs;
  for (const PlotPlace& place : line.places) {
    if (runs.empty() || !place.joined) runs.emplace_back();
    runs.back().push_back(place);
  }
  return runs;
}

void draw_spread(SvgBody& body, const SvgArea& area, const PlotLine& line, const std::vector<PlotPlace>& run) {
  if (run.size() == 1) {
    const PlotPlace& place = run.front();
    if (place.most <= place.least) return;
    body.line(area.x(place.x), area.y(place.least), area.x(place.x), area.y(place.most),
              fmt::format("mark c{}", line.colour));
    return;
  }
  const bool flat = std::ranges::all_of(run, [](const PlotPlace& place) { return place.most <= place.least; });
  if (flat) return;
  std::string points;
  for (const PlotPlace& place : run) points += (points.empty() ? "" : " ") + at(area.x(place.x), area.y(place.most));
  for (auto place = run.rbegin(); place != run.rend(); ++place)
    points += " " + at(area.x(place->x), area.y(place->least));
  body.add(fmt::format("<polygon points=\"{}\" class=\"band f{}\"/>", points, line.colour));
}

void draw_run(SvgBody& body, const SvgArea& area, const PlotLine& line, const std::vector<PlotPlace>& run) {
  if (run.size() < 2) return;
  std::string points;
  for (const PlotPlace& place : run) points += (points.empty() ? "" : " ") + at(area.x(place.x), area.y(place.y));
  body.add(fmt::format("<polyline points=\"{}\" class=\"line c{}\"{}/>", points, line.colour, dash_of(line)));
}

/// Crosses stand on the axis, and on each other where several lines have one at one place.
void draw_gaps(SvgBody& body, const SvgArea& area, const LinePicture& picture) {
  std::map<double, int> at_place;
  for (const PlotLine& line : picture.lines) {
    for (const double x : line.gaps) {
      draw_cross(body, area.x(x), area.bottom() - 6 - 10 * at_place[x]++, fmt::format("c{}", line.colour));
    }
  }
}

void draw_axes(SvgBody& body, const SvgArea& area, const LinePicture& picture) {
  for (const AxisTick& tick : picture.y.ticks) {
    body.line(area.left, area.y(tick.at), area.right(), area.y(tick.at), "grid");
    body.text(area.left - 8, area.y(tick.at) + 4, tick.label,
              {.size = label_size, .anchor = Anchor::end, .style = "soft"});
  }
  for (const AxisTick& tick : picture.x.ticks) {
    if (picture.x.scale != AxisScale::categories) {
      body.line(area.x(tick.at), area.top, area.x(tick.at), area.bottom(), "grid");
    }
    body.line(area.x(tick.at), area.bottom(), area.x(tick.at), area.bottom() + 5, "axis");
  }
  for (const double minor : picture.x.minor) {
    body.line(area.x(minor), area.bottom(), area.x(minor), area.bottom() + 3, "axis");
  }
  for (const double minor : picture.y.minor) {
    body.line(area.left - 3, area.y(minor), area.left, area.y(minor), "axis");
  }
  body.line(area.left, area.top, area.left, area.bottom(), "axis");
  body.line(area.left, area.bottom(), area.right(), area.bottom(), "axis");
}

/// What the marks mean that are drawn.
struct Keys {
  bool unsound{false}, gaps{false}, spread{false};
};

Keys keys_of(const LinePicture& picture) {
  Keys keys{.spread = picture.spread};
  for (const PlotLine& line : picture.lines) {
    keys.unsound |= std::ranges::any_of(line.places, &PlotPlace::unsound);
    keys.gaps |= !line.gaps.empty();
  }
  return keys;
}

constexpr std::string_view unsound_text = "some run is not sound";
constexpr std::string_view gap_text = "no value";
constexpr std::string_view spread_text = "least to most";

double legend_width(const LinePicture& picture, const Keys& keys) {
  double width = picture.lines.size() > 1 ? svg_width(picture.line_title, label_size) : 0;
  const auto entry = [&](std::string_view text) { width = std::max(width, swatch + 8 + svg_width(text, label_size)); };
  for (const PlotLine& line : picture.lines) {
    if (picture.lines.size() > 1) entry(line.name);
  }
  if (keys.unsound) entry(unsound_text);
  if (keys.gaps) entry(gap_text);
  if (keys.spread) entry(spread_text);
  return std::min(width, most_legend);
}

/// A band, or the stroke that stands for it where places are not joined.
void draw_spread_key(SvgBody& body, const LinePicture& picture, double x, double y) {
  if (picture.x.scale == AxisScale::categories) {
    body.line(x + swatch / 2, y - 7, x + swatch / 2, y + 7, "mark key");
    return;
  }
  body.add(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\" class=\"band key\"/>", svg_number(x),
                       svg_number(y - 6), svg_number(swatch)));
}

/// Returns where it ends.
double draw_legend(SvgBody& body, const LinePicture& picture, const Keys& keys, double x, double top) {
  double y = top + 4;
  const auto label = [&](std::string_view text) {
    body.text(x + swatch + 8, y + 4, svg_fitted(text, label_size, most_legend - swatch - 8), {.size = label_size});
    y += legend_row;
  };
  if (picture.lines.size() > 1) {
    body.text(x, y + 4, svg_fitted(picture.line_title, label_size, most_legend), {.size = label_size, .style = "bold"});
    y += legend_row;
    for (const PlotLine& line : picture.lines) {
      // Over words there are marks only.
      if (picture.x.scale != AxisScale::categories) {
        body.add(fmt::format("<path d=\"M{}H{}\" class=\"line c{}\"{}/>", at(x, y), svg_number(x + swatch), line.colour,
                             dash_of(line)));
      }
      draw_mark(body, line, x + swatch / 2, y, false);
      label(line.name);
    }
    y += 6;
  }
  if (keys.spread) {
    draw_spread_key(body, picture, x, y);
    label(spread_text);
  }
  if (keys.unsound) {
    body.add(fmt::format("<path d=\"{}\" transform=\"translate({})\" class=\"mark key hollow\"/>", marks[0],
                         at(x + swatch / 2, y)));
    label(unsound_text);
  }
  if (keys.gaps) {
    draw_cross(body, x + swatch / 2, y, "key");
    label(gap_text);
  }
  return y;
}

std::string description_of(const LinePicture& picture) {
  std::string text = "Lines over " + picture.x.title + ", upwards " + picture.y.title;
  if (picture.lines.size() > 1) {
    text += ", one for each " + picture.line_title + ":";
    for (std::size_t i = 0; i < picture.lines.size(); ++i) text += (i == 0 ? " " : "; ") + picture.lines[i].name;
  }
  return text + ".";
}

}  // namespace

std::string svg_of(const LinePicture& picture) {
  SvgBody body;
  const Keys keys = keys_of(picture);
  const double legend = legend_width(picture, keys);
  SvgArea area{
      .left = edge + 2 * label_size + widest(picture.y.ticks) + 14, .width = area_width, .height = area_height};
  const double right = area.right() + (legend > 0 ? legend_gap + legend : 0);
  const double inner = right - edge;
  area.top = draw_titles(body, picture.title, picture.subtitle, inner) + 16;
  draw_axes(body, area, picture);
  draw_left_title(body, area, picture.y.title);
  for (const PlotLine& line : picture.lines) {
    for (const std::vector<PlotPlace>& run : runs_of(line)) draw_spread(body, area, line, run);
  }
  for (const PlotLine& line : picture.lines) {
    for (const std::vector<PlotPlace>& run : runs_of(line)) draw_run(body, area, line, run);
    for (const PlotPlace& place : line.places) draw_mark(body, line, area.x(place.x), area.y(place.y), place.unsound);
  }
  draw_gaps(body, area, picture);
  const double legend_end = legend > 0 ? draw_legend(body, picture, keys, area.right() + legend_gap, area.top) : 0;
  const double bottom = std::max(draw_bottom(body, area, picture.x), legend_end);
  const double end = draw_notes(body, picture.notes, bottom + 6, inner);
  return svg_document({right + edge, end + edge - 4, picture.title, description_of(picture)}, body);
}

}  // namespace soya::cli
