// Points of a small sweep, made by hand: length and mode, two seeds of each.
// Simplifies: texts stand for summaries and scenarios that nobody simulates. Source: ours.
// Validated by the tests that use it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sweep/store_reader.hpp"
#include "sweep/sweep_store.hpp"

namespace soya::test {

inline StoreHead sample_head(std::int64_t points, Shard shard = {}) {
  StoreHead head;
  head.version = SOYA_VERSION;
  head.name = "reach";
  head.sweep = "scenario: reach.yaml\n";
  head.columns = {{"topology.link_types.haul.length", "m"}, {"fabric.headroom.mode", ""}, {"seed", ""}};
  head.keep = {"drops.lossless"};
  head.points = points;
  head.shard = shard;
  head.base = "b5";
  return head;
}

/// Kilometres of point p are p + 1; its id is p in 32 digits.
inline StoredPoint sample_point(std::int64_t number) {
  StoredPoint point;
  point.point = number;
  const std::string digits = std::to_string(number);
  point.id = std::string(32 - digits.size(), '0') + digits;
  const std::string length = std::to_string(number + 1);
  point.cells = {{length + "km", static_cast<double>(1000 * (number + 1))},
                 {number % 2 == 0 ? "per-queue" : "shared-pool", {}},
                 {std::to_string(number % 2 + 1), static_cast<double>(number % 2 + 1)}};
  point.effective = "name: reach\nlength: " + length + "km\n";
  point.summary = R"({"drops": {"lossless": )" + digits + "}}";
  return point;
}

/// Finishes `points` in a store of `folder`.
inline void write_points(const std::filesystem::path& folder, const StoreHead& head,
                         const std::vector<std::int64_t>& points) {
  SweepStore store{folder, head};
  store.commit();
  for (const std::int64_t number : points) store.finish(sample_point(number));
}

/// Of the sweep `sample_head(6)`: point 0 is sound, point 4 refused, and point 2 under way.
inline void begin_six(SweepStore& store) {
  StoredPoint refused = sample_point(4);
  refused.outcome = PointOutcome::refused;
  store.finish(sample_point(0));
  store.finish(refused);
  store.begin(2, sample_point(2).id);
}

/// Numbers of the points in the store of `folder`, such as "0 1 4 ".
inline std::string numbers_in(const std::filesystem::path& folder) {
  std::string numbers;
  StoreReader reader{folder / "sweep.sqlite"};
  reader.for_each([&](const StoredPoint& point) { numbers += std::to_string(point.point) + " "; });
  return numbers;
}

}  // namespace soya::test
