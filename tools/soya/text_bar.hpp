// A share of a whole as a small bar in a text.
// Simplifies: blocks in any locale but C and POSIX, where they are #. Source: POSIX.1-2017, 8.2, for the variables that
// name the locale. Validated by tests/unit/tools/text_bar_test.cpp.
#pragma once

#include <cstddef>
#include <string>

namespace soya::cli {

enum class BarStyle { blocks, ascii };

/// What names the locale of characters: values of LC_ALL, LC_CTYPE and LANG, null where they are not set.
struct LocaleNames {
  const char* lc_all{nullptr};
  const char* lc_ctype{nullptr};
  const char* lang{nullptr};
};

[[nodiscard]] BarStyle bar_style_for(const LocaleNames& names);
/// `bar_style_for` the environment.
[[nodiscard]] BarStyle answer_bars();

/// `share` of `columns`, from 0 to 1, in eighths of a column with blocks. Whatever is above 0 shows.
[[nodiscard]] std::string text_bar(double share, std::size_t columns, BarStyle style);

}  // namespace soya::cli
