#include "core/utf8.hpp"

#include <array>
#include <cstdio>

namespace soya {

namespace {

std::string escaped(const char* format, unsigned value) {
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

std::string escaped_byte(char c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  return escaped("\\x%02x", static_cast<unsigned char>(c));
}

/// U+0080 to U+009F, which terminals take for the start of a sequence too.
bool is_late_control(std::string_view character) {
  return character.size() == 2 && character[0] == '\xC2' && static_cast<unsigned char>(character[1]) < 0xA0;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text.substr(0, 4));
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || is_control(character[0]))
      out += escaped_byte(character[0]);
    else if (is_late_control(character))
      out += escaped("\\u%04x", static_cast<unsigned char>(character[1]));
    else
      out += character;
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace soya
