// Values of a summary by path: "drops.lossless", "steps[0].step_ms", "collectives[-1].busbw_GBps",
// "collectives["ring/0"].time_us", "steps.step_ms.max", "steps.count".
// Simplifies: numbers only; true is 1 and false 0. Source: docs/results.md.
// Validated by tests/unit/results/summary_path_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace soya {

/// The text of a summary.json, read once and asked for many values.
class SummaryText {
 public:
  /// Throws `std::invalid_argument` where `json` is no summary.
  explicit SummaryText(std::string_view json);
  ~SummaryText();
  SummaryText(SummaryText&&) noexcept;
  SummaryText& operator=(SummaryText&&) noexcept;

  /// Absent where the summary has no such value: null, a row that is not there, an aggregate of no rows. Of a list,
  /// rows without a value (null) do not count.
  [[nodiscard]] std::optional<double> value(std::string_view path) const;

 private:
  struct Json;
  std::unique_ptr<Json> json_;
};

/// What is wrong with a path that no summary has, in a sentence with the nearest that it may have; absent where
/// nothing is.
[[nodiscard]] std::optional<std::string> summary_path_fault(std::string_view path);

/// "bytes", "ps", "us", "ms", "gbps", "GBps", "mpps" or "share", from the name of a quantity or its last words:
/// sent_bytes_total, steps.step_ms.max. Empty for counts and everything else without a unit.
[[nodiscard]] std::string_view unit_of_quantity(std::string_view name);

}  // namespace soya
