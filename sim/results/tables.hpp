// The tables of a result: one declaration of each column serves SQLite, CSV and docs/results.md.
// Simplifies: three column types. A measurement that does not exist, or is not finite, is NULL (an empty CSV field).
// Source: docs/results.md is written from these declarations.
// Validated by tests/unit/results/tables_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "results/results.hpp"

namespace soya {

enum class ColumnType { integer, real, text };

struct TableColumn {
  std::string name;  ///< carries its unit
  ColumnType type{ColumnType::integer};
  bool nullable{false};
  std::string meaning;
};

using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

/// Takes rows one after another.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void row(std::span<const Value> values) = 0;
};

/// A table. The first column of each is `variant`: empty for the base.
struct Table {
  std::string name;
  std::string meaning;
  std::vector<TableColumn> columns;
  void (*rows)(const RunResults& results, const std::string& variant, RowSink& sink);
  /// Puts one row, in the order of `columns`, back into results. False: a value is of another type than its column.
  bool (*restore)(RunResults& results, std::span<const Value> values);
};

/// run, host, link, queue, pause, switch, headroom_use, reconvergence, accelerator, accelerator_flow, transfer,
/// collective, perftest, step, sample; in this order everywhere.
[[nodiscard]] const std::vector<Table>& result_tables();

/// One row of the table `transfer`, for results written during a run.
[[nodiscard]] std::vector<Value> transfer_values(const TransferRow& row, const std::string& variant);

/// "INTEGER", "REAL" or "TEXT".
[[nodiscard]] const char* sql_type(ColumnType type);

/// The tables as Markdown, the reference part of docs/results.md.
[[nodiscard]] std::string tables_markdown();

}  // namespace soya
