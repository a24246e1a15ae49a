// UTF-8, as far as a reader of text files needs it: where a character ends, whether it is one, and how a message shows
// what is none. Simplifies: knows no categories of characters; bytes below 0x20 and 0x7F are the control characters.
// Source: RFC 3629. Validated by tests/unit/core/utf8_test.cpp, tests/errors/scenario_file_test.cpp and
// tests/unit/workload/model_table_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace soya {

/// Bytes of the UTF-8 sequence at the start of `text`, which is not empty: 0 where it is not one.
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4U : lead >= 0xE0 ? 3U : 2U;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  // Overlong forms, surrogates and values past U+10FFFF are no UTF-8 either.
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
  if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
  return length;
}

/// Whether `c` is a control character, line breaks and tabs among them.
[[nodiscard]] constexpr bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

/// `text` for a message: control characters and bytes that are no UTF-8 as C spells them, so that a name a user gave
/// neither steers the terminal nor breaks the line: "a\\nb", "\\x1b[31m", "\\xff", "\\u009b".
[[nodiscard]] std::string visible(std::string_view text);

}  // namespace soya
