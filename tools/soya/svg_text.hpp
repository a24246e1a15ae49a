// The text of an SVG: a document that needs nothing else, readable on light and dark pages.
// Simplifies: widths of texts are those of a usual sans-serif face, taken large.
// Source: W3C, "Scalable Vector Graphics 2"; Okabe and Ito, "Color Universal Design", 2008, for the colours of lines.
// Validated by tests/unit/tools/plot_svg_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace soya::cli {

inline constexpr std::size_t svg_colours = 7;  ///< classes c0 to c6 of strokes and f0 to f6 of fills

/// `text` for the content of an element; what no XML may hold becomes "?".
[[nodiscard]] std::string svg_escaped(std::string_view text);

/// Pixels of `text` at a font size, as many as it may take.
[[nodiscard]] double svg_width(std::string_view text, double size);

/// As much of `text` as `pixels` hold, with "…" inside.
[[nodiscard]] std::string svg_fitted(std::string_view text, double size, double pixels);

/// Lines of `text` that are at most `pixels` long, broken between words.
[[nodiscard]] std::vector<std::string> svg_lines(std::string_view text, double size, double pixels);

/// "12.5": a coordinate with at most two decimals.
[[nodiscard]] std::string svg_number(double value);

enum class Anchor { start, middle, end };

/// How a text is set.
struct SvgFont {
  double size{12};
  Anchor anchor{Anchor::start};
  std::string_view style{};  ///< class: "soft", "bold", "on-light", "on-dark"
  double turned{0};          ///< degrees
};

/// The body of a document, element by element.
class SvgBody final {
 public:
  void add(std::string_view element) { text_.append(element) += '\n'; }
  void text(double x, double y, std::string_view text, const SvgFont& font = {});
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  [[nodiscard]] const std::string& elements() const { return text_; }

 private:
  std::string text_;
};

struct SvgDocument {
  double width{0}, height{0};
  std::string title;
  std::string description;
};

[[nodiscard]] std::string svg_document(const SvgDocument& document, const SvgBody& body);

}  // namespace soya::cli
