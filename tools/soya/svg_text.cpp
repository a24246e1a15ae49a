#include "svg_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/utf8.hpp"
#include "display_width.hpp"

namespace soya::cli {

namespace {

/// Of the font size, for each column of a terminal.
constexpr double column_share = 0.57;

constexpr std::string_view style_sheet =
    "text{font-family:system-ui,'Segoe UI','Helvetica Neue',Arial,sans-serif;fill:#1f2328}\n"
    ".soft{fill:#57606a}.bold{font-weight:600}.on-light{fill:#10151a}.on-dark{fill:#fff}\n"
    ".back{fill:#fff}.empty{fill:#eaeef2}.grid{stroke:#e4e8ec}.axis{stroke:#6e7781}.line{fill:none;stroke-width:2}\n"
    ".mark{stroke-width:1.6;stroke-linejoin:round}.band{opacity:.16;stroke:none}\n"
    ".key{stroke:#57606a;fill:#57606a}.hollow{fill:#fff}\n"
    ".c0{stroke:#0072b2}.c1{stroke:#d55e00}.c2{stroke:#009e73}.c3{stroke:#b8508f}.c4{stroke:#a66f00}\n"
    ".c5{stroke:#4aa3df}.c6{stroke:#3a3f45}\n"
    ".f0{fill:#0072b2}.f1{fill:#d55e00}.f2{fill:#009e73}.f3{fill:#b8508f}.f4{fill:#a66f00}\n"
    ".f5{fill:#4aa3df}.f6{fill:#3a3f45}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text{fill:#e6edf3}.soft{fill:#9da7b1}.on-light{fill:#10151a}.on-dark{fill:#fff}\n"
    ".back{fill:#0d1117}.empty{fill:#21262d}.grid{stroke:#262c34}.axis{stroke:#8b949e}\n"
    ".key{stroke:#9da7b1;fill:#9da7b1}.hollow{fill:#0d1117}\n"
    ".c0{stroke:#58a6ff}.c1{stroke:#ff8c42}.c2{stroke:#2fc796}.c3{stroke:#e39bc6}.c4{stroke:#e0b040}\n"
    ".c5{stroke:#a5d8ff}.c6{stroke:#d0d7de}\n"
    ".f0{fill:#58a6ff}.f1{fill:#ff8c42}.f2{fill:#2fc796}.f3{fill:#e39bc6}.f4{fill:#e0b040}\n"
    ".f5{fill:#a5d8ff}.f6{fill:#d0d7de}\n"
    "}\n";

std::string_view anchor_name(Anchor anchor) {
  switch (anchor) {
    case Anchor::start:
      return "start";
    case Anchor::middle:
      return "middle";
    case Anchor::end:
      return "end";
  }
  return "start";
}

}  // namespace

std::string svg_escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

double svg_width(std::string_view text, double size) {
  return static_cast<double>(display_width(text)) * size * column_share;
}

std::string svg_fitted(std::string_view text, double size, double pixels) {
  return shortened_inside(text, static_cast<std::size_t>(std::max(1.0, pixels / (size * column_share))));
}

std::vector<std::string> svg_lines(std::string_view text, double size, double pixels) {
  const auto columns = static_cast<std::size_t>(std::max(8.0, pixels / (size * column_share)));
  std::vector<std::string> lines;
  std::string rest = wrapped(text, columns, "", "");
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end > 0) lines.push_back(rest.substr(0, end));
    rest.erase(0, end + 1);
  }
  return lines;
}

std::string svg_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

void SvgBody::text(double x, double y, std::string_view text, const SvgFont& font) {
  const std::string place = svg_number(x) + "\" y=\"" + svg_number(y);
  std::string turn;
  if (font.turned != 0) {
    turn = fmt::format(" transform=\"rotate({} {} {})\"", svg_number(font.turned), svg_number(x), svg_number(y));
  }
  const std::string style = font.style.empty() ? "" : fmt::format(" class=\"{}\"", font.style);
  const std::string anchor =
      font.anchor == Anchor::start ? "" : fmt::format(" text-anchor=\"{}\"", anchor_name(font.anchor));
  add(fmt::format("<text x=\"{}\" font-size=\"{}\"{}{}{}>{}</text>", place, svg_number(font.size), anchor, style, turn,
                  svg_escaped(text)));
}

void SvgBody::line(double x1, double y1, double x2, double y2, std::string_view style) {
  add(fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>", svg_number(x1), svg_number(y1),
                  svg_number(x2), svg_number(y2), style));
}

std::string svg_document(const SvgDocument& document, const SvgBody& body) {
  const std::string width = svg_number(document.width);
  const std::string height = svg_number(document.height);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "aria-labelledby=\"title desc\">\n<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n"
      "<style>\n{4}</style>\n<rect class=\"back\" width=\"{0}\" height=\"{1}\"/>\n{5}</svg>\n",
      width, height, svg_escaped(document.title), svg_escaped(document.description), style_sheet, body.elements());
}

}  // namespace soya::cli
