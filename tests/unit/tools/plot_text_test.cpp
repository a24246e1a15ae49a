#include "soya/plot_text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "soya/display_width.hpp"
#include "soya/dot_canvas.hpp"

using namespace soya::cli;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// From (0, 0) to (10, 100) in a straight line, and one more line that has a gap.
LinePicture two_lines() {
  LinePicture picture;
  picture.title = "a title";
  picture.subtitle = "a subtitle";
  picture.x = linear_axis({"across", "", false, 0, 10}, true);
  picture.y = linear_axis({"upwards", "", false, 0, 100}, true);
  picture.line_title = "mode";
  picture.lines.push_back({"dsh", 0, 0, {{0, 0, 0, 0, false, false}, {1, 1, 1, 1, false, true}}, {}});
  picture.lines.push_back({"札幌", 1, 1, {{0, 1, 1, 1, true, false}}, {0.5}});
  return picture;
}

HeatPicture heat() {
  HeatPicture picture;
  picture.title = "a title";
  picture.x_title = "across";
  picture.y_title = "upwards";
  picture.columns = {"1km", "2km"};
  picture.rows = {"100Gbps", "400Gbps"};
  picture.quantity = "bytes";
  picture.colours = linear_axis({"bytes", "bytes", false, 0, 80e6}, true);
  picture.unit = shown_unit("bytes", false, 80e6);
  picture.cells = {{0, 0, 0.0, "0", false}, {1, 0, 0.5, "40", true}, {0, 1, 1.0, "80", false}, {1, 1, {}, "", false}};
  return picture;
}

constexpr TextPictureStyle plain{BarStyle::ascii, Colour::off};

}  // namespace

TEST_CASE("a line of dots goes from cell to cell") {
  DotCanvas canvas{2, 1};
  canvas.line({0, 0}, {0, 1}, "");
  // The left column of the first cell, all four dots: 1, 2, 3 and 7, which are bits 0, 1, 2 and 6: U+2847.
  CHECK(canvas.row(0, BarStyle::blocks, Colour::off) == "\u2847");
  canvas.line({0, 0}, {1, 0}, "");
  // The fourth row adds dot 8 (bit 7) here: U+28C7, and in the second cell it is all: dots 7 and 8, U+28C0.
  CHECK(canvas.row(0, BarStyle::blocks, Colour::off) == "\u28C7\u28C0");
  CHECK(canvas.row(0, BarStyle::ascii, Colour::off) == "..");
}

TEST_CASE("a mark stands over dots, and two different ones are a star") {
  DotCanvas canvas{3, 2};
  canvas.line({0, 0}, {1, 0}, "");
  canvas.mark({0, 0}, 'a', "");
  canvas.mark({1, 0}, 'a', "");
  canvas.mark({1, 0}, 'b', "31");
  canvas.mark({1, 1}, 'a', "");
  canvas.mark({1, 1}, 'a', "");
  CHECK(canvas.row(0, BarStyle::ascii, Colour::off) == "  a");
  CHECK(canvas.row(1, BarStyle::ascii, Colour::off) == "a.*");
  CHECK(canvas.row(1, BarStyle::ascii, Colour::on) == "a.\x1b[31m*\x1b[0m");
}

TEST_CASE("a picture has its axes, marks where the values are, and a legend") {
  const std::string text = text_of(two_lines(), plain);
  const std::vector<std::string> lines = lines_of(text);
  REQUIRE(lines.size() > 22);
  CHECK(lines[0] == " a title");
  CHECK(lines[1] == " a subtitle");
  CHECK(lines[3] == " upwards");
  // Labels are three columns wide; 16 rows from 100 to 0.
  CHECK(lines[4].starts_with(" 100 +B"));
  CHECK(lines[4].ends_with("a"));
  CHECK(lines[4].size() == 76);
  CHECK(lines[19].starts_with("   0 +a"));
  // The middle of 70 columns is dot 69.5 of 0 to 139, rounded 70: column 35, behind six of the margin.
  CHECK(lines[19].find('!') == 6 + 35);
  CHECK(lines[20].starts_with("     ++"));
  CHECK(lines[21].starts_with("      0 "));
  CHECK(lines[21].ends_with(" 10"));
  CHECK(text.find(" mode:\n  a dsh    b 札幌\n") != std::string::npos);
  CHECK(text.find(" * several lines; a capital: some run is not sound; ! no value\n") != std::string::npos);
}

TEST_CASE("pictures are at most 76 columns wide, whatever the names are") {
  LinePicture picture = two_lines();
  picture.title = std::string(200, 't');
  picture.lines[0].name = std::string(200, 'n');
  picture.y.title = std::string(120, 'y');
  picture.x.title = std::string(120, 'x');
  picture.notes = {"note " + std::string(300, 'w') + " end"};
  picture.y.ticks[0].label = std::string(60, '9');
  for (const std::string& line : lines_of(text_of(picture, {BarStyle::blocks, Colour::off}))) {
    // A word without a blank is not broken.
    if (line.find(std::string(100, 't')) == std::string::npos &&
        line.find(std::string(100, 'y')) == std::string::npos &&
        line.find(std::string(100, 'w')) == std::string::npos) {
      CHECK_MESSAGE(display_width(line) <= 76, line);
    }
  }
}

TEST_CASE("without UTF-8 a picture is ASCII, and without a terminal it has no colour") {
  LinePicture picture = two_lines();
  picture.lines[1].name = "sapporo";
  for (const std::string& text : {text_of(picture, plain), text_of(heat(), plain)}) {
    CHECK(std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80 && c != '\x1b'; }));
  }
  CHECK(text_of(picture, {BarStyle::blocks, Colour::on}).find("\x1b[34ma\x1b[0m") != std::string::npos);
}

TEST_CASE("a heat map has rows from the bottom, with shades and numbers") {
  const std::vector<std::string> lines = lines_of(text_of(heat(), plain));
  REQUIRE(lines.size() > 10);
  CHECK(lines[2] == " upwards");
  CHECK(lines[3] == " 400Gbps |# 80        x");
  CHECK(lines[4] == " 100Gbps |. 0       + 40!");
  CHECK(lines[5] == "          1km       2km");
  CHECK(lines[6] == "          across");
  CHECK(lines[8] == " bytes (MB):");
  // 0 to 80 MB in four parts.
  CHECK(lines[9] == "  . to 20  : to 40  + to 60  # to 80");
  CHECK(lines[10] == " ! some run is not sound");
  CHECK(lines[11] == " x no value");
}

TEST_CASE("a heat map of many columns has shades only") {
  HeatPicture picture = heat();
  picture.columns.assign(30, "1km");
  picture.cells.clear();
  for (std::size_t column = 0; column < 30; ++column) picture.cells.push_back({column, 0, 0.6, "48", false});
  const std::vector<std::string> lines = lines_of(text_of(picture, plain));
  // 76 columns less a label of 7 and three: 66 for 30 cells are two for each.
  CHECK(lines[4] == " 100Gbps |" + std::string(60, '+'));
  CHECK(lines[3] == " 400Gbps |");
}
