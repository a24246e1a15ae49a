#include "scenario/raw_text.hpp"

#include <algorithm>
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

/// The parser takes a longer one for no key at all.
constexpr std::size_t longest_key = 1024;

/// Whether `line` has a key that is too long: in quotes, or from a bracket, comma, blank or the line's start on.
bool has_long_key(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    const bool ends_key = colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '\t';
    if (!ends_key || colon <= longest_key) continue;
    const char last = line[colon - 1];
    const bool quoted = last == '"' || last == '\'';
    const std::size_t before = quoted ? line.rfind(last, colon - 2) : line.find_last_of("{[, \t", colon - 1);
    const std::size_t length = colon - (before == std::string_view::npos ? 0 : before + 1);
    if (length > longest_key) return true;
  }
  return false;
}

}  // namespace

std::optional<RawFault> find_raw_fault(std::string_view text) {
  int line = 1;
  int column = 1;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(text.substr(at, 4));
    if (length == 0) return RawFault{line, column, "not UTF-8 (byte " + hex(c) + ")", "; save the file as UTF-8"};
    if (is_control(text[at]) && c != '\t' && c != '\n' && c != '\r')
      return RawFault{line, column, "control character " + hex(c), "; this is not a text file"};
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth > deepest_nesting) {
      return RawFault{line, column, "brackets nest deeper than " + std::to_string(deepest_nesting) + " levels", ""};
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

std::string long_key_hint(std::string_view text) {
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (has_long_key(text.substr(0, end))) {
      return "; a key in line " + std::to_string(line) + " is longer than " + std::to_string(longest_key) + " bytes";
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return "";
}

}  // namespace soya::reading
