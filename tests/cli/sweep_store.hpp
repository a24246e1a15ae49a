// Stores of small sweeps for the tests of the commands that read them.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/run_command.hpp"
#include "sweep/sweep_store.hpp"
#include "unit/sweep/table_points.hpp"

namespace soya::test {

inline void write_store(const std::string& folder, const std::vector<StoredPoint>& points) {
  SweepStore store{folder, headroom_head()};
  for (StoredPoint point : points) {
    point.id = std::to_string(point.point) + std::string(30, '0');
    point.id.resize(32, '0');
    store.finish(point);
  }
}

/// Two modes over two lengths with two seeds: answer = 20 000 B + 10 B/m x length, of dsh half of that, 100 B more or
/// less by the seed; closed form 21 000 B + 10 B/m x length. The last point has no answer.
inline std::vector<StoredPoint> eight_points() {
  std::vector<StoredPoint> points;
  for (const char* mode : {"per-queue", "dsh"}) {
    for (const double length : {1'000.0, 3'000.0}) {
      for (const int seed : {1, 2}) {
        StoredPoint point = headroom_point(static_cast<std::int64_t>(points.size()), {length, 100, mode, seed});
        const double answer = (20'000 + 10 * length) / (points.size() < 4 ? 1 : 2) + (seed == 1 ? -100 : 100);
        point.extra = {{"answer", answer}, {"plan.headroom_budget_bytes", 21'000 + 10 * length}};
        points.push_back(point);
      }
    }
  }
  StoredPoint& last = points.back();
  last.outcome = PointOutcome::no_answer;
  last.why_not = "drops.lossless == 0 fails at both ends";
  last.extra.erase(last.extra.begin());
  return points;
}

/// A folder with the store of `eight_points` in `out`.
class StoreFolder final : public TemporaryFolder {
 public:
  StoreFolder() { write_store(*this / "out", eight_points()); }
};

/// What soya tells on standard error, with exit status 2 and nothing on standard output.
inline std::string refused_by(const TemporaryFolder& folder, const std::string& arguments) {
  const CommandResult result = run_command(folder, "$SOYA " + arguments);
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  return result.err;
}

}  // namespace soya::test
