#include "workload/model_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/input_text.hpp"
#include "core/utf8.hpp"

namespace soya {
namespace {

/// Far above any model's table; a device or a wrong file does not fill the memory.
constexpr std::size_t largest_file = 64 * 1024 * 1024;
/// Far above any tensor's line; a file of commas does not fill it either.
constexpr std::size_t longest_line = 64 * 1024;
/// After so many mistakes the file is no table, and its other lines are not read.
constexpr std::size_t most_errors = 1000;
/// Elements of one table. Times 16 bytes and a thousand steps it still fits 64 bits.
constexpr std::int64_t most_elements = 1'000'000'000'000'000;

struct Cell {
  std::string_view text;
  int column{0};  ///< in characters, from 1
};

struct Row {
  std::int64_t index{0};
  int line{0};
  int column{0};  ///< of the index
  TensorConfig tensor;
};

int characters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<Cell> split(std::string_view line) {
  std::vector<Cell> cells;
  std::size_t begin = 0;
  int column = 1;  // of what stands at `begin`
  while (true) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::size_t first = begin;
    std::size_t last = end;
    while (first < last && (line[first] == ' ' || line[first] == '\t')) ++first;
    while (last > first && (line[last - 1] == ' ' || line[last - 1] == '\t')) --last;
    cells.push_back({line.substr(first, last - first), column + characters(line.substr(begin, first - begin))});
    if (end == line.size()) return cells;
    column += characters(line.substr(begin, end + 1 - begin));
    begin = end + 1;
  }
}

/// What keeps a line from being text, and its column; nothing where it is text.
std::optional<std::pair<Cell, std::string>> fault_of(std::string_view line) {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t length = utf8_length(line.substr(at, 4));
    const bool control = is_control(line[at]) && line[at] != '\t';
    if (length > 0 && !control) {
      at += length;
      continue;
    }
    const Cell here{{}, characters(line.substr(0, at)) + 1};
    const auto byte = static_cast<unsigned char>(line[at]);
    return {{here, control ? fmt::format("control character 0x{:02X}; this is not a text file", byte)
                           : fmt::format("not UTF-8 (byte 0x{:02X}); save the file as UTF-8", byte)}};
  }
  return std::nullopt;
}

