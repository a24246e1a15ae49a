#include "display_width.hpp"

#include <algorithm>
#include <cstdint>

namespace soya::cli {

namespace {

struct CodePoint {
  char32_t value{0};
  std::size_t bytes{1};
  bool valid{false};
};

struct Range {
  char32_t first;
  char32_t last;
};

constexpr Range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},  {0x2614, 0x2615}, {0x26A1, 0x26A1},
    {0x2705, 0x2705},   {0x274C, 0x274C},   {0x2E80, 0x303E},   {0x3041, 0x33FF},  {0x3400, 0x4DBF}, {0x4E00, 0xA4CF},
    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},  {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
constexpr Range zero[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0x302A, 0x302D},
                          {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};

template <std::size_t Count>
bool in(const Range (&ranges)[Count], char32_t value) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const Range& range) { return value >= range.first && value <= range.last; });
}

/// The code point at the front of `text`, which is not empty.
CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || text.size() < length) return {};
  char32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3FU);
  }
  return {value, length, true};
}

std::size_t width(const CodePoint& point) {
  if (in(zero, point.value)) return 0;
  return in(wide, point.value) ? 2 : 1;
}

bool is_control(char32_t value) {
  return value < 0x20 || (value >= 0x7F && value < 0xA0);
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const CodePoint point = decode(text);
    columns += point.valid ? width(point) : 1;
    text.remove_prefix(point.bytes);
  }
  return columns;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint point = decode(text);
    if (point.valid && !is_control(point.value)) {
      out += text.substr(0, point.bytes);
    } else {
      out += '?';
    }
    text.remove_prefix(point.bytes);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns || columns == 0) return std::string{text};
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const CodePoint point = decode(text);
    used += width(point);
    if (used > columns - 1) break;
    out += text.substr(0, point.bytes);
    text.remove_prefix(point.bytes);
  }
  return out + "…";
}

std::string shortened_inside(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns || columns < 3) return shortened(text, columns);
  const std::size_t behind = (columns - 1) / 2;
  std::string_view tail = text;
  while (display_width(tail) > behind) tail.remove_prefix(decode(tail).bytes);
  return shortened(text, columns - behind) + std::string{tail};
}

std::string pad_right(std::string_view text, std::size_t columns) {
  const std::size_t used = display_width(text);
  return std::string{text} + std::string(columns > used ? columns - used : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t columns) {
  const std::size_t used = display_width(text);
  return std::string(columns > used ? columns - used : 0, ' ') + std::string{text};
}

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Where the first word of `text` ends. A number stays on one line with its groups of digits and its unit, which is a
/// word of at most three letters.
std::size_t word_end(std::string_view text) {
  std::size_t end = std::min(text.find(' '), text.size());
  while (end > 0 && end + 1 < text.size() && is_digit(text[end - 1])) {
    const std::size_t next = std::min(text.find(' ', end + 1), text.size());
    if (!is_digit(text[end + 1]) && next - end > 4) break;
    end = next;
  }
  return end;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t columns, std::string_view first, std::string_view indent) {
  std::string out;
  std::string line{first};
  bool line_is_empty = true;
  while (!text.empty()) {
    const std::size_t end = word_end(text);
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line_is_empty && display_width(line) + 1 + display_width(word) > columns) {
      out += line + "\n";
      line = indent;
      line_is_empty = true;
    }
    if (!line_is_empty) line += ' ';
    line += word;
    line_is_empty = false;
  }
  return out + line + "\n";
}

}  // namespace soya::cli
