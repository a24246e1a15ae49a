// The pictures of a sweep as SVG.
// Simplifies: colours of a heat map are interpolated between ten. Source: Nuñez, Anderton and Renslow, "Optimizing
// colormaps with consideration for color vision deficiency", PLOS ONE, 2018 (cividis).
// Validated by tests/unit/tools/plot_svg_test.cpp.
#pragma once

#include <string>

#include "sweep_picture.hpp"

namespace soya::cli {

/// Equal pictures give equal bytes.
[[nodiscard]] std::string svg_of(const LinePicture& picture);
[[nodiscard]] std::string svg_of(const HeatPicture& picture);

}  // namespace soya::cli
