// The pictures of a sweep for the terminal, at most 76 columns wide.
// Simplifies: lines in dots of Braille, eight to a character, with a letter at each measured place; in the locales C
// and POSIX in full stops. Source: Unicode 15, block "Braille Patterns". Validated by
// tests/unit/tools/plot_text_test.cpp.
#pragma once

#include <string>

#include "output.hpp"
#include "sweep_picture.hpp"
#include "text_bar.hpp"

namespace soya::cli {

struct TextPictureStyle {
  BarStyle glyphs{BarStyle::blocks};
  Colour colour{Colour::off};
};

[[nodiscard]] std::string text_of(const LinePicture& picture, const TextPictureStyle& style);
[[nodiscard]] std::string text_of(const HeatPicture& picture, const TextPictureStyle& style);

}  // namespace soya::cli
