#include "text_bar.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace soya::cli {

BarStyle bar_style_for(const LocaleNames& names) {
  // The first that is set and not empty counts. Where none is, a terminal of today still shows UTF-8.
  for (const char* name : {names.lc_all, names.lc_ctype, names.lang}) {
    if (name == nullptr || *name == '\0') continue;
    const std::string_view locale{name};
    return locale == "C" || locale == "POSIX" ? BarStyle::ascii : BarStyle::blocks;
  }
  return BarStyle::blocks;
}

BarStyle answer_bars() {
  return bar_style_for({std::getenv("LC_ALL"), std::getenv("LC_CTYPE"), std::getenv("LANG")});
}

std::string text_bar(double share, std::size_t columns, BarStyle style) {
  if (!(share > 0)) return "";
  const std::size_t steps = style == BarStyle::blocks ? 8 : 1;
  const double exact = std::min(share, 1.0) * static_cast<double>(columns * steps);
  const auto filled = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(exact)));
  if (style == BarStyle::ascii) return std::string(filled, '#');
  constexpr std::array<std::string_view, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  std::string bar;
  for (std::size_t i = 0; i < filled / steps; ++i) bar += "█";
  bar += eighths[filled % steps];
  return bar;
}

}  // namespace soya::cli
