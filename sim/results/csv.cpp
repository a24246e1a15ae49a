#include "results/csv.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace soya {

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

struct FieldText {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
  std::string operator()(double number) const { return fmt::format("{}", number); }
  std::string operator()(const std::string& text) const { return quoted(text); }
};

}  // namespace

std::string csv_record(std::span<const Value> values) {
  std::string out;
  std::string_view separator;
  for (const Value& value : values) {
    out += separator;
    out += std::visit(FieldText{}, value);
    separator = ",";
  }
  return out + "\r\n";
}

std::string csv_header(const Table& table) {
  std::vector<Value> names;
  for (const TableColumn& column : table.columns) names.emplace_back(column.name);
  return csv_record(names);
}

CsvFile::CsvFile(const Table& table, const std::filesystem::path& target) : file_{target} {
  file_.write(csv_header(table));
}

void CsvFile::row(std::span<const Value> values) {
  file_.write(csv_record(values));
}

}  // namespace soya