/// Reads all of `text` as a whole number ≥ 0; nothing where it is not one or does not fit.
std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  if (text.empty() || text[0] == '-') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> unit_picoseconds(std::string_view unit) {
  struct Unit {
    std::string_view name;
    std::int64_t picoseconds;
  };
  constexpr Unit units[] = {{"ps", 1},         {"ns", 1'000},         {"us", 1'000'000},
                            {"µs", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}};
  for (const Unit& known : units) {
    if (known.name == unit) return known.picoseconds;
  }
  return std::nullopt;
}

/// Reads a time such as 12us or 1.5ms; nothing where it is none or no whole number of picoseconds.
std::optional<Duration> time_of(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view number = text.substr(0, digits);
  const std::size_t point = std::min(number.find('.'), number.size());
  const std::string_view fraction = point < number.size() ? number.substr(point + 1) : std::string_view{};
  const std::optional<std::int64_t> unit = unit_picoseconds(text.substr(digits));
  const std::optional<std::int64_t> whole = whole_number(number.substr(0, point));
  if (!unit || !whole || (point < number.size() && fraction.empty())) return std::nullopt;

  Int128 value = static_cast<Int128>(*whole) * *unit;
  std::int64_t scale = *unit;
  for (const char digit : fraction) {
    const bool below_a_picosecond = scale % 10 != 0;
    if (digit == '.' || (below_a_picosecond && digit != '0')) return std::nullopt;
    if (below_a_picosecond) continue;
    scale /= 10;
    value += static_cast<Int128>(digit - '0') * scale;
  }
  if (value > INT64_MAX) return std::nullopt;
  return Duration{static_cast<std::int64_t>(value)};
}

/// Reads the lines of one table and collects what is wrong with them.
class TableReader {
 public:
  explicit TableReader(const std::string& path) : path_{path} {}

  std::vector<TensorConfig> read() {
    const std::string text = whole_file();
    if (errors_.empty()) read_lines(text);
    if (errors_.empty() && columns_.empty()) error({}, "expected the header index,name,numel, found no line");
    if (errors_.empty() && rows_.empty()) error({}, "no tensors after the header");
    if (errors_.empty() && columns_.index) order_by_index();
    if (!errors_.empty()) throw ScenarioError(std::move(errors_));
    std::vector<TensorConfig> tensors;
    for (Row& row : rows_) tensors.push_back(std::move(row.tensor));
    return tensors;
  }

 private:
  struct Columns {
    std::optional<std::size_t> index, name, numel, time;
    std::size_t count{0};
    [[nodiscard]] bool empty() const { return count == 0; }
  };

  void error(const Cell& at, const std::string& message) {
    errors_.push_back({{path_, at.column > 0 ? line_ : 0, at.column, {}}, message});
  }

  std::string whole_file() {
    InputText input = read_input(path_, largest_file);
    switch (input.fault) {
      case InputFault::system:
        error({}, fmt::format("cannot read: {}", std::strerror(input.error)));
        break;
      case InputFault::too_large:
        error({}, "larger than 64 MiB: not a table of tensors");
        break;
      case InputFault::nothing_comes:
        error({}, nothing_comes_text);
        break;
      case InputFault::none:
        if (input.text.empty()) error({}, "file is empty");
    }
    return std::move(input.text);
  }

  void read_lines(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty() && errors_.size() < most_errors) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      ++line_;
      if (const auto fault = fault_of(line)) return error(fault->first, fault->second);
      if (line.starts_with('#') || line.find_first_not_of(" \t") == std::string_view::npos) continue;
      if (line.size() > longest_line) return error({{}, 1}, "a line above 64 KiB: not a table of tensors");
      if (columns_.empty()) {
        if (!read_header(split(line))) return;
      } else {
        read_row(split(line));
      }
    }
  }

  bool read_header(const std::vector<Cell>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::optional<std::size_t>* column = column_named(cells[i].text);
      if (column == nullptr) {
        error(cells[i], fmt::format("unknown column \"{}\"; a table has index, name, numel, time", cells[i].text));
      } else if (*column) {
        error(cells[i], fmt::format("column \"{}\" is there twice", cells[i].text));
      } else {
        *column = i;
      }
    }
    if (!columns_.name) error(cells[0], "the header has no column \"name\"");
    if (!columns_.numel) error(cells[0], "the header has no column \"numel\"");
    columns_.count = cells.size();
    return errors_.empty();
  }

  std::optional<std::size_t>* column_named(std::string_view name) {
    if (name == "index") return &columns_.index;
    if (name == "name") return &columns_.name;
    if (name == "numel") return &columns_.numel;
    if (name == "time") return &columns_.time;
    return nullptr;
  }

  void read_row(const std::vector<Cell>& cells) {
    for (const Cell& cell : cells) {
      if (cell.text.starts_with('"')) return error(cell, "quotes have no meaning here; write the cell without them");
    }
    if (cells.size() != columns_.count) {
      return error(cells[0], fmt::format("expected {} columns as in the header, got {}", columns_.count, cells.size()));
    }
    Row row{.index = static_cast<std::int64_t>(rows_.size()), .line = line_, .column = 1, .tensor = {}};
    row.tensor.name = cells[*columns_.name].text;
    if (row.tensor.name.empty()) error(cells[*columns_.name], "the tensor has no name");
    row.tensor.elements = read_elements(cells[*columns_.numel]);
    if (columns_.index) {
      row.index = read_index(cells[*columns_.index]);
      row.column = cells[*columns_.index].column;
    }
    if (columns_.time) row.tensor.backward = read_time(cells[*columns_.time]);
    rows_.push_back(std::move(row));
  }

  std::int64_t read_elements(const Cell& cell) {
    const std::int64_t elements = whole_number(cell.text).value_or(0);
    if (elements < 1 || elements > most_elements) {
      error(cell, fmt::format("numel: expected a whole number of elements from 1 to 10^15, got \"{}\"", cell.text));
      return 0;
    }
    if (total_ <= most_elements && total_ + elements > most_elements) error(cell, "more than 10^15 elements in all");
    total_ += std::min(elements, most_elements - std::min(total_, most_elements) + 1);
    return elements;
  }

  std::int64_t read_index(const Cell& cell) {
    const std::optional<std::int64_t> index = whole_number(cell.text);
    if (!index) error(cell, fmt::format("index: expected a whole number from 0, got \"{}\"", cell.text));
    return index.value_or(0);
  }

  std::optional<Duration> read_time(const Cell& cell) {
    const std::optional<Duration> time = time_of(cell.text);
    if (!time) error(cell, fmt::format("time: expected a time such as 12us or 1.5ms, got \"{}\"", cell.text));
    return time;
  }

  void order_by_index() {
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.index < b.index; });
    for (std::size_t i = 1; i < rows_.size() && errors_.size() < most_errors; ++i) {
      if (rows_[i].index != rows_[i - 1].index) continue;
      line_ = rows_[i].line;
      error({{}, rows_[i].column}, fmt::format("index {} is also on line {}", rows_[i].index, rows_[i - 1].line));
    }
  }

  std::string path_;
  int line_{0};
  Columns columns_;
  std::int64_t total_{0};
  std::vector<Row> rows_;
  std::vector<Diagnostic> errors_;
};

}  // namespace

std::vector<TensorConfig> read_model_table(const std::string& path) {
  return TableReader{path}.read();
}

std::vector<TensorConfig> equal_tensors(std::int64_t parameters, int tensors) {
  const std::int64_t count = std::min<std::int64_t>(parameters, tensors);
  std::vector<TensorConfig> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t elements = scaled(parameters, {i + 1, count}) - scaled(parameters, {i, count});
    result.push_back({fmt::format("tensor{}", i), elements, std::nullopt});
  }
  return result;
}

}  // namespace soya
