#include "soya/plot_svg.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "soya/svg_text.hpp"
#include "topology/xml_elements.hpp"

using namespace soya::cli;

namespace {

/// A text as it lies in the document, upright or along the left and right edge.
struct Box {
  std::string text;
  double left, right, top, bottom;
};

double number_in(const std::string& element, const std::string& name) {
  const std::regex attribute{" " + name + "=\"([-0-9.]+)\""};
  std::smatch found;
  return std::regex_search(element, found, attribute) ? std::stod(found[1]) : 0;
}

/// Where every text lies; texts that are turned by less than 90 degrees are left out.
std::vector<Box> boxes_of(const std::string& svg) {
  std::vector<Box> boxes;
  const std::regex element{"<text([^>]*)>([^<]*)</text>"};
  for (std::sregex_iterator it{svg.begin(), svg.end(), element}, end; it != end; ++it) {
    const std::string attributes = (*it)[1];
    const bool turned = attributes.find("rotate") != std::string::npos;
    const bool upwards = attributes.find("rotate(-90") != std::string::npos;
    if (turned && !upwards) continue;
    const double x = number_in(attributes, "x");
    const double y = number_in(attributes, "y");
    const double size = number_in(attributes, "font-size");
    const double width = svg_width((*it)[2].str(), size);
    double start = 0;
    if (attributes.find("middle") != std::string::npos) start = -width / 2;
    if (attributes.find("\"end\"") != std::string::npos) start = -width;
    if (upwards) {
      boxes.push_back({(*it)[2], x - 0.75 * size, x + 0.2 * size, y - width - start, y - start});
    } else {
      boxes.push_back({(*it)[2], x + start, x + start + width, y - 0.75 * size, y + 0.2 * size});
    }
  }
  return boxes;
}

/// Pairs of texts that lie on each other, and texts that leave the document.
std::vector<std::string> collisions(const std::string& svg) {
  const double width = number_in(svg, "width");
  const double height = number_in(svg, "height");
  const std::vector<Box> boxes = boxes_of(svg);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& one = boxes[i];
    if (one.left < 0 || one.top < 0 || one.right > width || one.bottom > height)
      found.push_back("outside: " + one.text);
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      const Box& other = boxes[j];
      const bool apart =
          one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
      if (!apart) found.push_back(one.text + " / " + other.text);
    }
  }
  return found;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

LinePicture lines_over(const PlotAxis& x, std::size_t lines) {
  LinePicture picture;
  picture.title = "headroom-by-distance: answer for fabric.headroom.size over length";
  picture.subtitle = "mean of 5 points, with least and most";
  picture.x = x;
  picture.y = linear_axis({"answer for fabric.headroom.size", "bytes", false, 0, 137e6}, true);
  picture.line_title = "mode, rate";
  for (std::size_t i = 0; i < lines; ++i) {
    PlotLine line{"shared-pool, " + std::to_string(i) + "00Gbps", i % 7, i, {}, {}};
    for (int place = 0; place <= 4; ++place) {
      const double y = (1 + static_cast<double>(i)) / 25 * place / 4;
      line.places.push_back({place / 4.0, y, y * 0.9, y * 1.1, i == 1, place > 0});
    }
    if (i % 3 == 0) line.gaps = {0.5, 1};
    picture.lines.push_back(std::move(line));
  }
  picture.spread = true;
  picture.notes = {"2 of 40 points cannot be built: 札幌-dci <needs> more & more room, " + std::string(30, 'x')};
  return picture;
}

HeatPicture heat_of(std::size_t columns, std::size_t rows) {
  HeatPicture picture;
  picture.title = "headroom: answer over length and rate";
  picture.x_title = "topology.link_types.haul.length";
  picture.y_title = "topology.link_types.haul.rate";
  for (std::size_t i = 0; i < columns; ++i) picture.columns.push_back(std::to_string(i * 100) + "km");
  for (std::size_t i = 0; i < rows; ++i) picture.rows.push_back(std::to_string(i * 25) + "Gbps");
  picture.quantity = "answer";
  picture.colours = linear_axis({"answer", "bytes", false, 0, 80e6}, true);
  picture.unit = {"MB", 1e6};
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) {
      const double at = static_cast<double>(column * row) / static_cast<double>(columns * rows);
      picture.cells.push_back({column, row, column == 1 ? std::nullopt : std::optional{at}, "12.5", row == 1});
    }
  }
  return picture;
}

PlotAxis lengths() {
  return linear_axis({"topology.link_types.haul.length", "m", false, 1'000, 300'000}, false);
}

