// What must be known of a text before a YAML parser may see it: that it is UTF-8 without control characters, and
// that its brackets do not nest so deep that a recursive parser would run out of stack.
// Simplifies: brackets in quotes and comments count too; the limit is far above what a scenario needs.
// Source: YAML 1.2, 5.1 (character set). Validated by tests/errors/scenario_file_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace soya::reading {

struct RawFault {
  int line{0};
  int column{0};
  std::string message;
  std::string advice;  ///< for a file: "; save the file as UTF-8"
};

/// Brackets deeper than this are refused.
inline constexpr int deepest_nesting = 64;

/// The first thing that keeps `text` from being parsed.
[[nodiscard]] std::optional<RawFault> find_raw_fault(std::string_view text);

/// "; a key in line 3 is longer than 1024 bytes", which a parser's own words do not say; else empty.
[[nodiscard]] std::string long_key_hint(std::string_view text);

}  // namespace soya::reading
