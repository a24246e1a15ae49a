// The smallest value that holds, found with few probes, each of which may be a whole simulation.
// Simplifies: values are integers; a probe is repeatable, so no value is tried twice.
// Source: bisection; galloping from a guess (Bentley and Yao, "An almost optimal algorithm for unbounded searching",
// 1976). Validated by tests/unit/sweep/bisect_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace soya {

struct BisectRange {
  std::int64_t low{0};   ///< taken not to hold, and not tried
  std::int64_t high{0};  ///< the largest value that may be tried
  /// Where the value is thought to be. A right guess costs two probes, beside the end and the check.
  std::optional<std::int64_t> guess{};
};

struct BisectAnswer {
  /// Holds, and one less does not, or is `low`; absent where `high` does not hold.
  std::optional<std::int64_t> smallest;
  /// A probe below `smallest` held, or one above did not: the least value of several that hold may be another.
  bool monotone{true};
  std::map<std::int64_t, bool> probes{};  ///< every value that was tried
};

/// Searches (low, high]. Beside the search's own probes, one halfway to either end checks that nothing below holds and
/// everything above does.
[[nodiscard]] BisectAnswer bisect(const BisectRange& range, const std::function<bool(std::int64_t)>& holds);

}  // namespace soya