/// Pictures of all kinds.
std::vector<std::string> many_pictures() {
  std::vector<std::string> all;
  for (const std::size_t lines : {1U, 2U, 9U, 24U}) {
    all.push_back(svg_of(lines_over(lengths(), lines)));
    all.push_back(svg_of(lines_over(log_axis({"x", "m", false, 5, 1e6}), lines)));
    all.push_back(svg_of(lines_over(log_axis({"x", "bytes", true, 1'024, 1e9}), lines)));
    all.push_back(svg_of(lines_over(category_axis("mode", {"per-queue", "shared-pool", "dsh"}), lines)));
  }
  for (const std::size_t size : {2U, 7U, 30U, 60U}) {
    all.push_back(svg_of(heat_of(size, size)));
    all.push_back(svg_of(heat_of(size, 2)));
    all.push_back(svg_of(heat_of(2, size)));
  }
  return all;
}

}  // namespace

TEST_CASE("no text of a picture lies on another or leaves the picture") {
  for (const std::string& svg : many_pictures()) {
    CHECK(boxes_of(svg).size() > 6);
    for (const std::string& each : collisions(svg)) FAIL_CHECK(each);
  }
}

TEST_CASE("the search for texts on each other finds them") {
  SvgBody body;
  body.text(10, 20, "one", {});
  body.text(25, 22, "two", {});
  body.text(90, 20, "three", {});
  CHECK(collisions(svg_document({100, 40, "t", "d"}, body)) == std::vector<std::string>{"one / two", "outside: three"});
}

TEST_CASE("many words along the bottom are turned and stay whole and inside") {
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("a-long-variant-" + std::to_string(i));
  const std::string svg = svg_of(lines_over(category_axis("variant", names), 1));
  for (const std::string& name : names) CHECK(svg.find(">" + name + "</text>") != std::string::npos);
  const std::regex turned{"<text x=\"([0-9.]+)\"[^>]*rotate\\(-40 [^>]*>([^<]*)<"};
  std::size_t count = 0;
  for (std::sregex_iterator it{svg.begin(), svg.end(), turned}, end; it != end; ++it, ++count) {
    // cos 40 degrees is 0.766.
    CHECK(std::stod((*it)[1]) - 0.766 * svg_width((*it)[2].str(), 12) >= 0);
  }
  CHECK(count == 12);
  CHECK(collisions(svg).empty());
}

TEST_CASE("a picture stands alone as XML with a title and no reference") {
  for (const std::string& svg : many_pictures()) {
    CHECK(soya::parse_xml(svg).name == "svg");
    CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    CHECK(svg.find("role=\"img\"") != std::string::npos);
    CHECK(count_of(svg, "<title ") == 1);
    CHECK(count_of(svg, "<desc ") == 1);
    CHECK(count_of(svg, "http") == 1);  // the name of the format
    CHECK(count_of(svg, "href") == 0);
    CHECK(svg.find("prefers-color-scheme:dark") != std::string::npos);
    CHECK(svg.find("nan") == std::string::npos);
  }
}

TEST_CASE("names of users are text, never markup") {
  LinePicture picture = lines_over(lengths(), 2);
  picture.title = "a < b & \"c\" > d";
  picture.lines[0].name = "</svg><script>";
  const std::string svg = svg_of(picture);
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(svg.find("a &lt; b &amp; \"c\" &gt; d</text>") != std::string::npos);
  CHECK(svg_escaped("a\x1b[31m\xff") == "a?[31m?");
}

TEST_CASE("equal pictures are equal bytes") {
  CHECK(svg_of(lines_over(lengths(), 3)) == svg_of(lines_over(lengths(), 3)));
  CHECK(svg_of(heat_of(3, 3)) == svg_of(heat_of(3, 3)));
}

TEST_CASE("points that are not sound are hollow, and those without a value are crosses") {
  const std::string one = svg_of(lines_over(lengths(), 1));
  CHECK(count_of(one, " hollow\"") == 0);
  CHECK(one.find(">no value</text>") != std::string::npos);
  // The second line has five places, and the legend shows what hollow means.
  const std::string two = svg_of(lines_over(lengths(), 2));
  CHECK(count_of(two, " hollow\"") == 6);
  CHECK(two.find(">some run is not sound</text>") != std::string::npos);
}

TEST_CASE("lines differ in dash and mark, so that colour is not needed") {
  const std::string svg = svg_of(lines_over(lengths(), 4));
  const std::regex legend{"<path d=\"M[0-9. ]+H[0-9.]+\" class=\"line c[0-9]\"( stroke-dasharray=\"[^\"]*\")?/>"};
  std::map<std::string, int> dashes;
  for (std::sregex_iterator it{svg.begin(), svg.end(), legend}, end; it != end; ++it) ++dashes[(*it)[1]];
  CHECK(dashes.size() == 4);
}

TEST_CASE("colours of a heat map go from dark to light") {
  HeatPicture picture = heat_of(2, 1);
  picture.cells = {{0, 0, 0.0, "0", false}, {1, 0, 1.0, "80", false}};
  const std::string svg = svg_of(picture);
  CHECK(svg.find("fill=\"#00224e\"") != std::string::npos);  // the ends of cividis
  CHECK(svg.find("fill=\"#fee838\"") != std::string::npos);
  CHECK(count_of(svg, "class=\"on-dark\"") == 1);
  CHECK(count_of(svg, "class=\"on-light\"") == 1);
}
