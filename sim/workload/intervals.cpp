#include "workload/intervals.hpp"

#include <algorithm>

namespace soya {

Duration covered(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  Duration total{0};
  Duration reached{INT64_MIN};
  for (const Interval& interval : intervals) {
    const Duration begin = std::max(interval.begin, reached);
    if (interval.end <= begin) continue;
    total += interval.end - begin;
    reached = interval.end;
  }
  return total;
}

}  // namespace soya
