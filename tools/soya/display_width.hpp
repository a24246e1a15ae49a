// How many terminal columns a UTF-8 text takes, so that tables with 札幌 in them line up.
// Simplifies: ambiguous characters count one column; emoji sequences count their parts.
// Source: Unicode 15, EastAsianWidth.txt (W and F) and the combining marks in common use.
// Validated by tests/unit/tools/display_width_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace soya::cli {

/// Columns of `text`. A byte that is no UTF-8 counts one.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// `text` with control characters and bytes that are no UTF-8 replaced by '?': a name must not steer the terminal.
[[nodiscard]] std::string printable(std::string_view text);

/// At most `columns` wide; a text that is cut ends in "…".
[[nodiscard]] std::string shortened(std::string_view text, std::size_t columns);
/// The same with "…" in the middle: of what a family generates only the ends differ.
[[nodiscard]] std::string shortened_inside(std::string_view text, std::size_t columns);

[[nodiscard]] std::string pad_right(std::string_view text, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string_view text, std::size_t columns);

/// Words of `text` on lines of at most `columns`; each line starts with `indent`, the first with `first`.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, std::string_view first,
                                  std::string_view indent);

}  // namespace soya::cli
