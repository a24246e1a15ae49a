#include "scenario/raw_text.hpp"

#include <array>
#include <cstdio>

namespace soya::reading {

namespace {

std::string hex(unsigned value) {
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "0x%02X", value);
  return buffer.data();
}

bool is_control(unsigned char c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
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

std::optional<RawFault> find_raw_fault(std::string_view text) {
  int line = 1;
  int column = 1;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(text.substr(at, 4));
    if (length == 0) return RawFault{line, column, "not UTF-8 (byte " + hex(c) + "); save the file as UTF-8"};
    if (is_control(c)) return RawFault{line, column, "control character " + hex(c) + "; this is not a text file"};
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth > deepest_nesting) {
      return RawFault{line, column, "brackets nest deeper than " + std::to_string(deepest_nesting) + " levels"};
    }
    at += length;
    ++column;
    if (c == '\n') {
      ++line;
      column = 1;
    }
  }
  return std::nullopt;
}

}  // namespace soya::reading
