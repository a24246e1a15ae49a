// How long a host computes: the length of the union of its compute intervals, so that overlaps count once.
// Simplifies: nothing.
// Source: docs/model.md section 9 (idle = total − union). Validated by tests/unit/workload/intervals_test.cpp.
#pragma once

#include <vector>

#include "core/units.hpp"

namespace soya {

/// From `begin` until `end`; empty when `end` ≤ `begin`.
struct Interval {
  Duration begin;
  Duration end;
};

/// Length of the union of `intervals`, in any order.
[[nodiscard]] Duration covered(std::vector<Interval> intervals);

}  // namespace soya
