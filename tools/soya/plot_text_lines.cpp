#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "display_width.hpp"
#include "dot_canvas.hpp"
#include "plot_text.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t width = 76;
constexpr std::size_t canvas_rows = 16;
constexpr std::size_t widest_label = 12;

/// ANSI: blue, yellow, green, magenta, cyan, red, default.
constexpr std::array<std::string_view, 7> colours{"34", "33", "32", "35", "36", "31", "1"};

/// The glyphs of a frame.
struct Frame {
  std::string_view side, side_tick, corner, bottom, bottom_tick;
};
constexpr Frame block_frame{"│", "┤", "└", "─", "┬"};
constexpr Frame ascii_frame{"|", "+", "+", "-", "+"};

std::string_view colour_of(const PlotLine& line) {
  return colours[line.colour % colours.size()];
}

/// One line is marked "o", several "a", "b", …
char letter_of(const LinePicture& picture, std::size_t line) {
  return picture.lines.size() == 1 ? 'o' : static_cast<char>('a' + line);
}

char upper(char letter) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
}

DotCanvas drawn(const LinePicture& picture, std::size_t columns) {
  DotCanvas canvas{columns, canvas_rows};
  for (const PlotLine& line : picture.lines) {
    for (std::size_t i = 0; i < line.places.size(); ++i) {
      const PlotPlace& place = line.places[i];
      canvas.line({place.x, place.least}, {place.x, place.most}, colour_of(line));
      if (!place.joined) continue;
      canvas.line({line.places[i - 1].x, line.places[i - 1].y}, {place.x, place.y}, colour_of(line));
    }
  }
  for (std::size_t i = 0; i < picture.lines.size(); ++i) {
    const PlotLine& line = picture.lines[i];
    const char letter = letter_of(picture, i);
    for (const double x : line.gaps) canvas.mark({x, 0}, '!', colour_of(line));
    for (const PlotPlace& place : line.places) {
      canvas.mark({place.x, place.y}, place.unsound ? upper(letter) : letter, colour_of(line));
    }
  }
  return canvas;
}

/// The labels of an axis under its places, as many as do not touch.
std::string bottom_labels(const LinePicture& picture, const DotCanvas& canvas, std::size_t columns,
                          std::size_t margin) {
  std::string text(margin, ' ');
  std::size_t free_from = 0;
  std::size_t at = 0;
  for (const AxisTick& tick : picture.x.ticks) {
    const std::string label = shortened(tick.label, columns);
    const std::size_t label_width = display_width(label);
    const std::size_t column = canvas.column_of(tick.at);
    // A label starts where the axis does at the earliest, and ends with it at the latest.
    const std::size_t centred = column > label_width / 2 ? column - label_width / 2 : 0;
    const std::size_t start = std::min(centred, columns - label_width);
    if (start < free_from) continue;
    text += std::string(start - at, ' ') + label;
    at = start + label_width;
    free_from = at + 1;
  }
  return text + "\n";
}

std::string frame_rows(const LinePicture& picture, const DotCanvas& canvas, std::size_t label_width,
                       const TextPictureStyle& style) {
  const Frame& frame = style.glyphs == BarStyle::blocks ? block_frame : ascii_frame;
  std::string text;
  for (std::size_t row = 0; row < canvas_rows; ++row) {
    const auto tick =
        std::ranges::find_if(picture.y.ticks, [&](const AxisTick& each) { return canvas.row_of(each.at) == row; });
    const bool labelled = tick != picture.y.ticks.end();
    text += " " + pad_left(labelled ? shortened(tick->label, label_width) : "", label_width) + " ";
    text += std::string{labelled ? frame.side_tick : frame.side} + canvas.row(row, style.glyphs, style.colour) + "\n";
  }
  return text;
}

std::string bottom_line(const LinePicture& picture, const DotCanvas& canvas, std::size_t columns, std::size_t margin,
                        const TextPictureStyle& style) {
  const Frame& frame = style.glyphs == BarStyle::blocks ? block_frame : ascii_frame;
  std::string text(margin - 1, ' ');
  text += frame.corner;
  for (std::size_t column = 0; column < columns; ++column) {
    const bool tick =
        std::ranges::any_of(picture.x.ticks, [&](const AxisTick& each) { return canvas.column_of(each.at) == column; });
    text += tick ? frame.bottom_tick : frame.bottom;
  }
  return text + "\n";
}

/// "  a  dsh   b  per-queue", on as many lines as it takes.
std::string legend(const LinePicture& picture, const TextPictureStyle& style) {
  if (picture.lines.size() < 2) return "";
  std::string text = wrapped(picture.line_title + ":", width, " ", " ");
  std::string line;
  std::size_t used = 0;
  for (std::size_t i = 0; i < picture.lines.size(); ++i) {
    const PlotLine& each = picture.lines[i];
    const std::string name = shortened_inside(each.name, width - 8);
    const std::size_t needed = display_width(name) + 6;
    if (used > 0 && used + needed > width) {
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line.clear();
      used = 0;
    }
    line += "  " + coloured(std::string(1, letter_of(picture, i)), colour_of(each), style.colour) + " " + name + "  ";
    used += needed;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return text + line + "\n";
}

/// What marks mean, where they are in the picture.
std::string keys(const LinePicture& picture) {
  bool unsound = false;
  bool gaps = false;
  for (const PlotLine& line : picture.lines) {
    unsound |= std::ranges::any_of(line.places, &PlotPlace::unsound);
    gaps |= !line.gaps.empty();
  }
  std::string text;
  if (picture.lines.size() > 1) text += "* several lines";
  if (unsound) text += (text.empty() ? "" : "; ") + std::string{"a capital: some run is not sound"};
  if (gaps) text += (text.empty() ? "" : "; ") + std::string{"! no value"};
  return text.empty() ? "" : wrapped(text, width, " ", " ");
}

}  // namespace

std::string text_of(const LinePicture& picture, const TextPictureStyle& style) {
  std::size_t label_width = 1;
  for (const AxisTick& tick : picture.y.ticks) label_width = std::max(label_width, display_width(tick.label));
  label_width = std::min(label_width, widest_label);
  const std::size_t margin = label_width + 3;
  const std::size_t columns = width - margin;
  const DotCanvas canvas = drawn(picture, columns);
  std::string text = wrapped(picture.title, width, " ", " ");
  if (!picture.subtitle.empty()) text += wrapped(picture.subtitle, width, " ", " ");
  text += "\n" + wrapped(picture.y.title, width, " ", " ") + frame_rows(picture, canvas, label_width, style) +
          bottom_line(picture, canvas, columns, margin, style) + bottom_labels(picture, canvas, columns, margin);
  const std::string x_title = shortened_inside(picture.x.title, width - 2);
  const std::size_t room = width - display_width(x_title);
  text += std::string(std::min(room, margin + (columns - std::min(columns, display_width(x_title))) / 2), ' ') +
          x_title + "\n\n";
  text += legend(picture, style) + keys(picture);
  for (const std::string& note : picture.notes) text += wrapped(note, width, " ", "   ");
  text.erase(text.find_last_not_of('\n') + 1);
  return text + "\n";
}

}  // namespace soya::cli
