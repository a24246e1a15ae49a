#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/quantity_text.hpp"
#include "display_width.hpp"
#include "scenario/quantity.hpp"

namespace soya::cli {

namespace {

/// Groups the digits in front of the decimal point.
std::string group_digits(std::string number) {
  const std::size_t end = std::min(number.find('.'), number.size());
  const std::size_t start = number.starts_with('-') ? 1 : 0;
  for (std::size_t i = end; i > start + 3; i -= 3) number.insert(i - 3, " ");
  return number;
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = shortened_inside(printable(cells[i]), columns_[i].limit);
  rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = display_width(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, display_width(row[i]));
    widths.push_back(width);
  }
  std::string out;
  const auto add_line = [&](const auto& cell) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      line += "  ";
      line += columns_[i].align == Align::left ? pad_right(cell(i), widths[i]) : pad_left(cell(i), widths[i]);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_line([&](std::size_t i) { return columns_[i].title; });
  for (const auto& row : rows_) add_line([&](std::size_t i) { return row[i]; });
  return out;
}

std::string milliseconds(double value) {
  return std::isfinite(value) ? group_digits(fmt::format("{:.3f}", value)) : "-";
}

std::string duration_text(long long picoseconds) {
  return rounded_time_text(Duration{picoseconds});
}

std::string size_text(long long bytes) {
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  // 1023.95 would print as 1024.0: that is one of the next unit.
  while (value >= 1023.95 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  std::string number = fmt::format("{:.1f}", value);
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number + " " + units[unit];
}

std::string exact_size_text(long long bytes) {
  const std::string text = reading::format_number(bytes, reading::Dimension::size);
  const std::size_t unit = text.find_first_not_of("0123456789.");
  if (text.substr(unit) == "B") return bytes_text(Bytes{bytes});
  return text.substr(0, unit) + " " + text.substr(unit);
}

}  // namespace soya::cli
