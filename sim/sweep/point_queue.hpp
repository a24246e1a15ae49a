// Which point a thread runs next: the longest of those that are known, so that no long one is left alone at the end.
// Simplifies: of a large sweep the next few thousand points are looked at, not all. Source: Graham, SIAM J. Appl. Math.
// 17 (1969), longest processing time first. Validated by tests/unit/sweep/point_queue_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "sweep/points.hpp"
#include "sweep/run_point.hpp"

namespace soya {

/// A point that is to be run.
struct WaitingPoint {
  Point point;
  PreparedPoint prepared;
};

/// Any thread may call it.
class PointQueue final {
 public:
  static constexpr std::size_t usual_window = 4096;

  PointQueue(const PointSpace& space, Shard shard, std::size_t window = usual_window)
      : cursor_{space, shard}, window_{window} {}

  /// The next point to look at; nothing where enough are waiting, or none is left.
  [[nodiscard]] std::optional<Point> to_prepare();
  void add(WaitingPoint waiting);
  /// The longest of those that wait; nothing where none does.
  [[nodiscard]] std::optional<WaitingPoint> longest();

  struct Outlook {
    std::int64_t packet_hops{0};  ///< of those that wait
    bool all_known{false};        ///< no point is left that has not been looked at
  };
  [[nodiscard]] Outlook outlook() const;

 private:
  mutable std::mutex mutex_;
  PointSpace::Cursor cursor_;
  std::size_t window_;
  std::vector<WaitingPoint> heap_;
  std::int64_t packet_hops_{0};
  bool exhausted_{false};
};

}  // namespace soya
