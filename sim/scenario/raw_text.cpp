#include "scenario/raw_text.hpp"

#include <array>
#include <cstdio>

#include "core/utf8.hpp"

namespace soya::reading {

namespace {

std::string hex(unsigned value) {
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "0x%02X", value);
  return buffer.data();
}

}  // namespace

std::optional<RawFault> find_raw_fault(std::string_view text) {
  int line = 1;
  int column = 1;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(text.substr(at, 4));
    if (length == 0) return RawFault{line, column, "not UTF-8 (byte " + hex(c) + "); save the file as UTF-8"};
    if (is_control(text[at]) && c != '\t' && c != '\n' && c != '\r')
      return RawFault{line, column, "control character " + hex(c) + "; this is not a text file"};
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
