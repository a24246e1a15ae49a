#include "planning/sonic_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "core/utf8.hpp"

namespace soya {

namespace {

constexpr std::array<std::string_view, 7> columns{"speed", "cable", "size", "xon", "xoff", "threshold", "xon_offset"};
constexpr std::size_t most_errors = 20;    // of a file that is no table every line is wrong
constexpr std::size_t columns_needed = 5;  // a row without threshold and xon_offset still has its headroom

struct Word {
  std::string_view text;
  int column{1};
};

/// Words between blanks, tabs and the \r of a line that ends in CR LF; a comment ends the line.
std::vector<Word> words_of(std::string_view line, std::string_view separators) {
  std::vector<Word> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(separators, at)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
    at = end;
  }
  return words;
}

std::optional<std::size_t> column_named(std::string_view name) {
  const auto found = std::ranges::find(columns, name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Length> sonic_cable(std::string_view text) {
  std::int64_t unit = 1'000;
  if (text.ends_with("km")) {
    unit = 1'000'000;
    text.remove_suffix(2);
  } else if (text.ends_with('m')) {
    text.remove_suffix(1);
  } else {
    return std::nullopt;
  }
  constexpr std::int64_t most_units = 1'000'000'000;
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto whole = integer(text.substr(0, point));
  if (!whole || *whole < 0 || *whole > most_units || text.starts_with('-')) return std::nullopt;
  std::int64_t length = *whole * unit;
  for (const char digit : text.substr(std::min(point + 1, text.size()))) {
    if (digit < '0' || digit > '9' || unit < 10) return std::nullopt;
    unit /= 10;
    length += (digit - '0') * unit;
  }
  if (point + 1 == text.size() || length == 0) return std::nullopt;
  return Length{length};
}

namespace {

class Reader final {
 public:
  Reader(const std::string& file, std::string_view text) : file_{file}, text_{text} {}

  SonicTable read() {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
    if (text_.find('\0') != std::string_view::npos) {
      error(0, "", "holds zero bytes: no table, or a text in UTF-16; save it as UTF-8");
      text_ = {};
    }
    const std::size_t first = text_.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (text_[first] == '{' || text_[first] == '[')) {
      error(0, "", "is JSON, not a table such as pg_profile_lookup.ini; soya import sonic-buffers reads JSON");
      text_ = {};
    }
    while (!text_.empty() && errors_.size() < most_errors) {
      ++line_;
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      read_line(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    if (table_.rows.empty() && errors_.empty()) {
      line_ = 0;
      error(0, "", "no rows; expected lines such as \"100000 40m 18432 18432 40960 0\"");
    }
    if (!errors_.empty()) throw ScenarioError(std::move(errors_));
    return std::move(table_);
  }

 private:
  void error(int column, std::string_view name, std::string message) {
    errors_.push_back(Diagnostic{Where{file_, line_, column, std::string{name}}, std::move(message)});
  }

  /// A word in a message: as it is, or its beginning.
  static std::string shown(std::string_view word) {
    constexpr std::size_t most = 40;
    return word.size() <= most ? std::string{word} : std::string{word.substr(0, most)} + "...";
  }

  void warn(std::string message) {
    table_.warnings.push_back(Diagnostic{Where{file_, line_, 1, std::string{}}, std::move(message)});
  }

  void read_line(std::string_view line) {
    const std::size_t comment = line.find('#');
    const std::vector<Word> words = words_of(line.substr(0, comment), " \t\r\v\f");
    if (!words.empty()) return read_row(words);
    if (comment != std::string_view::npos) read_comment(line, comment);
  }

  /// "# speed cable size …" names the columns; any other comment says nothing.
  void read_comment(std::string_view line, std::size_t comment) {
    const std::vector<Word> names = words_of(line.substr(comment), "# \t\r\v\f,");
    const auto has = [&](std::string_view name) {
      return std::ranges::any_of(names, [&](const Word& word) { return word.text == name; });
    };
    if (!has("speed") || !has("cable") || !has("xoff")) return;
    std::vector<std::size_t> order;
    for (const Word& name : names) {
      const auto column = column_named(name.text);
      const int at = name.column + static_cast<int>(comment);
      if (!column)
        return error(at, "",
                     fmt::format("unknown column \"{}\"; known: {}", shown(name.text), fmt::join(columns, " ")));
      if (std::ranges::find(order, *column) != order.end()) {
        return error(at, "", fmt::format("column \"{}\" twice", name.text));
      }
      order.push_back(*column);
    }
    if (!std::ranges::is_sorted(order)) {
      warn(
          "the columns are read as this line names them; SONiC itself reads speed cable size xon xoff threshold "
          "xon_offset, whatever it says");
    }
    named_ = order.size();
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (std::ranges::find(order, column) == order.end()) order.push_back(column);
    }
    order_ = std::move(order);
  }

  void read_row(const std::vector<Word>& words) {
    if (words.size() < std::min(columns_needed, named_) || words.size() > columns.size()) {
      return error(
          words.front().column, "",
          fmt::format("expected the columns speed cable size xon xoff threshold and perhaps xon_offset, got {} "
                      "value{}",
                      words.size(), words.size() == 1 ? "" : "s"));
    }
    const std::size_t errors_before = errors_.size();
    SonicRow row;
    row.line = line_;
    for (std::size_t i = 0; i < words.size(); ++i) {
      read_value(row, order_[i], words[i]);
    }
    if (errors_.size() == errors_before) add(row);
  }

  void read_value(SonicRow& row, std::size_t column, const Word& word) {
    switch (column) {
      case 0:
        row.speed = Rate{number(word, "speed", "a speed in Mbit/s such as 100000", 1, 100'000'000) * 1'000'000};
        break;
      case 1:
        if (const auto cable = sonic_cable(word.text)) {
          row.cable = *cable;
        } else {
          error(word.column, "cable",
                fmt::format("expected a length above 0 such as 40m or 80km, got \"{}\"", shown(word.text)));
        }
        break;
      case 2:
        row.size = bytes(word, "size");
        break;
      case 3:
        row.xon = bytes(word, "xon");
        break;
      case 4:
        row.xoff = bytes(word, "xoff");
        break;
      case 5:
        row.threshold = number(word, "threshold", "n of alpha = 2^n, or bytes", -1000, most_bytes);
        break;
      default:
        row.xon_offset = bytes(word, "xon_offset");
    }
  }

  static constexpr std::int64_t most_bytes = std::int64_t{1} << 40;

  Bytes bytes(const Word& word, std::string_view name) {
    return Bytes{number(word, name, "a number of bytes", 0, most_bytes)};
  }

  std::int64_t number(const Word& word, std::string_view name, std::string_view expected, std::int64_t least,
                      std::int64_t most) {
    const auto value = integer(word.text);
    if (value && *value >= least && *value <= most) return *value;
    error(word.column, name, fmt::format("expected {}, got \"{}\"", expected, shown(word.text)));
    return 0;
  }

  void add(const SonicRow& row) {
    const auto [known, is_new] = rows_.try_emplace({row.speed, row.cable}, table_.rows.size());
    if (is_new) return table_.rows.push_back(row);
    SonicRow& earlier = table_.rows[known->second];
    warn(fmt::format("the same speed and cable as in line {}: SONiC takes the later one", earlier.line));
    earlier = row;
  }

  const std::string& file_;
  std::string_view text_;
  int line_{0};
  /// Columns as the comment names them, then those that it does not, in SONiC's order.
  std::vector<std::size_t> order_{0, 1, 2, 3, 4, 5, 6};
  std::size_t named_{columns.size()};
  std::map<std::pair<Rate, Length>, std::size_t> rows_;  ///< of speed and cable: index in the table
  SonicTable table_;
  std::vector<Diagnostic> errors_;
};

}  // namespace

SonicTable read_sonic_table(const std::string& file, std::string_view text) {
  return Reader{file, text}.read();
}

}  // namespace soya
