// A whole result as text, so that two runs can be compared in every field they report.
// Simplifies: nothing. Source: none. Validated by tests/property/determinism_test.cpp.
#pragma once

#include <string>

#include "results/csv.hpp"
#include "results/results.hpp"
#include "results/summary.hpp"
#include "results/tables.hpp"

namespace soya::test {

/// Summary, every row of every table, and warnings.
inline std::string result_text(const RunResults& results) {
  struct Text final : RowSink {
    std::string out;
    void row(std::span<const Value> values) override { out += csv_record(values); }
  } text;
  text.out = summary_json(results, {});
  for (const Table& table : result_tables()) {
    text.out += table.name + "\r\n";
    table.rows(results, "", text);
  }
  for (const std::string& warning : results.warnings) text.out += warning + '\n';
  return text.out;
}

/// The first line in which two texts differ, for a message; "" when they do not.
inline std::string first_difference(const std::string& a, const std::string& b) {
  if (a == b) return {};
  std::size_t line = 0;
  std::size_t at = 0;
  for (; at < a.size() && at < b.size() && a[at] == b[at]; ++at) {
    if (a[at] == '\n') line = at + 1;
  }
  const auto rest = [&](const std::string& text) { return text.substr(line, text.find('\n', line) - line); };
  return "\"" + rest(a) + "\" and \"" + rest(b) + "\"";
}

}  // namespace soya::test
