// The reader of a sweep.sqlite, which may be written meanwhile.
// Simplifies: reading takes memory for one point, and no more than some hundreds of them hold a writer up at a time;
// what is finished meanwhile may or may not be among what is read. Source: docs/sweeps.md.
// Validated by tests/unit/sweep/sweep_store_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/store_tables.hpp"
#include "sweep/stored_point.hpp"

namespace soya {

/// A point that the writer is at, or was at when it died.
struct RunningPoint {
  std::int64_t point{0};
  std::string id;
  bool operator==(const RunningPoint&) const = default;
};

enum class StoreDetail { all, without_effective };

/// All members throw `StoreError`.
class StoreReader final {
 public:
  /// `file` is DIR/sweep.sqlite, of this version of Soya.
  explicit StoreReader(const std::filesystem::path& file);

  [[nodiscard]] const StoreHead& head() const { return head_; }
  [[nodiscard]] const std::filesystem::path& file() const { return database_.file(); }

  /// Finished points, in order of their numbers.
  void for_each(const std::function<void(const StoredPoint&)>& visit, StoreDetail detail = StoreDetail::all);
  /// The same, much faster.
  void for_each_outcome(const std::function<void(std::int64_t point, PointOutcome outcome)>& visit);
  /// Whether the point is finished.
  [[nodiscard]] bool has(std::int64_t point);
  [[nodiscard]] bool has_result(std::string_view id);
  [[nodiscard]] std::map<PointOutcome, std::int64_t> counts();
  /// In order of their numbers.
  [[nodiscard]] std::vector<RunningPoint> running();

 private:
  [[nodiscard]] StoredPoint point_at(const SqliteStatement& row, StoreDetail detail) const;
  void check_number(std::int64_t point) const;

  SqliteDatabase database_;
  StoreHead head_;
};

}  // namespace soya
