// Tables as comma-separated values: UTF-8, a header row, CRLF line ends.
// Simplifies: NULL and empty text are both an empty field.
// Source: RFC 4180.
// Validated by tests/unit/results/tables_test.cpp.
#pragma once

#include <span>
#include <string>

#include "results/files.hpp"
#include "results/tables.hpp"

namespace soya {

/// One record with its line end. Numbers are the shortest text that reads back to the same value.
[[nodiscard]] std::string csv_record(std::span<const Value> values);

/// The header record: the column names.
[[nodiscard]] std::string csv_header(const Table& table);

/// A table's CSV file under way: the header is written at once, rows as they come.
class CsvFile final : public RowSink {
 public:
  CsvFile(const Table& table, const std::filesystem::path& target);
  void row(std::span<const Value> values) override;
  [[nodiscard]] PendingFile& file() { return file_; }

 private:
  PendingFile file_;
};

}  // namespace soya
