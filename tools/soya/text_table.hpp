// A table of text for the terminal: a title row, columns as wide as their widest cell, two blanks between columns.
// Simplifies: the whole table is at most 100 columns wide because its text columns are cut (`limit`).
// Validated by tests/unit/tools/text_table_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/quantity_text.hpp"

namespace soya::cli {

enum class Align { left, right };

struct TextColumn {
  std::string title;
  Align align{Align::right};
  std::size_t limit{24};  ///< cells are cut to this many columns
};

class TextTable final {
 public:
  explicit TextTable(std::vector<TextColumn> columns) : columns_{std::move(columns)} {}
  void add(std::vector<std::string> cells);
  /// Lines indented by two blanks, without blanks at their ends.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

using soya::grouped;
/// A time in milliseconds with three decimals, grouped: "1 362.100".
[[nodiscard]] std::string milliseconds(double value);
/// Picoseconds with the unit that fits: "85.567 us", "2.724 s".
[[nodiscard]] std::string duration_text(long long picoseconds);
/// Bytes with the binary unit that fits: "512 B", "12.3 MiB".
[[nodiscard]] std::string size_text(long long bytes);
/// Exact, in the unit that a scenario would spell it in: "10 MB", "1.5 MB", "64 KiB", "12 345 678 B".
[[nodiscard]] std::string exact_size_text(long long bytes);

}  // namespace soya::cli
